// API keys. The bound on live keys holds however many keys are made at once: each change moves the clan's `rev`.
import { makeAudited } from "#store/audited.ts";
import type { Database } from "#store/database.ts";
import { docOfKey, keyOfDoc } from "#store/documents.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import type { KeyDoc } from "#store/models.ts";
import type { Key } from "#domain/key.ts";
import type { KeyStore } from "#usecases/keys/ports.ts";

export function makeKeyStore({ models, connection }: Pick<Database, "models" | "connection">): KeyStore {
  const { keys, clans } = models;
  const audited = makeAudited({ models, connection });

  /** Live: neither revoked, nor expired, nor in the grace after a rotation. */
  function live(clanId: string, now: Date) {
    return { clanId, revokedAt: null, replacedBy: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  }

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

    add(key, { liveMax, now, replaces }, by) {
      const { clanId, keyId } = key;
      return audited(by, async (session, note) => {
        await clans.updateOne({ _id: clanId }, { $inc: { rev: 1 } }, { session });
        const succession = replaces && { replacedBy: keyId, expiresAt: replaces.expiresAt };
        if (replaces && succession) {
          const isLive = { _id: replaces.keyId, revokedAt: null, replacedBy: null };
          const replaced = await keys.findOneAndUpdate(isLive, { $set: succession }, { session }).lean<KeyDoc>();
          if (!replaced) return false;
          const before = { replacedBy: null, expiresAt: replaced.expiresAt };
          await note({ action: "key.rotate", clanId, target: replaces.keyId, before, after: succession });
        } else {
          await note({ action: "key.create", clanId, target: keyId, before: null, after: shownOf(key) });
        }
        const liveKeys = await keys.countDocuments(live(clanId, now), { session });
        if (liveKeys >= liveMax) {
          await session.abortTransaction();
          return false;
        }
        await keys.create([docOfKey(key)], { session });
        return true;
      });
    },

    revoke(keyId, at, by) {
      return audited(by, async (session, note) => {
        const isOpen = { _id: keyId, revokedAt: null };
        const revoked = await keys.findOneAndUpdate(isOpen, { $set: { revokedAt: at } }, { session }).lean<KeyDoc>();
        if (revoked) {
          await note({
            action: "key.revoke",
            clanId: revoked.clanId,
            target: keyId,
            before: { revokedAt: null },
            after: { revokedAt: at },
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
        await note({ action: "key.limit", clanId: key.clanId, target: keyId, before: old.limits, after: key.limits });
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

/** What an audit record says of a key: nothing of its secret, not even its hash or its last characters. */
function shownOf({ name, scopes, limits, expiresAt }: Key): object {
  return { name, scopes, limits, expiresAt };
}
