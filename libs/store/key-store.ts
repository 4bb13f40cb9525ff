// API keys. The bound on live keys holds however many keys are made at once: each change moves the clan's `rev`.
import type { Database } from "#store/database.ts";
import { docOfKey, keyOfDoc } from "#store/documents.ts";
import { changeUnknown, orUnavailable, orUnknown, readInTime, settled } from "#store/mongo-errors.ts";
import type { KeyDoc } from "#store/models.ts";
import type { KeyStore } from "#usecases/keys/ports.ts";

export function makeKeyStore({ models, connection }: Pick<Database, "models" | "connection">): KeyStore {
  const { keys, clans } = models;

  /** Live: neither revoked, nor expired, nor in the grace after a rotation. */
  function live(clanId: string, now: Date) {
    return { clanId, revokedAt: null, replacedBy: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  }

  return {
    read(keyId) {
      return orUnavailable(async () => {
        const doc = await keys.findById(keyId).lean<KeyDoc>();
        return doc && keyOfDoc(doc);
      });
    },

    readMany(keyIds) {
      return readInTime(async () => (await keys.find({ _id: { $in: keyIds } }).lean<KeyDoc[]>()).map(keyOfDoc));
    },

    listOfClan(clanId) {
      return orUnavailable(async () => (await keys.find({ clanId }).sort({ createdAt: 1, _id: 1 }).lean<KeyDoc[]>()).map(keyOfDoc));
    },

    add(key, { liveMax, now, replaces }) {
      return orUnavailable(async () => {
        let isCommitting = false;
        try {
          return await connection.transaction(async (session) => {
            await clans.updateOne({ _id: key.clanId }, { $inc: { rev: 1 } }, { session });
            if (replaces) {
              const replaced = await keys.updateOne(
                { _id: replaces.keyId, revokedAt: null, replacedBy: null },
                { $set: { replacedBy: key.keyId, expiresAt: replaces.expiresAt } },
                { session },
              );
              if (replaced.matchedCount === 0) return false;
            }
            const liveKeys = await keys.countDocuments(live(key.clanId, now), { session });
            if (liveKeys >= liveMax) return false;
            await keys.create([docOfKey(key)], { session });
            isCommitting = true;
            return true;
          });
        } catch (error) {
          // The driver tries a commit several times, and tells of the last.
          throw isCommitting ? changeUnknown(error) : error;
        }
      });
    },

    revoke(keyId, at) {
      return orUnknown(async () => {
        await keys.updateOne({ _id: keyId, revokedAt: null }, { $set: { revokedAt: at } });
        const doc = await keys.findById(keyId).lean<KeyDoc>();
        return doc && keyOfDoc(doc);
      });
    },

    limit(keyId, limits) {
      return orUnknown(async () => {
        const set = Object.fromEntries(Object.entries(limits).map(([name, value]) => [`limits.${name}`, value]));
        const doc = await keys.findByIdAndUpdate(keyId, { $set: set }, { returnDocument: "after" }).lean<KeyDoc>();
        return doc && keyOfDoc(doc);
      });
    },

    async noteUses(uses) {
      const writes = [...uses].map(([keyId, at]) => ({
        updateOne: { filter: { _id: keyId }, update: { $max: { lastUsedAt: at } } },
      }));
      await orUnavailable(() => settled(keys.bulkWrite(writes, { ordered: false })));
    },
  };
}
