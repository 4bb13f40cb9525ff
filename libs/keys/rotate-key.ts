// Replaces an API key: its successor is valid immediately, and the old key remains valid for a grace period.
import type { Actor } from "#domain/audit.ts";
import { LIVE_KEYS_PER_CLAN_MAX } from "#domain/bounds.ts";
import type { Key } from "#domain/key.ts";
import { KEY_GRACE_MAX_MS } from "#keys/bounds.ts";
import { issue, type IssuedKey, type IssueDeps, type KeyRejection } from "#keys/issue-key.ts";

/** `graceMs` 0 ends the old key immediately. The successor of a key that expires gets a lifetime of the same length. */
export type RotateKey = (request: { keyId: string; graceMs: number }, by: Actor) => Promise<IssuedKey | KeyRejection>;

export function makeRotateKey(deps: IssueDeps): RotateKey {
  return async function rotateKey({ keyId, graceMs }, by) {
    const old = await deps.keys.read(keyId);
    if (!old) return { kind: "no_key", detail: `There is no key ${keyId}.` };
    const now = deps.clock.now();
    const ended = endOf(old, now);
    if (ended) return { kind: "not_live", detail: `The key ${keyId} ${ended}: create a new key instead.` };

    const graceEnd = new Date(now.getTime() + Math.min(graceMs, KEY_GRACE_MAX_MS));
    const issued = issue(deps, {
      clanId: old.clanId,
      name: old.name,
      scopes: old.scopes,
      limits: old.limits,
      createdAt: now,
      expiresAt: old.expiresAt && new Date(now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime()),
    });
    const expiresAt = old.expiresAt && old.expiresAt < graceEnd ? old.expiresAt : graceEnd;
    const added = await deps.keys.add(
      issued.key,
      { liveMax: LIVE_KEYS_PER_CLAN_MAX, now, replaces: { keyId, expiresAt } },
      by,
    );
    return added ? issued : { kind: "not_live", detail: `The key ${keyId} was revoked or replaced meanwhile.` };
  };
}

function endOf(key: Key, now: Date): string | null {
  if (key.revokedAt) return "was revoked";
  if (key.replacedBy) return `was already replaced by ${key.replacedBy}`;
  if (key.expiresAt && key.expiresAt <= now) return "has expired";
  return null;
}
