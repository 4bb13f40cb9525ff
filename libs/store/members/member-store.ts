// Reads members. A single member is read from the ledger and is always current; a list is read from the projected
// documents.
import { POSITIONS_MAX } from "#domain/bounds.ts";
import { ANSWER_MS_MAX, COUNT_MS_MAX } from "#store/bounds.ts";
import type { Database } from "#store/database.ts";
import { BY_XP, isDamaged, memberOfDoc, membersOfClan, type MemberDoc } from "#store/ledger/member-model.ts";
import { NO_FENCE } from "#store/filters.ts";
import { orUnavailable, read } from "#store/mongo-calls.ts";
import { makeHeadReads } from "#store/ledger/read-heads.ts";
import { memberIdOf, memberRefOf, type MemberId } from "#domain/member-id.ts";
import type { MemberPosition, MemberStore } from "#usecases/members/ports.ts";

export function makeMemberStore({ db, models }: Pick<Database, "db" | "models">): MemberStore {
  const { members } = models;
  const { readHeads } = makeHeadReads({ db });

  /** 0 means no limit. */
  function countIn(filter: object, limit = 0): Promise<number> {
    const options = {
      readConcern: { level: "majority" },
      maxTimeMS: ANSWER_MS_MAX,
      ...(limit > 0 ? { limit } : {}),
    } as const;
    return read(() => db().collection("members").countDocuments(filter, options));
  }

  return {
    async read(ref) {
      const head = (await readHeads([ref])).get(memberIdOf(ref));
      return head && !head.erasing ? { clanId: ref.clanId, platformId: ref.platformId, ...head } : null;
    },

    estimate: () => read(() => members.estimatedDocumentCount()),

    countGroups: makeCountGroups({ db }),

    count: (clanId) => countIn(membersOfClan(clanId)),

    async positions(clanId, listed) {
      const positions = new Map<string, number>();
      let [position, above]: [number, MemberPosition | null] = [0, null];
      for (const member of listed.toSorted(byStanding)) {
        if (position >= POSITIONS_MAX) break;
        position += 1 + (await countIn(between(clanId, above, member), POSITIONS_MAX - position));
        if (position <= POSITIONS_MAX) positions.set(member.platformId, position);
        above = member;
      }
      return positions;
    },

    list(clanId, { sort, limit, after, prefix = "" }) {
      return read(async () => {
        const query = sort === "xp" ? byXp(clanId, after) : byPlatformId(clanId, after, prefix);
        const docs = await members
          .find({ ...query.filter, ...NO_FENCE })
          .sort(query.sort)
          .hint(query.hint)
          .limit(limit + 1)
          .readConcern("majority")
          .lean<MemberDoc[]>();
        const items = docs.slice(0, limit).map(memberOfDoc);
        const damaged = docs.filter(isDamaged).map((doc) => memberRefOf(doc._id as MemberId));
        const last = items.at(-1);
        const next = docs.length > limit && last ? { xp: last.xp, platformId: last.platformId } : null;
        return { items, next, damaged };
      });
    },
  };
}

function makeCountGroups({ db }: Pick<Database, "db">): MemberStore["countGroups"] {
  return (clanId, thresholds) => {
    return orUnavailable(async () => {
      const reached = {
        $add: [0, ...thresholds.map((threshold) => ({ $cond: [{ $gte: ["$xp", threshold] }, 1, 0] }))],
      };
      const groups = await db()
        .collection("members")
        .aggregate<{ _id: { appointedRank: string | null; reached: number }; members: number }>(
          [
            { $match: { ...membersOfClan(clanId), clanId, membership: { $ne: null } } },
            {
              $group: {
                _id: { appointedRank: { $ifNull: ["$appointedRank", null] }, reached },
                members: { $sum: 1 },
              },
            },
          ],
          { readConcern: { level: "majority" }, maxTimeMS: COUNT_MS_MAX, hint: { _id: 1 } },
        )
        .toArray();
      return groups.map(({ _id, members: count }) => ({ ..._id, members: count }));
    });
  };
}

function byStanding(a: MemberPosition, b: MemberPosition): number {
  if (a.xp === b.xp) return a.platformId < b.platformId ? -1 : 1;
  return a.xp > b.xp ? -1 : 1;
}

/**
 * The members between two positions by XP; `above` null: all above `below`. Each alternative is a range of the
 * leaderboard's index, which counts up to POSITIONS_MAX members without their documents. Therefore it does not name
 * `_id`: a router asks all shards.
 */
function between(clanId: string, above: MemberPosition | null, below: MemberPosition): object {
  if (above?.xp === below.xp)
    return { clanId, xp: below.xp, platformId: { $gt: above.platformId, $lt: below.platformId } };
  const inBetween = { clanId, xp: { $gt: below.xp, ...(above ? { $lt: above.xp } : {}) } };
  const besideBelow = { clanId, xp: below.xp, platformId: { $lt: below.platformId } };
  return {
    $or: [inBetween, besideBelow, ...(above ? [{ clanId, xp: above.xp, platformId: { $gt: above.platformId } }] : [])],
  };
}

type MemberQuery = {
  filter: Record<string, unknown>;
  sort: Record<string, 1 | -1>;
  hint: Readonly<Record<string, 1 | -1>>;
};

function byXp(clanId: string, after: MemberPosition | null): MemberQuery {
  const query = { filter: { ...membersOfClan(clanId), clanId }, sort: { xp: -1, platformId: 1 }, hint: BY_XP } as const;
  if (!after) return query;
  const { xp, platformId } = after;
  const behind = [{ xp: { $lt: xp } }, { xp, platformId: { $gt: platformId } }];
  return { ...query, filter: { ...query.filter, $or: behind } };
}

/**
 * `_id` is "clanId/platformId", so within a clan its order is that of platformIds. DEL sorts after all their
 * characters.
 */
function byPlatformId(clanId: string, after: MemberPosition | null, prefix: string): MemberQuery {
  const bounds = { $gte: `${clanId}/${prefix}`, $lt: `${clanId}/${prefix}\u007f` };
  const behind = after ? { $gt: memberIdOf({ clanId, platformId: after.platformId }) } : {};
  return { filter: { _id: { ...bounds, ...behind } }, sort: { _id: 1 }, hint: { _id: 1 } };
}
