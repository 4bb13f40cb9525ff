// Reads members. A single member is read from the ledger and is always current; a list is read from the projected
// documents.
import { ANSWER_MS_MAX, COUNT_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { isOutdated, memberOfDoc, membersOfClan, type MemberDoc } from "#ledger/store/member-model.ts";
import { MAJORITY, orUnavailable, read } from "#mongo/mongo-calls.ts";
import { makeHeadReads } from "#ledger/store/read-heads.ts";
import { makeFindIdle } from "#members/store/find-idle.ts";
import { makeFindListed } from "#members/store/find-listed.ts";
import { makeFindRankHolders } from "#members/store/find-rank-holders.ts";
import { behind } from "#members/store/leaderboard-range.ts";
import { memberRefOf, type MemberId } from "#domain/member-id.ts";
import type { Member } from "#domain/member.ts";
import { pageOf } from "#domain/page.ts";
import type { ListPosition, MemberPosition, MemberStore } from "#members/ports.ts";

type ReadPage = Awaited<ReturnType<MemberStore["list"]>>;

export function makeMemberStore({ db }: Pick<Database, "db">): MemberStore {
  const { readWholeHeads } = makeHeadReads({ db });
  const { listed, around, byPlatformId } = makeFindListed({ db });
  const idle = makeFindIdle({ db });
  const holdersIn = makeFindRankHolders({ db, listed });
  const documents = () => db().collection<MemberDoc>("members");

  async function readMany(clanId: string, platformIds: readonly string[]): Promise<ReadonlyMap<string, Member>> {
    const heads = await readWholeHeads(platformIds.map((platformId) => ({ clanId, platformId })));
    const stored = [...heads].filter(([, { erasing }]) => !erasing);
    return new Map(stored.map(([id, head]) => [memberRefOf(id).platformId, { ...memberRefOf(id), ...head }]));
  }

  return {
    readMany,
    read: async ({ clanId, platformId }) => (await readMany(clanId, [platformId])).get(platformId) ?? null,

    estimate: () => read(() => documents().estimatedDocumentCount()),

    countGroups: makeCountGroups({ db }),

    count: (clanId) =>
      read(() => documents().countDocuments(membersOfClan(clanId), { ...MAJORITY, maxTimeMS: ANSWER_MS_MAX })),

    countIdle: (clanId, idleSince, max) => read(() => idle.count(clanId, idleSince, max)),

    list: (clanId, { sort, limit, after, prefix = "", idleSince = null }) =>
      read(async () => {
        const [atMost, since] = [limit + 1, idleSince];
        if (sort === "lastAwardAt")
          return membersPage(await idle.byLastAward(clanId, { after, idleSince }, atMost), limit);
        if (since && sort === "xp")
          return partOf(await holdersIn(clanId, { kind: "idle", since }, { after, limit: atMost }), limit);
        if (since) return partOf(await idle.byPlatformId(clanId, { after, since }, atMost), limit);
        const docs = await (sort === "xp"
          ? listed(clanId, { from: after && behind(after) }, { limit: atMost })
          : byPlatformId(clanId, { after, prefix }, atMost));
        return membersPage(docs, limit);
      }),

    listHolders: (clanId, holders, { limit, after }) =>
      read(async () => partOf(await holdersIn(clanId, holders, { after, limit: limit + 1 }), limit)),

    listAround: (clanId, { platformId, limit }) =>
      read(async () => {
        const docs = await around(clanId, platformId, limit);
        return docs && membersPage(docs, limit);
      }),
  };
}

/** `docs`: one more than `limit`, if there are more. */
function membersPage(docs: readonly MemberDoc[], limit: number): ReadPage {
  const outdated = docs.filter(isOutdated).map((doc) => memberRefOf(doc._id as MemberId));
  return { ...pageOf(docs.map(memberOfDoc), limit, positionOf), outdated };
}

function positionOf({ xp, platformId, lastAwardAt = null }: Member): ListPosition {
  return { xp, platformId, lastAwardAt };
}

/** A page that looked through a part of the members only, up to `examined` if there may be more. */
function partOf({ docs, examined }: { docs: readonly MemberDoc[]; examined: MemberPosition | null }, limit: number) {
  const page = membersPage(docs, limit);
  return { ...page, next: page.next ?? (examined && { ...examined, lastAwardAt: null }) };
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
          { ...MAJORITY, maxTimeMS: COUNT_MS_MAX, hint: { _id: 1 } },
        )
        .toArray();
      return groups.map(({ _id, members: count }) => ({ ..._id, members: count }));
    });
  };
}
