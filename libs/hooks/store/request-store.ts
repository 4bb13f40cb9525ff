// Roblox's erasure requests: their receipt, their list, the decision of a person, and their deletion by age. What
// workers do in between is in request-steps.ts.
import { makeAudited } from "#audit/store/audited.ts";
import type { Database } from "#mongo/database.ts";
import { deleteOld } from "#mongo/delete-old.ts";
import { changesOf, type HookDoc } from "#hooks/store/hook-model.ts";
import { ended, requestIdOf, requestOfDoc, type RequestDoc } from "#hooks/store/request-model.ts";
import { read, write } from "#mongo/mongo-calls.ts";
import { isDuplicateKey } from "#mongo/mongo-errors.ts";
import type { ErasureRequestStore } from "#hooks/ports.ts";

const RELEASED = { $set: { status: "waiting", isReleased: true } } as const;

export function makeRequestStore({ db }: Pick<Database, "db">): ErasureRequestStore {
  const audited = makeAudited({ db });
  const requests = () => db().collection<RequestDoc>("erasure_requests");

  return {
    async add({ platformId, clanIds, ...request }) {
      const _id = requestIdOf(request);
      const whose = platformId === null ? {} : { platformId };
      const fresh = {
        _id,
        ...request,
        clanIds: clanIds && [...clanIds],
        ...whose,
        status: "waiting" as const,
        doneAt: null,
        clans: [],
      };
      try {
        // Not an update that inserts: MongoDB's own log has the values of slow updates, and not those of inserts.
        await write(() => requests().insertOne(fresh));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // It changes nothing, and MongoDB confirms it once a majority has all that was written before.
        await write(() => requests().updateOne({ _id }, { $set: { hookId: request.hookId } }));
      }
    },

    list: ({ hookId, status }, limit) =>
      read(async () => {
        const filter = { ...(hookId === null ? {} : { hookId }), ...(status === null ? {} : { status }) };
        return (await requests().find(filter).sort({ receivedAt: -1 }).limit(limit).toArray()).map(requestOfDoc);
      }),
    countHeld: (clanId) => read(() => requests().countDocuments({ clanIds: clanId, status: "held" })),
    decide: (hookId, decision, by) =>
      audited(by, async (session, note) => {
        const change = decision === "release" ? RELEASED : ended("refused");
        const { modifiedCount } = await requests().updateMany({ hookId, status: "held" }, change, { session });
        if (modifiedCount === 0) return 0;
        const hook = await db().collection<HookDoc>("hooks").findOne({ _id: hookId }, { session });
        const action = decision === "release" ? "hook.release" : "hook.reject";
        for (const facts of changesOf(action, hook ?? { _id: hookId, clanIds: null }))
          await note({ ...facts, before: null, after: { requests: modifiedCount } });
        return modifiedCount;
      }),

    deleteOld: (options) => deleteOld({ db }, "erasure_requests", "doneAt", options),
  };
}
