// Lists batch records without their awards: those of a clan, of an API key, and the unfinished ones.
import { AWARDS_PER_BATCH_MAX } from "#domain/bounds.ts";
import { pageOf } from "#domain/page.ts";
import { APPLIED, UNFINISHED } from "#batches/store/query-parts.ts";
import type { BatchDoc } from "#batches/store/batch-model.ts";
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { MAJORITY, read } from "#mongo/mongo-calls.ts";
import type { BatchPosition, BatchStore, ListedBatch } from "#batches/ports.ts";

type Lists = "listOfClan" | "readUnfinished" | "listUnfinishedOfKey" | "listUnfinished" | "readFacts";

export function makeListBatches({ db }: Pick<Database, "db">): Pick<BatchStore, Lists> {
  const batches = () => db().collection<BatchDoc>("batches");
  return {
    listOfClan: makeListOfClan({ db }),

    readUnfinished(batchIds) {
      return read(async () => {
        const docs = await batches()
          .find({ ...UNFINISHED, _id: { $in: batchIds } }, { projection: { state: 1 }, ...MAJORITY })
          .hint({ state: 1, _id: 1 })
          .toArray();
        return new Map(docs.map((doc) => [doc._id, doc.state]));
      });
    },

    listUnfinishedOfKey({ clanId, keyId }) {
      return read(async () => {
        const found = batches().find(
          { ...UNFINISHED, clanId, apiKeyId: keyId },
          { projection: { _id: 1 }, ...MAJORITY },
        );
        return (await found.sort({ createdAt: 1 }).toArray()).map((doc) => doc._id);
      });
    },

    listUnfinished({ limit, afterId }) {
      return read(async () => {
        // Majority: a job for a record that can be rolled back would apply awards that no record refers to.
        const docs = await batches()
          .find({ ...UNFINISHED, _id: { $gt: afterId ?? "" } }, { projection: { _id: 1 }, ...MAJORITY })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray();
        return docs.map((doc) => doc._id);
      });
    },

    readFacts(batchIds) {
      return read(async () => {
        const projection = { clanId: 1, awardCount: 1, createdAt: 1 };
        const docs = await batches()
          .find({ _id: { $in: batchIds } }, { projection })
          .toArray();
        return docs.map(({ _id, clanId, awardCount = AWARDS_PER_BATCH_MAX, createdAt }) => ({
          batchId: _id,
          clanId,
          awards: awardCount,
          createdAt,
        }));
      });
    },
  };
}

function makeListOfClan({ db }: Pick<Database, "db">): BatchStore["listOfClan"] {
  const batches = () => db().collection<BatchDoc>("batches");
  return (clanId, { limit, after }) => {
    return read(async () => {
      // MongoDB counts them: a page of whole records would be megabytes.
      const found = await batches()
        .aggregate<Omit<ListedBatch, "batchId"> & { _id: string }>(
          [
            { $match: { clanId, ...(after ? olderThan(after) : {}) } },
            { $sort: { createdAt: -1, _id: -1 } },
            { $limit: limit + 1 },
            {
              $project: {
                state: 1,
                cancelled: { $ifNull: ["$cancelled", false] },
                awards: { $ifNull: ["$awardCount", null] },
                applied: APPLIED,
                createdAt: 1,
                finishedAt: 1,
              },
            },
          ],
          { ...MAJORITY, maxTimeMS: ANSWER_MS_MAX },
        )
        .toArray();
      const listed = found.map(({ _id, ...facts }): ListedBatch => ({ batchId: _id, ...facts }));
      return pageOf(listed, limit, ({ createdAt, batchId }) => ({ createdAt, batchId }));
    });
  };
}

/** After it in the order of the list. */
function olderThan({ createdAt, batchId }: BatchPosition) {
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: batchId } }] };
}
