// Batch records. A record is written before its job and outlives it; `done` and its outcomes are written once.
import { pause } from "#async/pause.ts";
import { withTimeout } from "#async/with-timeout.ts";
import { AppError } from "#domain/app-error.ts";
import { CANCELLED_DETAIL } from "#domain/batch-code.ts";
import { AWARDS_PER_BATCH_MAX } from "#domain/bounds.ts";
import { ANSWER_MS_MAX, BOUND_PAUSE_MS, BOUND_TRIES_MAX } from "#store/bounds.ts";
import { makeAudited } from "#store/audited.ts";
import type { Database } from "#store/database.ts";
import { batchOfDoc, docOfBatch } from "#store/documents.ts";
import { orUnavailable, read, rewrite } from "#store/mongo-calls.ts";
import { isDuplicateKey, wasSent } from "#store/mongo-errors.ts";
import type { BatchDoc } from "#store/models.ts";
import type { Batch, BatchOutcome, BatchState } from "#domain/batch.ts";
import type { BatchPosition, BatchStore, BatchTally, ListedBatch } from "#usecases/batches/ports.ts";

/** An outcome, as `$$this`, that is no rejection. */
const WAS_APPLIED = { $eq: [{ $type: "$$this.code" }, "missing"] };
/** How many awards of a record were applied: those that it says, or those of its outcomes. */
const APPLIED = {
  $ifNull: ["$appliedOnce", { $size: { $filter: { input: { $ifNull: ["$outcomes", []] }, cond: WAS_APPLIED } } }],
};
const UNFINISHED = { state: { $in: ["queued", "running"] } } as const;

export function makeBatchStore({ models, connection, db }: Pick<Database, "models" | "connection" | "db">): BatchStore {
  const { batches } = models;
  const audited = makeAudited({ models, connection });
  // Whole records go by the driver: casting 500 awards one by one costs more than writing them.
  const records = () => db().collection<BatchDoc>("batches");

  async function findByKey({
    clanId,
    idempotencyKey,
  }: Pick<Batch, "clanId" | "idempotencyKey">): Promise<Batch | null> {
    const doc = await batches.findOne({ clanId, idempotencyKey }).readConcern("majority").lean<BatchDoc>();
    return doc && batchOfDoc(doc);
  }

  /** The batch that holds the key. Only once a majority has it: until then it could still be rolled back. */
  async function readBound(batch: Batch): Promise<Batch> {
    for (let tries = 1; ; tries += 1) {
      const bound = await findByKey(batch);
      if (bound) return bound;
      if (tries === BOUND_TRIES_MAX)
        throw new AppError("unavailable", "The batch of this key is not durable yet: try again shortly.");
      await pause(BOUND_PAUSE_MS);
    }
  }

  function readOne(batchId: string): Promise<Batch | null> {
    return read(async () => {
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
      return withTimeout(inserted, ANSWER_MS_MAX, outcomeUnknown);
    },

    read: readOne,

    listOfClan(clanId, { limit, after }) {
      return read(async () => {
        // Counted by MongoDB: a page of whole records would be megabytes.
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
          .option({ readConcern: { level: "majority" }, maxTimeMS: ANSWER_MS_MAX });
        const items = found.slice(0, limit).map(({ _id, ...facts }): ListedBatch => ({ batchId: _id, ...facts }));
        const last = items.at(-1);
        return {
          items,
          next: found.length > limit && last ? { createdAt: last.createdAt, batchId: last.batchId } : null,
        };
      });
    },

    findByKey: (key) => read(() => findByKey(key)),

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

    async start(batchId, at) {
      // Majority: a batch whose awards somebody may be applying must never be taken for one that nobody has begun
      // (cancel).
      const update = { $set: { state: "running" as const, startedAt: at } };
      const started = await rewrite(() =>
        records().findOneAndUpdate({ _id: batchId, state: "queued" }, update, { returnDocument: "after" }),
      );
      return started ? batchOfDoc(started) : readOne(batchId);
    },

    cancel(batchIds, at, by) {
      return audited(by, async (session, note) => {
        const among = { _id: { $in: [...batchIds] }, cancelled: { $ne: true as const } };
        const fields = { projection: { clanId: 1, state: 1 }, session };
        const found = await records()
          .find({ ...among, ...UNFINISHED }, fields)
          .toArray();
        // In this order: a state only ever moves from queued to running.
        await records().updateMany({ ...among, state: "queued" }, cancelUnbegun(at), { session });
        await records().updateMany({ ...among, state: "running" }, { $set: { cancelled: true } }, { session });
        for (const { _id, clanId, state } of found) {
          const after = { status: state === "queued" ? "done" : state, cancelled: true };
          await note({
            action: "batch.cancel",
            clanId,
            target: _id,
            before: { status: state, cancelled: false },
            after,
          });
        }
      });
    },

    forgetDone({ before, limit }) {
      return rewrite(async () => {
        const old = { state: "done" as const, awards: { $exists: true }, finishedAt: { $lt: before } };
        const found = await records()
          .find(old, { projection: { _id: 1 } })
          .sort({ finishedAt: 1 })
          .limit(limit)
          .toArray();
        if (found.length === 0) return 0;
        const among = { _id: { $in: found.map(({ _id }) => _id) }, awards: { $exists: true } };
        // Counted once: an erasure beside this may have written lists anew that were deleted.
        await records().updateMany(among, [{ $set: { appliedOnce: APPLIED } }, { $unset: ["awards", "outcomes"] }]);
        return found.length;
      });
    },

    tally(batchIds) {
      return read(async () => {
        const among = { _id: { $in: [...batchIds] } };
        const isDone = { $eq: ["$state", "done"] };
        const count = (condition: object) => ({
          $size: { $filter: { input: { $ifNull: ["$outcomes", []] }, cond: condition } },
        });
        const [counted] = await batches
          .aggregate<BatchTally>([
            { $match: among },
            {
              $group: {
                _id: null,
                done: { $sum: { $cond: [isDone, 1, 0] } },
                unfinished: { $sum: { $cond: [isDone, 0, 1] } },
                applied: { $sum: APPLIED },
                cancelled: { $sum: count({ $eq: ["$$this.code", "cancelled"] }) },
              },
            },
            { $project: { _id: 0 } },
          ])
          .read("primary")
          .option({ readConcern: { level: "majority" }, maxTimeMS: ANSWER_MS_MAX });
        return counted ?? { unfinished: 0, done: 0, applied: 0, cancelled: 0 };
      });
    },

    listUnfinishedOfKey({ clanId, keyId }) {
      return read(async () => {
        const found = batches.find({ ...UNFINISHED, clanId, apiKeyId: keyId }, { _id: 1 }).sort({ createdAt: 1 });
        return (await found.readConcern("majority").lean<{ _id: string }[]>()).map((doc) => doc._id);
      });
    },

    finish(batchId, outcomes, at) {
      return rewrite(async () => {
        const update = { $set: { state: "done" as const, outcomes: [...outcomes], finishedAt: at } };
        const open = { _id: batchId, state: { $ne: "done" } } as const;
        const written = await records().updateOne({ ...open, erased: { $exists: false } }, update);
        if (written.matchedCount === 1) return true;
        const redacted = await records().updateOne(open, finishErased(outcomes, at));
        return redacted.matchedCount === 1 || (await readOne(batchId)) !== null;
      });
    },

    listUnfinished({ limit, afterId }) {
      return read(async () => {
        // Majority: a job for a record that can still be rolled back would apply awards that nothing refers to
        // afterwards.
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

    countUnfinished() {
      return read(async () => {
        const counts = await batches
          .aggregate<{ _id: string; batches: number }>([
            { $match: UNFINISHED },
            { $group: { _id: "$clanId", batches: { $sum: 1 } } },
          ])
          .hint({ state: 1, createdAt: 1, clanId: 1, apiKeyId: 1, _id: 1 })
          .option({ maxTimeMS: ANSWER_MS_MAX });
        return new Map(counts.map((count) => [count._id, count.batches]));
      });
    },

    backlog() {
      return orUnavailable(async () => {
        const oldest = await oldestUnfinished();
        return { unfinished: await batches.countDocuments(UNFINISHED), oldestCreatedAt: oldest?.createdAt ?? null };
      });
    },

    queueDepth() {
      return read(async () => {
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

/** Behind it in the order of the list. */
function olderThan({ createdAt, batchId }: BatchPosition) {
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: batchId } }] };
}

/** Every award that was admitted is rejected; what was refused keeps its reason. */
function cancelUnbegun(at: Date) {
  const rejected = { platformId: "$$award.platformId", code: "cancelled", detail: CANCELLED_DETAIL };
  const isRefused = { $ne: [{ $type: "$$award.code" }, "missing"] };
  const outcomes = { $map: { input: "$awards", as: "award", in: { $cond: [isRefused, "$$award", rejected] } } };
  return [{ $set: { state: "done", cancelled: true, outcomes, finishedAt: at } }];
}

/** The run may have read its awards before some of them were erased: those have the outcome that the record says. */
function finishErased(outcomes: readonly BatchOutcome[], at: Date) {
  const [award, own] = ["$awards", { $literal: [...outcomes] }].map((list) => ({ $arrayElemAt: [list, "$$index"] }));
  const isOpen = { $eq: [{ $type: "$$award.code" }, "missing"] };
  const outcome = { $let: { vars: { award }, in: { $cond: [isOpen, own, "$$award"] } } };
  const merged = { $map: { input: { $range: [0, { $size: "$awards" }] }, as: "index", in: outcome } };
  return [{ $set: { state: "done", outcomes: merged, finishedAt: at } }];
}

function outcomeUnknown(cause?: unknown): AppError {
  const detail = "It is not known whether the batch was accepted. Retry with the same Idempotency-Key.";
  return new AppError("outcome_unknown", detail, { cause });
}
