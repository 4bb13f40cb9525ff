// Batch records. A record is written before its job and outlives it; `done` and its outcomes are written once.
import { AppError } from "#domain/app-error.ts";
import type { Database } from "#store/database.ts";
import { batchOfDoc, docOfBatch } from "#store/documents.ts";
import { isDuplicateKey, orUnavailable, wasSent } from "#store/failure.ts";
import type { BatchDoc } from "#store/models.ts";
import type { BatchStore } from "#usecases/ports.ts";

export function makeBatchStore({ models, db }: Pick<Database, "models" | "db">): BatchStore {
  const { batches } = models;
  // Whole records go by the driver: casting 500 awards one by one costs more than writing them.
  const records = () => db().collection<BatchDoc>("batches");

  return {
    insert(batch) {
      return orUnavailable(async () => {
        try {
          await records().insertOne(docOfBatch(batch));
          return { kind: "inserted" };
        } catch (error) {
          if (wasSent(error)) throw outcomeUnknown(error);
          if (!isDuplicateKey(error)) throw error;
          const bound = await batches
            .findOne({ clanId: batch.clanId, idempotencyKey: batch.idempotencyKey })
            .read("primary")
            .readConcern("majority")
            .orFail()
            .lean<BatchDoc>();
          return { kind: "bound", batch: batchOfDoc(bound) };
        }
      });
    },

    read(batchId) {
      return orUnavailable(async () => {
        const doc = await batches.findById(batchId).readConcern("majority").lean<BatchDoc>();
        return doc && batchOfDoc(doc);
      });
    },

    async start(batchId, at) {
      await orUnavailable(() => batches.updateOne({ _id: batchId, state: "queued" }, { $set: { state: "running", startedAt: at } }));
    },

    async finish(batchId, outcomes, at) {
      await orUnavailable(() =>
        records().updateOne(
          { _id: batchId, state: { $ne: "done" } },
          { $set: { state: "done", outcomes: [...outcomes], finishedAt: at } },
        ),
      );
    },

    listUnfinished({ createdBefore, limit, afterId }) {
      return orUnavailable(async () => {
        const docs = await batches
          .find({ state: { $in: ["queued", "running"] }, _id: { $gt: afterId ?? "" }, createdAt: { $lt: createdBefore } }, { _id: 1 })
          .sort({ _id: 1 })
          .limit(limit)
          .lean<{ _id: string }[]>();
        return docs.map((doc) => doc._id);
      });
    },
  };
}

function outcomeUnknown(cause: unknown): AppError {
  const detail = "It is not known whether the batch was accepted. Retry with the same Idempotency-Key.";
  return new AppError("outcome_unknown", detail, { cause });
}
