// Members as they are read, and the one write beside the committer's: a membership given by hand. It never touches xp or seq.
// Reads have majority concern: what they show cannot be rolled back by an election.
import type { Database } from "#store/database.ts";
import { memberOfDoc } from "#store/documents.ts";
import { isDuplicateKey, orUnknown, readInTime } from "#store/failure.ts";
import type { MemberDoc } from "#store/models.ts";
import { memberIdOf, type MemberPosition, type MemberRef, type MemberStore } from "#usecases/ports.ts";

export function makeMemberStore({ models }: Pick<Database, "models">): MemberStore {
  const { members } = models;

  async function join(ref: MemberRef, since: Date, appointedRank: string | null): Promise<void> {
    const _id = memberIdOf(ref);
    await members.updateOne({ _id }, { $setOnInsert: { ...ref, xp: 0n, seq: 0, membership: null, appointedRank: null } }, { upsert: true });
    await members.updateOne({ _id, membership: null }, { $set: { membership: { since } } });
    if (appointedRank !== null) await members.updateOne({ _id }, { $set: { appointedRank } });
  }

  return {
    read(ref) {
      return readInTime(async () => {
        const doc = await members.findById(memberIdOf(ref)).readConcern("majority").lean<MemberDoc>();
        return doc && memberOfDoc(doc);
      });
    },

    list(clanId, { sort, limit, after }) {
      return readInTime(async () => {
        const query = sort === "xp" ? byXp(clanId, after) : byPlatformId(clanId, after);
        const docs = await members
          .find(query.filter)
          .sort(query.sort)
          .limit(limit + 1)
          .readConcern("majority")
          .lean<MemberDoc[]>();
        const items = docs.slice(0, limit).map(memberOfDoc);
        const last = items.at(-1);
        return { items, next: docs.length > limit && last ? { xp: last.xp, platformId: last.platformId } : null };
      });
    },

    join(ref, since, appointedRank) {
      return orUnknown(async () => {
        try {
          await join(ref, since, appointedRank);
        } catch (error) {
          // Two upserts of a new member met: it is there now.
          if (!isDuplicateKey(error)) throw error;
          await join(ref, since, appointedRank);
        }
        const doc = await members.findById(memberIdOf(ref)).readConcern("majority").orFail().lean<MemberDoc>();
        return memberOfDoc(doc);
      });
    },
  };
}

type MemberQuery = { filter: Record<string, unknown>; sort: Record<string, 1 | -1> };

function byXp(clanId: string, after: MemberPosition | null): MemberQuery {
  const sort = { xp: -1, platformId: 1 } as const;
  if (!after) return { filter: { clanId }, sort };
  const { xp, platformId } = after;
  return { filter: { clanId, $or: [{ xp: { $lt: xp } }, { xp, platformId: { $gt: platformId } }] }, sort };
}

/** `_id` is "clanId/platformId": within a clan its order is the platformIds' order. "0" is the character after "/". */
function byPlatformId(clanId: string, after: MemberPosition | null): MemberQuery {
  const from = after ? memberIdOf({ clanId, platformId: after.platformId }) : `${clanId}/`;
  return { filter: { _id: { $gt: from, $lt: `${clanId}0` } }, sort: { _id: 1 } };
}
