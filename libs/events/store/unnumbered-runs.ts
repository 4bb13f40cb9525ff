// Done batches and reversals, and changes by people, whose events have no numbers yet: the former have the flag `ev`, the
// latter are in the outbox.
import { type Collection, ObjectId } from "mongodb";
import type { EventBody } from "#domain/event.ts";
import type { BatchDoc } from "#batches/store/batch-model.ts";
import { APPLIED, REJECTED } from "#batches/store/query-parts.ts";
import type { Database } from "#mongo/database.ts";
import { FLAGGED, FLAGGED_READ_MAX, idsIn, PREFIX, SETTLING } from "#events/store/flags.ts";
import type { OutboxDoc } from "#audit/store/outbox-model.ts";
import { MAJORITY } from "#mongo/mongo-calls.ts";
import type { ReversalDoc } from "#reversals/store/reversal-model.ts";
import type { UnnumberedChange } from "#events/ports.ts";

/** The index of those without numbers, which are few. */
const IN_ORDER = { ...MAJORITY, hint: { clanId: 1, _id: 1 }, sort: { clanId: 1, _id: 1 } } as const;
const RUNS = ["batches", "reversals"] as const;

type CountedBatch = Pick<BatchDoc, "_id" | "createdAt" | "finishedAt"> & { applied: number; rejected: number };
const COUNTED = { createdAt: 1, finishedAt: 1, applied: APPLIED, rejected: REJECTED } as const;

export function makeUnnumberedRuns({ db }: Pick<Database, "db">) {
  const outbox = (): Collection<OutboxDoc> => db().collection<OutboxDoc>("outbox");
  const runs = (name: (typeof RUNS)[number]) => db().collection<{ _id: string; clanId: string; ev?: true }>(name);

  return {
    /** Clans that have any. */
    async clans(after: string | null): Promise<ReadonlySet<string>> {
      const clanId = { $gt: after ?? "" };
      const options = { ...IN_ORDER, projection: { clanId: 1 }, limit: FLAGGED_READ_MAX } as const;
      const docs = await Promise.all([
        outbox().find({ clanId }, options).toArray(),
        ...RUNS.map((name) =>
          runs(name)
            .find({ ...FLAGGED, clanId }, options)
            .toArray(),
        ),
      ]);
      return new Set(docs.flat().map((doc) => doc.clanId));
    },

    async list(clanId: string, limit: number): Promise<UnnumberedChange[]> {
      const options = { ...IN_ORDER, limit } as const;
      const [batches, reversals, notes] = await Promise.all([
        db()
          .collection<BatchDoc>("batches")
          .find({ ...FLAGGED, clanId }, options)
          .project<CountedBatch>(COUNTED)
          .toArray(),
        db()
          .collection<ReversalDoc>("reversals")
          .find({ ...FLAGGED, clanId }, options)
          .toArray(),
        outbox().find({ clanId }, options).toArray(),
      ]);
      return [
        ...batches.map(changeOfBatch),
        ...reversals.map(changeOfReversal),
        ...notes.map(({ _id, at, event }) => changeOf(PREFIX.outbox + _id.toHexString(), at, event)),
      ];
    },

    async settle(changes: readonly UnnumberedChange[]): Promise<void> {
      const notes = idsIn(changes, PREFIX.outbox).map((id) => new ObjectId(id));
      if (notes.length > 0) await outbox().deleteMany({ _id: { $in: notes } }, SETTLING);
      for (const name of RUNS) {
        const ids = idsIn(changes, PREFIX[name]);
        if (ids.length > 0) await runs(name).updateMany({ _id: { $in: ids } }, { $unset: { ev: "" } }, SETTLING);
      }
    },
  };
}

function changeOf(subject: string, at: Date, event: EventBody): UnnumberedChange {
  return { kind: "other", ref: { subject, seq: 0, at }, event };
}

function changeOfBatch({ _id: batchId, applied, rejected, createdAt, ...doc }: CountedBatch): UnnumberedChange {
  const finishedAt = doc.finishedAt ?? createdAt;
  const data = { batchId, applied, rejected, createdAt, finishedAt };
  return changeOf(PREFIX.batches + batchId, finishedAt, { type: "batch.done", data });
}

function changeOfReversal(doc: ReversalDoc): UnnumberedChange {
  const { _id: reversalId, selected, reversed, skipped, createdAt } = doc;
  const finishedAt = doc.finishedAt ?? createdAt;
  const data = { reversalId, selected, reversed, skipped, createdAt, finishedAt };
  return changeOf(PREFIX.reversals + reversalId, finishedAt, { type: "reversal.done", data });
}
