// Hooks for Roblox's erasure requests; each change is written with its audit record, which never contains a secret.
//
// Invariant: a hook of clans is added in a transaction that also writes to the clans' documents, so that none is added
// to a clan that is being deleted.
import { touchIfStored } from "#clans/store/touch-clan.ts";
import { makeAudited } from "#audit/store/audited.ts";
import type { Database } from "#mongo/database.ts";
import { deleteOld } from "#mongo/delete-old.ts";
import { changesOf, hookOfDoc, type HookDoc } from "#hooks/store/hook-model.ts";
import { read, rewrite } from "#mongo/mongo-calls.ts";
import type { HookStore, OneHook } from "#hooks/ports.ts";

const PRESENT = { removedAt: { $exists: false } } as const;

export function makeHookStore({ db }: Pick<Database, "db">): HookStore {
  const audited = makeAudited({ db });
  const meta = () => db().collection<{ _id: "hookKey"; publicKey: string }>("meta");
  const hooks = () => db().collection<HookDoc>("hooks");

  return {
    publishKey: (publicKey) =>
      rewrite(async () => {
        await meta().updateOne({ _id: "hookKey" }, { $set: { publicKey } }, { upsert: true });
      }),
    readKey: () => read(async () => (await meta().findOne({ _id: "hookKey" }))?.publicKey ?? null),
    find: (hookIds) =>
      read(async () => {
        const docs = await hooks()
          .find({ _id: { $in: [...hookIds] }, ...PRESENT }, { projection: { turns: 0 } })
          .toArray();
        return new Map(docs.map((doc) => [doc._id, { hook: hookOfDoc(doc), sealed: doc.sealed ?? "" }]));
      }),
    list: (clanId) =>
      read(async () => {
        const found = hooks().find({ ...(clanId === null ? {} : { clanIds: clanId }), ...PRESENT });
        return (await found.sort({ createdAt: 1, _id: 1 }).toArray()).map(hookOfDoc);
      }),
    isKnown: (hookId) =>
      read(async () => (await hooks().findOne({ _id: hookId }, { projection: { _id: 1 } })) !== null),

    add: ({ hook, sealed }, { max }, by) =>
      audited(by, async (session, note) => {
        const { hookId: _id, clanIds, games, ...facts } = hook;
        for (const clanId of clanIds ?? [null]) {
          if (clanId !== null && !(await touchIfStored({ db }, clanId, session))) return "no_clan";
          if ((await hooks().countDocuments({ clanIds: clanId, ...PRESENT }, { session })) >= max) return "too_many";
        }
        const doc = { _id, clanIds: clanIds && [...clanIds], games: games && [...games], ...facts, sealed };
        await hooks().insertOne(doc, { session });
        for (const change of changesOf("hook.add", doc)) await note({ ...change, before: null, after: { games } });
        return "added";
      }),

    rotate: (hook, sealed, by) =>
      audited(by, async (session, note) => {
        const doc = await hooks().findOneAndUpdate(filterOf(hook), { $set: { sealed } }, { session });
        if (!doc) return false;
        for (const change of changesOf("hook.rotate", doc)) await note({ ...change, before: null, after: {} });
        return true;
      }),

    remove: (hook, by) =>
      audited(by, async (session, note) => {
        const removed = [{ $set: { removedAt: "$$NOW" } }, { $unset: ["sealed"] }];
        const doc = await hooks().findOneAndUpdate(filterOf(hook), removed, { session });
        if (!doc) return false;
        const before = { games: doc.games };
        for (const change of changesOf("hook.remove", doc)) await note({ ...change, before, after: null });
        return true;
      }),

    deleteOld: (options) => deleteOld({ db }, "hooks", "removedAt", options),
  };
}

function filterOf({ hookId, ofClan }: OneHook) {
  return { _id: hookId, ...PRESENT, ...(ofClan === null ? {} : { clanIds: [ofClan] }) };
}
