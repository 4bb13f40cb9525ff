// Reads the leaderboard's index, for positions, and sums up a clan's members.
import type { Decimal128 } from "mongodb";
import { COUNT_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import { membersOfClan } from "#ledger/store/member-model.ts";
import { leaderboardRange } from "#members/store/leaderboard-range.ts";
import { makeOrderReads } from "#members/store/order-reads.ts";
import { MAJORITY, orUnavailable } from "#mongo/mongo-calls.ts";
import type { LeaderboardStore, MemberPosition } from "#members/ports.ts";

type Sums = { members: number; memberships: number; xp: Decimal128 };

export function makeLeaderboardStore({ db }: Pick<Database, "db">): LeaderboardStore {
  const order = makeOrderReads<MemberPosition>({
    db,
    collection: "members",
    rangeOf: (clanId, from) => leaderboardRange(clanId, { from }),
    place: { xp: 1, platformId: 1 },
  });
  return {
    ...order,

    total: (clanId) =>
      orUnavailable(async () => {
        const isMember = { $cond: [{ $gt: ["$membership", null] }, 1, 0] };
        const [sums] = await db()
          .collection("members")
          .aggregate<Sums>(
            [
              { $match: { ...membersOfClan(clanId), clanId, removed: { $ne: true }, ...NO_FENCE } },
              // Decimals, because the sum may have more than 64 bits.
              {
                $group: {
                  _id: null,
                  members: { $sum: 1 },
                  memberships: { $sum: isMember },
                  xp: { $sum: { $toDecimal: "$xp" } },
                },
              },
            ],
            { ...MAJORITY, maxTimeMS: COUNT_MS_MAX, hint: { _id: 1 } },
          )
          .toArray();
        return { members: sums?.members ?? 0, memberships: sums?.memberships ?? 0, xp: BigInt(String(sums?.xp ?? 0)) };
      }),
  };
}
