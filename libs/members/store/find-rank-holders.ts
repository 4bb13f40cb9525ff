// Finds the members who have a rank, or were not awarded lately, in the order of the leaderboard. No index has these in
// this order, so each call looks through a bounded part of the leaderboard.
import type { Filter } from "mongodb";
import { MEMBERS_EXAMINED_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { idleFilter, type MemberDoc } from "#ledger/store/member-model.ts";
import type { makeFindListed } from "#members/store/find-listed.ts";
import { behind, leaderboardRange } from "#members/store/leaderboard-range.ts";
import { makeOrderReads } from "#members/store/order-reads.ts";
import type { RankHolders } from "#domain/rank-holders.ts";
import type { MemberPosition } from "#members/ports.ts";

/** `idle`: those whose newest award is before `since`, or who have none. */
type Sought = RankHolders | { kind: "idle"; since: Date };
/** `examined`: the last member that was looked at, if there may be more behind it. */
type Found = { docs: MemberDoc[]; examined: MemberPosition | null };

export function makeFindRankHolders({
  db,
  listed,
}: Pick<Database, "db"> & Pick<ReturnType<typeof makeFindListed>, "listed">) {
  const order = makeOrderReads<MemberPosition>({
    db,
    collection: "members",
    rangeOf: (clanId, from) => leaderboardRange(clanId, { from }),
    place: { xp: 1, platformId: 1 },
  });

  return async (
    clanId: string,
    holders: Sought,
    { after, limit }: { after: MemberPosition | null; limit: number },
  ): Promise<Found> => {
    const { from, to } = xpRangeOf(holders, after);
    if (from && to && from.xp <= to.xp) return { docs: [], examined: null };
    const examined = await order.skip(clanId, from, MEMBERS_EXAMINED_MAX - 1);
    const isLast = !examined || (to !== null && examined.xp <= to.xp);
    const range = { from, to: isLast ? to : behind(examined) };
    const docs = await listed(clanId, range, { limit, matching: conditionOf(holders) });
    return { docs, examined: isLast ? null : examined };
  };
}

/** The part of the leaderboard that can have holders, behind `after`. `to` is not in it. */
function xpRangeOf(holders: Sought, after: MemberPosition | null): Record<"from" | "to", MemberPosition | null> {
  const { fromXp, belowXp } = holders.kind === "reached" ? holders : { fromXp: null, belowXp: null };
  const first = belowXp === null ? null : { xp: belowXp - 1n, platformId: "" };
  const to = fromXp === null ? null : { xp: fromXp - 1n, platformId: "" };
  const isAhead = after && first && after.xp > first.xp;
  return { from: after && !isAhead ? behind(after) : first, to };
}

function conditionOf(holders: Sought): Filter<MemberDoc> {
  switch (holders.kind) {
    case "appointed":
      return { membership: { $ne: null }, appointedRank: holders.rankId };
    case "reached":
      return { membership: { $ne: null }, appointedRank: { $nin: [...holders.butAppointed] } };
    case "idle":
      return idleFilter(holders.since);
    case "guests":
      return { membership: null };
    case "unranked":
      return { $or: [{ membership: null }, { appointedRank: { $nin: [...holders.butAppointed] } }] };
  }
}
