// Identifies the caller. Rejects in this order: malformed or mistyped (without I/O), unknown, wrong secret, revoked,
// expired (docs/reference/errors.md).
import { AppError } from "#kernel/app-error.ts";
import { KEY_AGE_MAX_MS, KEY_READS_WAITING_MAX, KEYS_PER_READ_MAX, KEYS_CACHED_MAX } from "#keys/bounds.ts";
import { makeTtlCache } from "#async/ttl-cache.ts";
import { coalesceReads } from "#async/coalesce-reads.ts";
import { keyIdIn, type Crc32 } from "#domain/key-text.ts";
import type { Key, Principal } from "#domain/key.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Digest } from "#kernel/digest.ts";
import type { Meter } from "#telemetry/meter.ts";
import type { KeyStore } from "#keys/ports.ts";

/** Throws AppError `key_invalid`, `key_revoked`, `key_expired`, `unavailable`, `busy`. */
export type CheckKey = (keyText: string) => Promise<Principal>;

export function makeCheckKey(deps: {
  keys: Pick<KeyStore, "readMany">;
  clock: Clock;
  digest: Digest;
  crc32: Crc32;
  /** Compares in constant time. */
  sameText: (a: string, b: string) => boolean;
  noteUse: (keyId: string, at: Date, isFirst: boolean) => void;
  meter: Meter;
}): CheckKey {
  const { keys, clock, meter } = deps;
  // Anyone can create key texts with a valid checksum, so many of them share a few reads.
  const read = coalesceReads<Key>({
    read: async (keyIds) => new Map((await keys.readMany(keyIds)).map((key) => [key.keyId, key])),
    idsPerReadMax: KEYS_PER_READ_MAX,
    waitingMax: KEY_READS_WAITING_MAX,
  });
  const known = makeTtlCache<Key>({
    load: async ([keyId = ""]) => {
      meter.keyMiss();
      const key = await read(keyId);
      return new Map(key ? [[keyId, key]] : []);
    },
    ageMaxMs: KEY_AGE_MAX_MS,
    sizeMax: KEYS_CACHED_MAX,
    clock,
  });

  return async function checkKey(keyText) {
    const keyId = keyIdIn(keyText, deps.crc32);
    if (keyId !== null) meter.keyLookup();
    const key = keyId === null ? undefined : await known.get(keyId);
    // The same response in all three cases, so that it does not reveal which key ids exist.
    if (!key || !deps.sameText(key.hash, deps.digest(keyText))) {
      throw new AppError("key_invalid", "The API key is not valid. Check that it was copied whole.");
    }
    const now = clock.now();
    if (key.revokedAt)
      throw new AppError("key_revoked", `The key ${key.keyId} was revoked. Use another key of the clan.`);
    if (key.expiresAt && key.expiresAt <= now) {
      const successor = key.replacedBy ? ` It was replaced by the key ${key.replacedBy}.` : "";
      throw new AppError("key_expired", `The key ${key.keyId} expired at ${key.expiresAt.toISOString()}.${successor}`);
    }
    deps.noteUse(key.keyId, now, key.lastUsedAt === null);
    return { keyId: key.keyId, clanId: key.clanId, scopes: key.scopes, limits: key.limits };
  };
}
