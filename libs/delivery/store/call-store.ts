// What people ask notifiers to do, and the results: only notifiers send requests to strangers.
import type { Collection } from "mongodb";
import { pause } from "#async/pause.ts";
import type { Database } from "#mongo/database.ts";
import type { CallDoc } from "#delivery/store/notifier-models.ts";
import { read, rewrite } from "#mongo/mongo-calls.ts";
import type { CallStore } from "#delivery/call-ports.ts";

const LOOK_EVERY_MS = 100;
/** How often a call that takes long is renewed: well before MongoDB would delete it. */
const KEEP_EVERY_MS = 60_000;

export function makeCallStore({ db }: Pick<Database, "db">, ids: { call(): string }): CallStore {
  const calls = (): Collection<CallDoc> => db().collection<CallDoc>("calls");

  return {
    async ask(call, { timeoutMs, takenWithinMs = timeoutMs }) {
      const _id = ids.call();
      const destinationId = call.kind === "inspect" ? null : call.destinationId;
      const asked = { destinationId, call, takenBy: null, result: null };
      await rewrite(() =>
        calls().updateOne({ _id }, [{ $set: { ...asked, call: { $literal: call }, at: "$$NOW" } }], { upsert: true }),
      );
      const startMs = performance.now();
      let [isTaken, keptMs] = [false, startMs];
      try {
        for (let now = startMs; now < startMs + timeoutMs; now = performance.now()) {
          const doc = await read(() => calls().findOne({ _id }));
          if (doc?.result) return doc.result;
          isTaken ||= doc !== null && doc.takenBy !== null;
          if (!isTaken && now >= startMs + takenWithinMs) return null;
          if (now >= keptMs + KEEP_EVERY_MS) {
            await rewrite(() => calls().updateOne({ _id }, [{ $set: { at: "$$NOW" } }]));
            keptMs = now;
          }
          await pause(LOOK_EVERY_MS);
        }
        return isTaken ? {} : null;
      } finally {
        await rewrite(() => calls().deleteOne({ _id })).catch(() => {});
      }
    },

    take: (notifierId, { held, free }) =>
      rewrite(async () => {
        const comparison = { "call.kind": "sync", "call.platformId": null };
        const others = free
          ? [
              { destinationId: { $in: [...free.held] }, $nor: [comparison] },
              { destinationId: null, "call.clanId": { $nin: [...free.busyClans] } },
            ]
          : [];
        const mine = { takenBy: null, $or: [{ destinationId: { $in: [...held] }, ...comparison }, ...others] };
        const doc = await calls().findOneAndUpdate(mine, { $set: { takenBy: notifierId } }, { sort: { at: 1 } });
        return doc && { callId: doc._id, call: doc.call };
      }),

    async answer(callId, result) {
      await rewrite(() => calls().updateOne({ _id: callId }, { $set: { result } }));
    },
  };
}
