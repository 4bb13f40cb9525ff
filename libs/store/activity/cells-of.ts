// Sums up a clan's entries by parts of the time, by the index (clan, at).
import type { mongo } from "mongoose";
import { CANCELLATION } from "#domain/award-key.ts";
import type { EntryDoc } from "#store/ledger/entry-model.ts";
import { NO_FENCE } from "#store/filters.ts";
import type { Cell, Period } from "#usecases/activity/ports.ts";

type CellDoc = { _id: Date; awards: number; xp: bigint | number; joined: number };

/** An entry of another kind, or that cancels an award, is no award. */
const IS_AWARD = { $and: [{ $eq: [{ $type: "$kind" }, "missing"] }, { $ne: ["$fingerprint", CANCELLATION] }] };

/** Oldest first; only parts with an entry. */
export async function cellsOf(
  db: mongo.Db,
  { clanId, minutes, maxTimeMS, from, to }: Period & { clanId: string; minutes: number; maxTimeMS: number },
): Promise<Cell[]> {
  const docs = await db
    .collection<EntryDoc>("ledger")
    .aggregate<CellDoc>(
      [
        { $match: { "_id.clanId": clanId, at: { $gte: from, $lt: to }, ...NO_FENCE } },
        {
          $group: {
            _id: { $dateTrunc: { date: "$at", unit: "minute", binSize: minutes } },
            awards: { $sum: { $cond: [IS_AWARD, 1, 0] } },
            xp: { $sum: "$applied" },
            joined: { $sum: { $cond: [{ $eq: ["$_id.seq", 1] }, 1, 0] } },
          },
        },
        { $sort: { _id: 1 } },
      ],
      { readConcern: { level: "majority" }, maxTimeMS },
    )
    .toArray();
  return docs.map(({ _id, awards, xp, joined }) => ({ startMs: _id.getTime(), awards, xp: BigInt(xp), joined }));
}
