// Revokes an API key, permanently. An earlier revocation keeps its time.
import type { Actor } from "#domain/audit.ts";
import type { Key } from "#domain/key.ts";
import type { KeyStore } from "#keys/ports.ts";
import type { Clock } from "#kernel/clock.ts";

/** The key after its revocation; null if there is none. */
export type RevokeKey = (keyId: string, by: Actor) => Promise<Key | null>;

export function makeRevokeKey({ keys, clock }: { keys: Pick<KeyStore, "revoke">; clock: Clock }): RevokeKey {
  return (keyId, by) => keys.revoke(keyId, clock.now(), by);
}
