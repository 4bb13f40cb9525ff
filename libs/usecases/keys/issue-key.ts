// Makes keys: a new one, or the successor of one that lives on for a grace.
import type { Actor } from "#domain/audit.ts";
import { LIVE_KEYS_PER_CLAN_MAX } from "#domain/bounds.ts";
import { KEY_LIMITS_DEFAULT } from "#domain/key-limits.ts";
import { KEY_GRACE_MAX_MS } from "#usecases/bounds.ts";
import { formatKeyText, hintOf, KEY_ID_CHARS, SECRET_CHARS, type Crc32 } from "#domain/key-text.ts";
import type { Scope } from "#domain/scope.ts";
import type { Key } from "#domain/key.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";
import type { Clock, Digest } from "#usecases/ports.ts";
import type { KeyStore } from "#usecases/keys/ports.ts";

/** `secret` is the whole key text. It is nowhere else and never shown again. */
export type IssuedKey = { kind: "issued"; key: Key; secret: string };
export type KeyRefusal = { kind: "no_clan" | "no_key" | "too_many_keys" | "not_live"; detail: string };

export type CreateKey = (
  request: { clanId: string; name: string; scopes: readonly Scope[]; expiresAt: Date | null },
  by: Actor,
) => Promise<IssuedKey | KeyRefusal>;
/** `graceMs` 0 ends the old key at once. A key with a bounded life gets a successor with a life of the same length. */
export type RotateKey = (request: { keyId: string; graceMs: number }, by: Actor) => Promise<IssuedKey | KeyRefusal>;

type World = {
  clans: Pick<ClanStore, "read">;
  keys: KeyStore;
  clock: Clock;
  digest: Digest;
  crc32: Crc32;
  /** Cryptographically random base62 characters. */
  randomText: (chars: number) => string;
};

const TOO_MANY = `A clan has at most ${LIVE_KEYS_PER_CLAN_MAX} live keys. Revoke one, or rotate one instead.`;

export function makeCreateKey(world: World): CreateKey {
  return async function createKey({ clanId, name, scopes, expiresAt }, by) {
    const clans = await world.clans.read([clanId]);
    if (!clans.has(clanId)) return { kind: "no_clan", detail: `There is no clan ${clanId}.` };
    const now = world.clock.now();
    const issued = issue(world, { clanId, name, scopes, limits: KEY_LIMITS_DEFAULT, createdAt: now, expiresAt });
    const added = await world.keys.add(issued.key, { liveMax: LIVE_KEYS_PER_CLAN_MAX, now }, by);
    return added ? issued : { kind: "too_many_keys", detail: TOO_MANY };
  };
}

export function makeRotateKey(world: World): RotateKey {
  return async function rotateKey({ keyId, graceMs }, by) {
    const old = await world.keys.read(keyId);
    if (!old) return { kind: "no_key", detail: `There is no key ${keyId}.` };
    const now = world.clock.now();
    const ended = endOf(old, now);
    if (ended) return { kind: "not_live", detail: `The key ${keyId} ${ended}: create a new key instead.` };

    const graceEnd = new Date(now.getTime() + Math.min(graceMs, KEY_GRACE_MAX_MS));
    const issued = issue(world, {
      clanId: old.clanId,
      name: old.name,
      scopes: old.scopes,
      limits: old.limits,
      createdAt: now,
      expiresAt: old.expiresAt && new Date(now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime()),
    });
    const expiresAt = old.expiresAt && old.expiresAt < graceEnd ? old.expiresAt : graceEnd;
    const added = await world.keys.add(issued.key, { liveMax: LIVE_KEYS_PER_CLAN_MAX, now, replaces: { keyId, expiresAt } }, by);
    return added ? issued : { kind: "not_live", detail: `The key ${keyId} was revoked or replaced meanwhile.` };
  };
}

function endOf(key: Key, now: Date): string | null {
  if (key.revokedAt) return "was revoked";
  if (key.replacedBy) return `was already replaced by ${key.replacedBy}`;
  if (key.expiresAt && key.expiresAt <= now) return "has expired";
  return null;
}

function issue(world: World, facts: Pick<Key, "clanId" | "name" | "scopes" | "limits" | "createdAt" | "expiresAt">): IssuedKey {
  const keyId = world.randomText(KEY_ID_CHARS);
  const secret = formatKeyText({ keyId, secret: world.randomText(SECRET_CHARS) }, world.crc32);
  const key: Key = {
    ...facts,
    keyId,
    hash: world.digest(secret),
    hint: hintOf(secret),
    revokedAt: null,
    replacedBy: null,
    lastUsedAt: null,
  };
  return { kind: "issued", key, secret };
}
