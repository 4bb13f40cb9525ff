// API keys; each change is written with its audit record.
import { keyFactsOf } from "#domain/event.ts";
import { makeAddKey } from "#keys/store/add-key.ts";
import { makeAudited } from "#audit/store/audited.ts";
import type { Database } from "#mongo/database.ts";
import { keyOfDoc, type KeyDoc } from "#keys/store/key-model.ts";
import { read, rewrite } from "#mongo/mongo-calls.ts";
import type { KeyStore } from "#keys/ports.ts";

export function makeKeyStore({ db }: Pick<Database, "db">): KeyStore {
  const keys = () => db().collection<KeyDoc>("keys");
  const audited = makeAudited({ db });

  return {
    read(keyId) {
      return read(async () => {
        const doc = await keys().findOne({ _id: keyId });
        return doc && keyOfDoc(doc);
      });
    },

    readMany(keyIds) {
      return read(async () =>
        (
          await keys()
            .find({ _id: { $in: keyIds } })
            .toArray()
        ).map(keyOfDoc),
      );
    },

    listOfClan(clanId) {
      return read(async () => (await keys().find({ clanId }).sort({ createdAt: 1, _id: 1 }).toArray()).map(keyOfDoc));
    },

    add: makeAddKey({ db }),

    revoke(keyId, at, by) {
      return audited(by, async (session, note) => {
        const isOpen = { _id: keyId, revokedAt: null };
        const revoked = await keys().findOneAndUpdate(isOpen, { $set: { revokedAt: at } }, { session });
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
        const doc = await keys().findOne({ _id: keyId }, { session });
        return doc && keyOfDoc(doc);
      });
    },

    limit(keyId, limits, by) {
      return audited(by, async (session, note) => {
        const before = await keys().findOne({ _id: keyId }, { session });
        if (!before) return null;
        const set = Object.fromEntries(Object.entries(limits).map(([name, value]) => [`limits.${name}`, value]));
        await keys().updateOne({ _id: keyId }, { $set: set }, { session });
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
      await rewrite(() => keys().bulkWrite(writes, { ordered: false }));
    },
  };
}
