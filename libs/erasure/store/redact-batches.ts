// Removes a member from the batches' records, in windows over all of them: no index contains the members of a batch.
import { ERASED, ERASED_DETAIL } from "#domain/erased.ts";
import type { Database } from "#mongo/database.ts";
import { read } from "#mongo/mongo-calls.ts";
import type { BatchDoc } from "#batches/store/batch-model.ts";
import { batchWindows } from "#batches/store/batch-windows.ts";
import { ofClan } from "#mongo/filters.ts";
import { makeWhileOpen } from "#erasure/store/while-open.ts";
import type { ErasureTarget, Redaction } from "#erasure/ports.ts";

export function makeRedactBatches({ db }: Pick<Database, "db">): Redaction {
  const whileOpen = makeWhileOpen({ db });
  const batches = () => db().collection<BatchDoc>("batches");

  return {
    async redact(target) {
      let redacted = 0;
      for await (const window of batchWindows({ db })) {
        const names = {
          ...ofClan(target),
          $or: [{ "awards.platformId": target.platformId }, { "outcomes.platformId": target.platformId }],
        };
        const ofWindow = { _id: window, ...names };
        const written = await whileOpen(
          target.erasureId,
          "batches",
          async (session) => (await batches().updateMany(ofWindow, without(target), { session })).modifiedCount,
        );
        if (written === null) break;
        redacted += written;
      }
      return redacted;
    },

    hasRunning: (target) =>
      read(async () => {
        const running = { state: "running", erased: true, ...ofClan(target) } as const;
        return (await batches().findOne(running, { projection: { _id: 1 }, hint: { state: 1, _id: 1 } })) !== null;
      }),
  };
}

/** An unfinished batch no longer applies the award. Everything else is unchanged except for the name. */
function without({ platformId }: ErasureTarget) {
  const isDone = { $eq: ["$state", "done"] };
  const isOfMember = { $eq: ["$$item.platformId", { $literal: platformId }] };
  const isSettled = { $or: [isDone, { $ne: [{ $type: "$$item.code" }, "missing"] }] };
  const nameless = { $mergeObjects: ["$$item", { platformId: ERASED }] };
  const rejected = { platformId: ERASED, code: "cancelled", detail: ERASED_DETAIL };
  const each = (input: string, replaced: object) => ({
    $map: { input, as: "item", in: { $cond: [isOfMember, replaced, "$$item"] } },
  });
  const awards = each("$awards", { $cond: [isSettled, nameless, rejected] });
  return [{ $set: { awards, outcomes: each("$outcomes", nameless), erased: { $cond: [isDone, "$$REMOVE", true] } } }];
}
