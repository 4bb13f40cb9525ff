// Reads the leaderboard's index, for positions, and sums up a clan's members.
import type { mongo } from "mongoose";
import { ANSWER_MS_MAX, COUNT_MS_MAX } from "#store/bounds.ts";
import type { Database } from "#store/database.ts";
import { NO_FENCE } from "#store/filters.ts";
import { membersOfClan, type MemberDoc } from "#store/ledger/member-model.ts";
import { leaderboardRange } from "#store/members/leaderboard-range.ts";
import { orUnavailable, read } from "#store/mongo-calls.ts";
import type { LeaderboardStore } from "#usecases/members/ports.ts";

type Key = Pick<MemberDoc, "xp" | "platformId">;
type Sums = { members: number; memberships: number; xp: mongo.Decimal128 };

export function makeLeaderboardStore({ db }: Pick<Database, "db">): LeaderboardStore {
  /**
   * Only keys of the index, no documents. As a plain command: the driver's cursor takes several times as long for
   * 10,000 of them (measured).
   */
  async function keys(options: { limit: number; skip?: number }, projection: object): Promise<Key[]> {
    const reply = await db().command(
      {
        find: "members",
        ...options,
        projection: { _id: 0, ...projection },
        batchSize: options.limit + 1,
        singleBatch: true,
        readConcern: { level: "majority" },
        maxTimeMS: ANSWER_MS_MAX,
      },
      { useBigInt64: true },
    );
    // What something else has written is not counted until it is rebuilt.
    return (reply["cursor"] as { firstBatch: Key[] }).firstBatch.filter(({ xp }) => typeof xp === "bigint");
  }

  return {
    listXp: (clanId, { from, limit }) =>
      read(async () => {
        const found = await keys({ ...leaderboardRange(clanId, { from }), limit }, { xp: 1 });
        return found.map(({ xp }) => xp);
      }),

    skip: (clanId, from, members) =>
      read(async () => {
        const range = leaderboardRange(clanId, { from });
        const [found] = await keys({ ...range, skip: members, limit: 1 }, { xp: 1, platformId: 1 });
        return found ?? null;
      }),

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
            { readConcern: { level: "majority" }, maxTimeMS: COUNT_MS_MAX, hint: { _id: 1 } },
          )
          .toArray();
        return { members: sums?.members ?? 0, memberships: sums?.memberships ?? 0, xp: BigInt(String(sums?.xp ?? 0)) };
      }),
  };
}
