// Records of reversals, and the runs of resets, whose records are in the same collection. A record is written before
// its job and outlives it; each step is added to it once.
import { AppError } from "#kernel/app-error.ts";
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import type { Actor } from "#domain/audit.ts";
import { makeAudited } from "#audit/store/audited.ts";
import { withTimeout } from "#async/with-timeout.ts";
import { MAJORITY, orUnavailable, read as readInTime, rewrite } from "#mongo/mongo-calls.ts";
import { isDuplicateKey, wasSent } from "#mongo/mongo-errors.ts";
import { oldestDone } from "#mongo/oldest-done.ts";
import { readBound } from "#mongo/read-bound.ts";
import { correctionOfDoc, docOfCorrection, type ReversalDoc } from "#reversals/store/reversal-model.ts";
import type { BatchToRun } from "#batches/ports.ts";
import { isReset, type Correction } from "#domain/reset.ts";
import { FIRST_MEMBER, type Reversal } from "#domain/reversal.ts";
import type { BoundReversal, ReversalStore } from "#reversals/ports.ts";

const UNFINISHED = { state: { $in: ["queued", "running"] } } as const;
/** By MongoDB's clock, because retention compares it with that clock. */
const FINISHED_NOW = { $currentDate: { finishedAt: true } } as const;

/**
 * The data that the recovery scan needs of records whose jobs may be lost; a reversal's id is used in place of a
 * batch's.
 */
type RecoverableStore = {
  listUnfinished(options: { limit: number; afterId: string | null }): Promise<string[]>;
  readFacts(reversalIds: readonly string[]): Promise<(BatchToRun & { createdAt: Date })[]>;
};

type Opened = Pick<Database, "db">;

/** `awardsPerTurn`: the size at which the job of a reversal is counted when workers take turns between clans. */
// oxlint-disable-next-line eslint/max-lines-per-function -- a list of reads and writes of one record
export function makeReversalStore(database: Opened, awardsPerTurn: number): ReversalStore & RecoverableStore {
  const { db } = database;
  const audited = makeAudited(database);
  const records = () => db().collection<ReversalDoc>("reversals");

  async function findByKey(key: { clanId: string; idempotencyKey: string | null }): Promise<BoundReversal | null> {
    const { clanId, idempotencyKey } = key;
    if (idempotencyKey === null) return null;
    const doc = await records().findOne({ clanId, idempotencyKey }, MAJORITY);
    // Resets have no idempotency keys.
    return doc && { reversalId: doc._id, state: doc.state as Reversal["state"], fingerprint: doc.fingerprint };
  }

  async function insertAudited(reversal: Reversal, by: Actor): Promise<void> {
    const { reversalId, clanId } = reversal;
    // Without the reason, which may name the member, and without the platform ID and the award ID, a hash of it that
    // can be guessed: the audit log outlives an erasure.
    const { platformId: _, awardId: __, ...span } = { platformId: "", awardId: "", ...reversal.by };
    const after = { reversalId, by: reversal.selection.kind, ...span };
    await audited(by, async (session, note) => {
      await records().insertOne(docOfCorrection(reversal), { session });
      const { keyId } = { keyId: "", ...reversal.by };
      const key = await db()
        .collection<{ _id: string; clanId: string; name: string }>("keys")
        .findOne({ _id: keyId, clanId }, { session, projection: { name: 1 } });
      const named = key ? { targetName: key.name } : {};
      await note({ action: "reversal.submit", clanId, target: reversalId, ...named, before: null, after });
    });
  }

  function readRun(reversalId: string): Promise<Correction | null> {
    return readInTime(async () => {
      const doc = await records().findOne({ _id: reversalId }, MAJORITY);
      return doc && correctionOfDoc(doc);
    });
  }

  async function read(reversalId: string): Promise<Reversal | null> {
    const correction = await readRun(reversalId);
    return correction && !isReset(correction) ? correction : null;
  }

  return {
    insert(reversal, by) {
      const inserted = orUnavailable(async (): ReturnType<ReversalStore["insert"]> => {
        try {
          if (by) await insertAudited(reversal, by);
          else await records().insertOne(docOfCorrection(reversal));
          return { kind: "inserted" };
        } catch (error) {
          if (wasSent(error)) throw outcomeUnknown(error);
          if (!isDuplicateKey(error)) throw error;
          return { kind: "bound", reversal: await readBound("reversal", () => findByKey(reversal)) };
        }
      });
      return withTimeout(inserted, ANSWER_MS_MAX, outcomeUnknown);
    },

    read,

    readRun,

    findByKey: (key) => readInTime(() => findByKey(key)),

    async start(reversalId, at) {
      const update = { $set: { state: "running" as const, startedAt: at } };
      await rewrite(() => records().updateOne({ _id: reversalId, state: "queued" }, update));
      return readRun(reversalId);
    },

    async putBack(reversalId) {
      const fresh = {
        _id: reversalId,
        state: "running" as const,
        position: FIRST_MEMBER,
        attempt: { $not: { $gt: 0 } },
      };
      await rewrite(() => records().updateOne(fresh, { $set: { state: "queued" } }));
    },

    async begin(correction) {
      const attempt = correction.attempt + 1;
      const { matchedCount } = await rewrite(() => records().updateOne(stepOf(correction), { $set: { attempt } }));
      return matchedCount === 1 ? { ...correction, attempt } : null;
    },

    async advance(correction, { selected, reversed, skipped, amount, next }) {
      const { reversalId } = correction;
      // A position can be a platform ID. A reset has no event when it is done.
      const done = {
        state: "done" as const,
        ...(typeof correction.position === "string" ? { position: FIRST_MEMBER } : {}),
        ...(isReset(correction) ? {} : { ev: true as const }),
      };
      const total = { amount: (correction.amount + amount).toString() };
      const update = {
        $set: { ...(next === null ? done : { position: next }), ...total },
        ...(next === null ? FINISHED_NOW : {}),
        $inc: { selected, reversed, skipped },
        // From here on its worker uses the record that is read below.
        $unset: { erased: "" as const },
      };
      const { modifiedCount } = await rewrite(() => records().updateOne(stepOf(correction), update));
      return { added: modifiedCount === 1, correction: await readRun(reversalId) };
    },

    deleteDetails(options) {
      return rewrite(async () => {
        // Resets, which have no `by`, are few, and stay.
        const found = await oldestDone({ db }, "reversals", "selection", options, { by: { $exists: true } });
        if (found.length === 0) return 0;
        const among = { _id: { $in: found } };
        // A retry under its key must not begin another one, and the audit log shows the counts of those of people.
        await records().deleteMany({ ...among, idempotencyKey: { $exists: false }, actor: { $exists: false } });
        await records().updateMany(among, { $set: { reason: null }, $unset: { by: "", selection: "" } });
        return found.length;
      });
    },

    countUnfinished(clanId) {
      return readInTime(async () => {
        const [all, ofClan] = await Promise.all([
          records().countDocuments(UNFINISHED, MAJORITY),
          records().countDocuments({ ...UNFINISHED, clanId }, MAJORITY),
        ]);
        return { all, ofClan };
      });
    },

    countAllUnfinished: () => readInTime(() => records().countDocuments(UNFINISHED, MAJORITY)),

    listUnfinished({ limit, afterId }) {
      return readInTime(async () => {
        const filter = { ...UNFINISHED, _id: { $gt: afterId ?? "" } };
        // Majority: a job for a record that can be rolled back would write entries that no record refers to.
        const docs = await records()
          .find(filter, { ...MAJORITY, projection: { _id: 1 } })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray();
        return docs.map((doc) => doc._id);
      });
    },

    readFacts(reversalIds) {
      return readInTime(async () => {
        const filter = { _id: { $in: [...reversalIds] } };
        const docs = await records()
          .find(filter, { projection: { clanId: 1, createdAt: 1 } })
          .toArray();
        return docs.map(({ _id, clanId, createdAt }) => ({ batchId: _id, clanId, awards: awardsPerTurn, createdAt }));
      });
    },
  };
}

/** Its record, unless another attempt at the step has begun since it was read, or the step was added. */
function stepOf({ reversalId, position, attempt }: Correction) {
  // Records of older versions have no attempt.
  const same = attempt === 0 ? { $not: { $gt: 0 } } : attempt;
  return { _id: reversalId, state: "running" as const, position, attempt: same };
}

function outcomeUnknown(cause?: unknown): AppError {
  const detail = "It is not known whether the reversal was accepted. Retry with the same Idempotency-Key.";
  return new AppError("outcome_unknown", detail, { cause });
}
