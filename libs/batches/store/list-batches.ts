// Lists batch records without their awards: those of a clan, of an API key, and the unfinished ones.
import { AWARDS_PER_BATCH_MAX } from "#domain/bounds.ts";
import type { BatchState } from "#domain/batch.ts";
import { pageOf } from "#domain/page.ts";
import { APPLIED, UNFINISHED } from "#batches/store/query-parts.ts";
import { batchModel, type BatchDoc } from "#batches/store/batch-model.ts";
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { MAJORITY, read } from "#mongo/mongo-calls.ts";
import type { BatchPosition, BatchStore, ListedBatch } from "#batches/ports.ts";

type Lists = "listOfClan" | "readUnfinished" | "listUnfinishedOfKey" | "listUnfinished" | "readFacts";

export function makeListBatches({ connection }: Pick<Database, "connection">): Pick<BatchStore, Lists> {
  const batches = batchModel(connection);
  return {
    listOfClan: makeListOfClan({ connection }),

    readUnfinished(batchIds) {
      return read(async () => {
        const docs = await batches
          .find({ ...UNFINISHED, _id: { $in: batchIds } }, { state: 1 })
          .hint({ state: 1, _id: 1 })
          .readConcern("majority")
          .lean<{ _id: string; state: BatchState }[]>();
        return new Map(docs.map((doc) => [doc._id, doc.state]));
      });
    },

    listUnfinishedOfKey({ clanId, keyId }) {
      return read(async () => {
        const found = batches.find({ ...UNFINISHED, clanId, apiKeyId: keyId }, { _id: 1 }).sort({ createdAt: 1 });
        return (await found.readConcern("majority").lean<{ _id: string }[]>()).map((doc) => doc._id);
      });
    },

    listUnfinished({ limit, afterId }) {
      return read(async () => {
        // Majority: a job for a record that can be rolled back would apply awards that no record refers to.
        const docs = await batches
          .find({ ...UNFINISHED, _id: { $gt: afterId ?? "" } }, { _id: 1 })
          .sort({ _id: 1 })
          .limit(limit)
          .readConcern("majority")
          .lean<{ _id: string }[]>();
        return docs.map((doc) => doc._id);
      });
    },

    readFacts(batchIds) {
      return read(async () => {
        const fields = { clanId: 1, awardCount: 1, createdAt: 1 };
        const docs = await batches.find({ _id: { $in: batchIds } }, fields).lean<BatchDoc[]>();
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

function makeListOfClan({ connection }: Pick<Database, "connection">): BatchStore["listOfClan"] {
  const batches = batchModel(connection);
  return (clanId, { limit, after }) => {
    return read(async () => {
      // MongoDB counts them: a page of whole records would be megabytes.
      const found = await batches
        .aggregate<Omit<ListedBatch, "batchId"> & { _id: string }>([
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
        ])
        .read("primary")
        .option({ ...MAJORITY, maxTimeMS: ANSWER_MS_MAX });
      const listed = found.map(({ _id, ...facts }): ListedBatch => ({ batchId: _id, ...facts }));
      return pageOf(listed, limit, ({ createdAt, batchId }) => ({ createdAt, batchId }));
    });
  };
}

/** After it in the order of the list. */
function olderThan({ createdAt, batchId }: BatchPosition) {
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: batchId } }] };
}
