// Batch records. A record is written before its job and outlives it; `done` and its outcomes are written once.
import { AppError } from "#domain/app-error.ts";
import { ANSWER_MS_MAX, BOUND_PAUSE_MS, BOUND_TRIES_MAX } from "#store/bounds.ts";
import type { Database } from "#store/database.ts";
import { batchOfDoc, docOfBatch } from "#store/documents.ts";
import { inTime, isDuplicateKey, orUnavailable, readInTime, settled, wasSent } from "#store/failure.ts";
import type { BatchDoc } from "#store/models.ts";
import type { Batch, BatchState } from "#usecases/batch.ts";
import type { BatchStore } from "#usecases/ports.ts";

const UNFINISHED = { state: { $in: ["queued", "running"] } } as const;

export function makeBatchStore({ models, db }: Pick<Database, "models" | "db">): BatchStore {
  const { batches } = models;
  // Whole records go by the driver: casting 500 awards one by one costs more than writing them.
  const records = () => db().collection<BatchDoc>("batches");

  async function findByKey({ clanId, idempotencyKey }: Pick<Batch, "clanId" | "idempotencyKey">): Promise<Batch | null> {
    const doc = await batches.findOne({ clanId, idempotencyKey }).readConcern("majority").lean<BatchDoc>();
    return doc && batchOfDoc(doc);
  }

  /** The batch that holds the key. Only once a majority has it: until then it could still be rolled back. */
  async function readBound(batch: Batch): Promise<Batch> {
    for (let tries = 1; ; tries += 1) {
      const bound = await findByKey(batch);
      if (bound) return bound;
      if (tries === BOUND_TRIES_MAX) throw new AppError("unavailable", "The batch of this key is not durable yet: try again shortly.");
      await new Promise((resolve) => setTimeout(resolve, BOUND_PAUSE_MS));
    }
  }

  function read(batchId: string): Promise<Batch | null> {
    return readInTime(async () => {
      const doc = await batches.findById(batchId).readConcern("majority").lean<BatchDoc>();
      return doc && batchOfDoc(doc);
    });
  }

  function oldestUnfinished() {
    return batches.findOne(UNFINISHED, { createdAt: 1 }).sort({ createdAt: 1 }).lean<{ createdAt: Date }>();
  }

  return {
    insert(batch) {
      const inserted = orUnavailable(async (): ReturnType<BatchStore["insert"]> => {
        try {
          await records().insertOne(docOfBatch(batch));
          return { kind: "inserted" };
        } catch (error) {
          if (wasSent(error)) throw outcomeUnknown(error);
          if (!isDuplicateKey(error)) throw error;
          return { kind: "bound", batch: await readBound(batch) };
        }
      });
      return inTime(inserted, ANSWER_MS_MAX, outcomeUnknown);
    },

    read,

    findByKey: (key) => readInTime(() => findByKey(key)),

    readUnfinished(batchIds) {
      return readInTime(async () => {
        const docs = await batches
          .find({ ...UNFINISHED, _id: { $in: batchIds } }, { state: 1 })
          .hint({ state: 1, _id: 1 })
          .readConcern("majority")
          .lean<{ _id: string; state: BatchState }[]>();
        return new Map(docs.map((doc) => [doc._id, doc.state]));
      });
    },

    async start(batchId, at) {
      // Not awaited until a majority has it: the record itself is durable before its job exists, and a state that is rolled back to
      // `queued` only lets the batch be started again.
      const options = { returnDocument: "after", writeConcern: { w: 1 } } as const;
      const started = await orUnavailable(() =>
        settled(records().findOneAndUpdate({ _id: batchId, state: "queued" }, { $set: { state: "running", startedAt: at } }, options)),
      );
      return started ? batchOfDoc(started) : read(batchId);
    },

    finish(batchId, outcomes, at) {
      return orUnavailable(async () => {
        const update = { $set: { state: "done" as const, outcomes: [...outcomes], finishedAt: at } };
        const written = await settled(records().updateOne({ _id: batchId, state: { $ne: "done" } }, update));
        return written.matchedCount === 1 || (await read(batchId)) !== null;
      });
    },

    listUnfinished({ limit, afterId }) {
      return readInTime(async () => {
        // Majority: a job for a record that can still be rolled back would apply awards that nothing refers to afterwards.
        const docs = await batches
          .find({ ...UNFINISHED, _id: { $gt: afterId ?? "" } }, { _id: 1 })
          .sort({ _id: 1 })
          .limit(limit)
          .readConcern("majority")
          .lean<{ _id: string }[]>();
        return docs.map((doc) => doc._id);
      });
    },

    readCreated(batchIds) {
      return readInTime(async () => {
        const docs = await batches.find({ _id: { $in: batchIds } }, { createdAt: 1 }).lean<{ _id: string; createdAt: Date }[]>();
        return new Map(docs.map((doc) => [doc._id, doc.createdAt]));
      });
    },

    countUnfinished(countMax) {
      return readInTime(() => batches.countDocuments(UNFINISHED, { limit: countMax }));
    },

    backlog() {
      return orUnavailable(async () => {
        const oldest = await oldestUnfinished();
        return { unfinished: await batches.countDocuments(UNFINISHED), oldestCreatedAt: oldest?.createdAt ?? null };
      });
    },

    stock() {
      return readInTime(async () => {
        const [counts, oldest] = await Promise.all([
          batches
            .aggregate<{ _id: BatchState; batches: number; awards: number }>([
              { $match: UNFINISHED },
              { $group: { _id: "$state", batches: { $sum: 1 }, awards: { $sum: "$awardCount" } } },
            ])
            .hint({ state: 1, awardCount: 1 })
            .option({ maxTimeMS: ANSWER_MS_MAX }),
          oldestUnfinished().maxTimeMS(ANSWER_MS_MAX),
        ]);
        const of = (state: BatchState): number => counts.find(({ _id }) => _id === state)?.batches ?? 0;
        return {
          queued: of("queued"),
          running: of("running"),
          awards: counts.reduce((sum, { awards }) => sum + awards, 0),
          oldestCreatedAt: oldest?.createdAt ?? null,
        };
      });
    },
  };
}

function outcomeUnknown(cause?: unknown): AppError {
  const detail = "It is not known whether the batch was accepted. Retry with the same Idempotency-Key.";
  return new AppError("outcome_unknown", detail, { cause });
}
