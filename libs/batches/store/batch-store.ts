// Batch records. A record is written before its job and outlives it; `done` and its outcomes are written once.
import type { Batch, BatchOutcome } from "#domain/batch.ts";
import { batchOfDoc, type BatchDoc } from "#batches/store/batch-model.ts";
import { makeCancelBatches } from "#batches/store/cancel-batches.ts";
import { makeCountBatches } from "#batches/store/count-batches.ts";
import type { Database } from "#mongo/database.ts";
import { makeDeleteBatchDetails } from "#batches/store/delete-batch-details.ts";
import { makeInsertBatch } from "#batches/store/insert-batch.ts";
import { makeListBatches } from "#batches/store/list-batches.ts";
import { MAJORITY, read, rewrite } from "#mongo/mongo-calls.ts";
import type { BatchStore } from "#batches/ports.ts";

export function makeBatchStore(database: Pick<Database, "db">): BatchStore {
  const { db } = database;
  const records = () => db().collection<BatchDoc>("batches");

  function readOne(batchId: string): Promise<Batch | null> {
    return read(async () => {
      const doc = await records().findOne({ _id: batchId }, MAJORITY);
      return doc && batchOfDoc(doc);
    });
  }

  return {
    ...makeInsertBatch(database),
    ...makeListBatches(database),
    ...makeCountBatches(database),
    cancel: makeCancelBatches(database),
    deleteDetails: makeDeleteBatchDetails(database),
    read: readOne,

    async start(batchId, at) {
      // Majority: a batch whose awards may be in progress must never appear as one that no worker has begun (cancel).
      const update = { $set: { state: "running" as const, startedAt: at } };
      const started = await rewrite(() =>
        records().findOneAndUpdate({ _id: batchId, state: "queued" }, update, { returnDocument: "after" }),
      );
      return started ? batchOfDoc(started) : readOne(batchId);
    },

    finish(batchId, outcomes) {
      return rewrite(async () => {
        // By MongoDB's clock, because retention compares it with that clock.
        const finished = { $currentDate: { finishedAt: true } } as const;
        const update = { $set: { state: "done" as const, outcomes: [...outcomes], ev: true as const }, ...finished };
        const open = { _id: batchId, state: { $ne: "done" } } as const;
        const written = await records().updateOne({ ...open, erased: { $exists: false } }, update);
        if (written.matchedCount === 1) return true;
        const redacted = await records().updateOne(open, finishErased(outcomes));
        return redacted.matchedCount === 1 || (await readOne(batchId)) !== null;
      });
    },
  };
}

/**
 * The run may have read its awards before some of them were erased: those get the outcome that is stored in the record.
 */
function finishErased(outcomes: readonly BatchOutcome[]) {
  const [award, own] = ["$awards", { $literal: [...outcomes] }].map((list) => ({ $arrayElemAt: [list, "$$index"] }));
  const isOpen = { $eq: [{ $type: "$$award.code" }, "missing"] };
  const outcome = { $let: { vars: { award }, in: { $cond: [isOpen, own, "$$award"] } } };
  const merged = { $map: { input: { $range: [0, { $size: "$awards" }] }, as: "index", in: outcome } };
  return [{ $set: { state: "done", outcomes: merged, finishedAt: "$$NOW", ev: true } }];
}
