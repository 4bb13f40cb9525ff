// API keys; each change is written with its audit record.
import { keyFactsOf } from "#domain/event.ts";
import { makeAddKey } from "#keys/store/add-key.ts";
import { makeAudited } from "#audit/store/audited.ts";
import type { Database } from "#mongo/database.ts";
import { keyModel, keyOfDoc, type KeyDoc } from "#keys/store/key-model.ts";
import { read, rewrite } from "#mongo/mongo-calls.ts";
import type { KeyStore } from "#keys/ports.ts";

export function makeKeyStore({ connection }: Pick<Database, "connection">): KeyStore {
  const keys = keyModel(connection);
  const audited = makeAudited({ connection });

  return {
    read(keyId) {
      return read(async () => {
        const doc = await keys.findById(keyId).lean<KeyDoc>();
        return doc && keyOfDoc(doc);
      });
    },

    readMany(keyIds) {
      return read(async () => (await keys.find({ _id: { $in: keyIds } }).lean<KeyDoc[]>()).map(keyOfDoc));
    },

    listOfClan(clanId) {
      return read(async () =>
        (await keys.find({ clanId }).sort({ createdAt: 1, _id: 1 }).lean<KeyDoc[]>()).map(keyOfDoc),
      );
    },

    add: makeAddKey({ connection }),

    revoke(keyId, at, by) {
      return audited(by, async (session, note) => {
        const isOpen = { _id: keyId, revokedAt: null };
        const revoked = await keys.findOneAndUpdate(isOpen, { $set: { revokedAt: at } }, { session }).lean<KeyDoc>();
        if (revoked) {
          await note({
            action: "key.revoke",
            clanId: revoked.clanId,
            target: keyId,
            targetName: revoked.name,
            before: { revokedAt: null },
            after: { revokedAt: at },
            event: { type: "key.revoked", data: keyFactsOf(keyOfDoc(revoked)) },
          });
        }
        const doc = await keys.findById(keyId, {}, { session }).lean<KeyDoc>();
        return doc && keyOfDoc(doc);
      });
    },

    limit(keyId, limits, by) {
      return audited(by, async (session, note) => {
        const before = await keys.findById(keyId, {}, { session }).lean<KeyDoc>();
        if (!before) return null;
        const set = Object.fromEntries(Object.entries(limits).map(([name, value]) => [`limits.${name}`, value]));
        await keys.updateOne({ _id: keyId }, { $set: set }, { session });
        const old = keyOfDoc(before);
        const key = { ...old, limits: { ...old.limits, ...limits } };
        const ofKey = { clanId: key.clanId, target: keyId, targetName: key.name };
        await note({ action: "key.limit", ...ofKey, before: old.limits, after: key.limits });
        return key;
      });
    },

    async noteUses(uses) {
      const writes = [...uses].map(([keyId, at]) => ({
        updateOne: { filter: { _id: keyId }, update: { $max: { lastUsedAt: at } } },
      }));
      await rewrite(() => keys.bulkWrite(writes, { ordered: false }));
    },
  };
}
