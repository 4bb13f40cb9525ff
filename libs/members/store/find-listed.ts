// Finds the documents of a clan's members in an order, as a majority has stored them.
import type { Filter } from "mongodb";
import type { Database } from "#mongo/database.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import { LEADERBOARD, LEADERBOARD_UPWARDS, membersOfClan, type MemberDoc } from "#ledger/store/member-model.ts";
import { leaderboardRange } from "#members/store/leaderboard-range.ts";
import { MAJORITY } from "#mongo/mongo-calls.ts";
import { BEHIND } from "#mongo/ranges.ts";
import { memberIdOf } from "#domain/member-id.ts";
import { isListed } from "#domain/position.ts";
import type { ListPosition } from "#members/ports.ts";

export function makeFindListed({ db }: Pick<Database, "db">) {
  const documents = () => db().collection<MemberDoc>("members");

  /** In the leaderboard's order, or in the other one; only those that match. */
  function listed(
    clanId: string,
    range: Parameters<typeof leaderboardRange>[1],
    {
      limit,
      sort = LEADERBOARD,
      matching = {},
    }: { limit: number; sort?: Record<string, 1 | -1>; matching?: Filter<MemberDoc> },
  ): Promise<MemberDoc[]> {
    if (limit === 0) return Promise.resolve([]);
    const options = { ...leaderboardRange(clanId, range), ...MAJORITY };
    return documents()
      .find({ ...membersOfClan(clanId), clanId, ...NO_FENCE, ...matching }, options)
      .sort(sort)
      .limit(limit)
      .toArray();
  }

  /** `_id` is "clanId/platformId", so within a clan its order is that of platformIds. */
  function byPlatformId(
    clanId: string,
    { after, prefix }: { after: ListPosition | null; prefix: string },
    limit: number,
  ): Promise<MemberDoc[]> {
    const bounds = { $gte: `${clanId}/${prefix}`, $lt: `${clanId}/${prefix}${BEHIND}` };
    const behindIt = after ? { $gt: memberIdOf({ clanId, platformId: after.platformId }) } : {};
    return documents()
      .find({ _id: { ...bounds, ...behindIt }, ...NO_FENCE }, { hint: { _id: 1 }, ...MAJORITY })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
  }

  /**
   * The member in the leaderboard with those above and below, and one more of those below, if there are more. Null: the
   * member is not in it.
   */
  async function around(clanId: string, platformId: string, limit: number): Promise<MemberDoc[] | null> {
    const own = await documents().findOne({ _id: memberIdOf({ clanId, platformId }), ...NO_FENCE }, MAJORITY);
    if (!own || !isListed(own)) return null;
    const [above, fromOwn] = await Promise.all([
      listed(clanId, { to: own }, { limit: limit - 1, sort: LEADERBOARD_UPWARDS }),
      listed(clanId, { from: own }, { limit: limit + 1 }),
    ]);
    // Members may have moved between the reads.
    const below = fromOwn.filter(({ _id }) => _id !== own._id && above.every((other) => other._id !== _id));
    const shownAbove = Math.max(Math.floor((limit - 1) / 2), limit - 1 - below.length);
    return [...above.slice(0, shownAbove).toReversed(), own, ...below];
  }

  return { listed, around, byPlatformId };
}
