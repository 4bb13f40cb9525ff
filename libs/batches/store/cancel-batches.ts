// Cancels batches: each becomes `done`, or is marked for the worker that runs it, and each gets an audit record.
import { CANCELLED_DETAIL } from "#domain/batch.ts";
import { makeAudited } from "#audit/store/audited.ts";
import { UNFINISHED } from "#batches/store/query-parts.ts";
import type { BatchDoc } from "#batches/store/batch-model.ts";
import type { Database } from "#mongo/database.ts";
import type { BatchStore } from "#batches/ports.ts";

export function makeCancelBatches({ db }: Pick<Database, "db">): BatchStore["cancel"] {
  const audited = makeAudited({ db });
  const records = () => db().collection<BatchDoc>("batches");

  return (batchIds, by) =>
    audited(by, async (session, note) => {
      const among = { _id: { $in: [...batchIds] }, cancelled: { $ne: true as const } };
      const fields = { projection: { clanId: 1, state: 1 }, session };
      const found = await records()
        .find({ ...among, ...UNFINISHED }, fields)
        .toArray();
      // In this order: a state only ever moves from queued to running.
      await records().updateMany({ ...among, state: "queued" }, cancelQueued(), { session });
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
}

/** Every admitted award is rejected; a rejected one keeps its reason. */
function cancelQueued() {
  const rejected = { platformId: "$$award.platformId", code: "cancelled", detail: CANCELLED_DETAIL };
  const isRejected = { $ne: [{ $type: "$$award.code" }, "missing"] };
  const outcomes = { $map: { input: "$awards", as: "award", in: { $cond: [isRejected, "$$award", rejected] } } };
  return [{ $set: { state: "done", cancelled: true, outcomes, finishedAt: "$$NOW", ev: true } }];
}
