// Inserts a batch record under its idempotency key, or finds the one that already has it.
import { withTimeout } from "#async/with-timeout.ts";
import { AppError } from "#kernel/app-error.ts";
import type { Batch } from "#domain/batch.ts";
import { batchOfDoc, docOfBatch, type BatchDoc } from "#batches/store/batch-model.ts";
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { MAJORITY, orUnavailable, read } from "#mongo/mongo-calls.ts";
import { isDuplicateKey, wasSent } from "#mongo/mongo-errors.ts";
import { readBound } from "#mongo/read-bound.ts";
import type { BatchStore } from "#batches/ports.ts";

export function makeInsertBatch({ db }: Pick<Database, "db">): Pick<BatchStore, "insert" | "findByKey"> {
  const batches = () => db().collection<BatchDoc>("batches");

  async function findByKey({
    clanId,
    idempotencyKey,
  }: Pick<Batch, "clanId" | "idempotencyKey">): Promise<Batch | null> {
    if (idempotencyKey === null) return null;
    const doc = await batches().findOne({ clanId, idempotencyKey }, MAJORITY);
    return doc && batchOfDoc(doc);
  }

  return {
    insert(batch) {
      const inserted = orUnavailable(async (): ReturnType<BatchStore["insert"]> => {
        try {
          await batches().insertOne(docOfBatch(batch));
          return { kind: "inserted" };
        } catch (error) {
          if (wasSent(error)) throw outcomeUnknown(error);
          if (!isDuplicateKey(error)) throw error;
          return { kind: "bound", batch: await readBound("batch", () => findByKey(batch)) };
        }
      });
      return withTimeout(inserted, ANSWER_MS_MAX, outcomeUnknown);
    },

    findByKey: (key) => read(() => findByKey(key)),
  };
}

function outcomeUnknown(cause?: unknown): AppError {
  const detail = "It is not known whether the batch was accepted. Retry with the same Idempotency-Key.";
  return new AppError("outcome_unknown", detail, { cause });
}
