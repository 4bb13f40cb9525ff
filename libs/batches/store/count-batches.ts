// Counts of batch records, for the metrics, the queue and the progress of a cancellation.
import type { BatchDoc } from "#batches/store/batch-model.ts";
import type { BatchState } from "#domain/batch.ts";
import { APPLIED, outcomesWhere, UNFINISHED } from "#batches/store/query-parts.ts";
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { MAJORITY, orUnavailable, read } from "#mongo/mongo-calls.ts";
import type { BatchStore, BatchCounts } from "#batches/ports.ts";

type Counts = "countAwards" | "countUnfinished" | "backlog" | "queueDepth";

export function makeCountBatches({ db }: Pick<Database, "db">): Pick<BatchStore, Counts> {
  const batches = () => db().collection<BatchDoc>("batches");
  return {
    countAwards(batchIds) {
      return read(async () => {
        const among = { _id: { $in: [...batchIds] } };
        const isDone = { $eq: ["$state", "done"] };
        const [counted] = await batches()
          .aggregate<BatchCounts>(
            [
              { $match: among },
              {
                $group: {
                  _id: null,
                  done: { $sum: { $cond: [isDone, 1, 0] } },
                  unfinished: { $sum: { $cond: [isDone, 0, 1] } },
                  applied: { $sum: APPLIED },
                  cancelled: { $sum: outcomesWhere({ $eq: ["$$this.code", "cancelled"] }) },
                },
              },
              { $project: { _id: 0 } },
            ],
            { ...MAJORITY, maxTimeMS: ANSWER_MS_MAX },
          )
          .toArray();
        return counted ?? { unfinished: 0, done: 0, applied: 0, cancelled: 0 };
      });
    },

    countUnfinished() {
      return read(async () => {
        const counts = await batches()
          .aggregate<{ _id: string; batches: number }>(
            [{ $match: UNFINISHED }, { $group: { _id: "$clanId", batches: { $sum: 1 } } }],
            { maxTimeMS: ANSWER_MS_MAX, hint: { state: 1, createdAt: 1, clanId: 1, apiKeyId: 1, _id: 1 } },
          )
          .toArray();
        return new Map(counts.map((count) => [count._id, count.batches]));
      });
    },

    backlog() {
      return orUnavailable(async () => {
        const oldest = await oldestUnfinished({ db });
        return { unfinished: await batches().countDocuments(UNFINISHED), oldestCreatedAt: oldest?.createdAt ?? null };
      });
    },

    queueDepth: makeQueueDepth({ db }),
  };
}

function makeQueueDepth({ db }: Pick<Database, "db">): BatchStore["queueDepth"] {
  return () => {
    return read(async () => {
      const [counts, oldest] = await Promise.all([
        db()
          .collection<BatchDoc>("batches")
          .aggregate<{ _id: BatchState; batches: number; awards: number }>(
            [
              { $match: UNFINISHED },
              { $group: { _id: "$state", batches: { $sum: 1 }, awards: { $sum: "$awardCount" } } },
            ],
            { maxTimeMS: ANSWER_MS_MAX, hint: { state: 1, awardCount: 1 } },
          )
          .toArray(),
        oldestUnfinished({ db }, { maxTimeMS: ANSWER_MS_MAX }),
      ]);
      const of = (state: BatchState): number => counts.find(({ _id }) => _id === state)?.batches ?? 0;
      return {
        queued: of("queued"),
        running: of("running"),
        awards: counts.reduce((sum, { awards }) => sum + awards, 0),
        oldestCreatedAt: oldest?.createdAt ?? null,
      };
    });
  };
}

function oldestUnfinished({ db }: Pick<Database, "db">, bound: { maxTimeMS?: number } = {}) {
  const batches = db().collection<BatchDoc>("batches");
  return batches.findOne(UNFINISHED, { projection: { createdAt: 1 }, sort: { createdAt: 1 }, ...bound });
}
