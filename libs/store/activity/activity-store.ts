// The activity of a clan, read from the ledger by its index (clan, at). Awarding XP writes nothing for it.
import { ACTIVITY_MS_MAX } from "#store/bounds.ts";
import type { Database } from "#store/database.ts";
import { entryOfDoc, type EntryDoc } from "#store/ledger/entry-model.ts";
import { NO_FENCE } from "#store/filters.ts";
import { read } from "#store/mongo-calls.ts";
import type { ActivityStore } from "#usecases/activity/read-activity.ts";

type MinuteDoc = { _id: Date; awards: number; xp: bigint | number };

export function makeActivityStore({ db }: Pick<Database, "db">): ActivityStore {
  const options = { readConcern: { level: "majority" }, maxTimeMS: ACTIVITY_MS_MAX } as const;
  return {
    minutes(clanId, { from, to }) {
      return read(async () => {
        const isAward = { $in: [{ $ifNull: ["$kind", "award"] }, ["award"]] };
        const docs = await db()
          .collection<EntryDoc>("ledger")
          .aggregate<MinuteDoc>(
            [
              { $match: { "_id.clanId": clanId, at: { $gte: from, $lt: to }, ...NO_FENCE } },
              {
                $group: {
                  _id: { $dateTrunc: { date: "$at", unit: "minute" } },
                  awards: { $sum: { $cond: [isAward, 1, 0] } },
                  xp: { $sum: "$applied" },
                },
              },
            ],
            options,
          )
          .toArray();
        return docs.map(({ _id, awards, xp }) => ({ startMs: _id.getTime(), awards, xp: BigInt(xp) }));
      });
    },

    newest(clanId, limit) {
      return read(async () => {
        const found = db()
          .collection<EntryDoc>("ledger")
          .find({ "_id.clanId": clanId, kind: { $nin: ["membership", "appointment"] }, ...NO_FENCE }, options);
        return (await found.sort({ at: -1 }).limit(limit).toArray()).map(entryOfDoc);
      });
    },
  };
}
