// Adds an API key. The bound on live keys holds even if several are added at the same time: each addition changes the
// clan's `rev`.
import { keyFactsOf } from "#domain/event.ts";
import type { Key } from "#domain/key.ts";
import { makeAudited } from "#audit/store/audited.ts";
import { touchClan } from "#clans/store/touch-clan.ts";
import type { Database } from "#mongo/database.ts";
import { docOfKey, keyOfDoc, type KeyDoc } from "#keys/store/key-model.ts";
import type { KeyStore } from "#keys/ports.ts";

export function makeAddKey({ db }: Pick<Database, "db">): KeyStore["add"] {
  const keys = () => db().collection<KeyDoc>("keys");
  const audited = makeAudited({ db });

  return (key, { liveMax, now, replaces }, by) => {
    const { clanId, keyId } = key;
    return audited(by, async (session, note) => {
      await touchClan({ db }, clanId, session);
      const succession = replaces && { replacedBy: keyId, expiresAt: replaces.expiresAt };
      if (replaces && succession) {
        const isLive = { _id: replaces.keyId, revokedAt: null, replacedBy: null };
        const replaced = await keys().findOneAndUpdate(isLive, { $set: succession }, { session });
        if (!replaced) return false;
        const before = { replacedBy: null, expiresAt: replaced.expiresAt };
        const data = { ...keyFactsOf(keyOfDoc(replaced)), replacedBy: keyId, graceEndsAt: replaces.expiresAt };
        const event = { type: "key.rotated", data } as const;
        const ofKey = { clanId, target: replaces.keyId, targetName: replaced.name };
        await note({ action: "key.rotate", ...ofKey, before, after: succession, event });
      } else {
        const event = { type: "key.created", data: keyFactsOf(key) } as const;
        const ofKey = { clanId, target: keyId, targetName: key.name };
        await note({ action: "key.create", ...ofKey, before: null, after: shownOf(key), event });
      }
      const liveKeys = await keys().countDocuments(live(clanId, now), { session });
      if (liveKeys >= liveMax) {
        await session.abortTransaction();
        return false;
      }
      await keys().insertOne(docOfKey(key), { session });
      return true;
    });
  };
}

/** Live: not revoked, not expired, and not in the grace period after a rotation. */
function live(clanId: string, now: Date) {
  return { clanId, revokedAt: null, replacedBy: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
}

/** The fields of a key in an audit record: nothing of its secret, not even its hash or its last characters. */
function shownOf({ name, scopes, limits, expiresAt }: Key): object {
  return { name, scopes, limits, expiresAt };
}
