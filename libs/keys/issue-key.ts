// Creates the parts of a new key: its text, which is returned once, and the record, which contains only a hash of it.
import { formatKeyText, hintOf, KEY_ID_CHARS, SECRET_CHARS, type Crc32 } from "#domain/key-text.ts";
import type { Key } from "#domain/key.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { KeyStore } from "#keys/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Digest } from "#kernel/digest.ts";

/** `secret` is the whole key text. It is stored nowhere and shown only once. */
export type IssuedKey = { kind: "issued"; key: Key; secret: string };
export type KeyRejection = { kind: "no_clan" | "no_key" | "too_many_keys" | "not_live"; detail: string };

export type IssueDeps = {
  clans: Pick<ClanStore, "read">;
  keys: KeyStore;
  clock: Clock;
  digest: Digest;
  crc32: Crc32;
  /** Cryptographically random base62 characters. */
  randomText: (chars: number) => string;
};

export function issue(
  deps: Pick<IssueDeps, "digest" | "crc32" | "randomText">,
  facts: Pick<Key, "clanId" | "name" | "scopes" | "limits" | "createdAt" | "expiresAt">,
): IssuedKey {
  const keyId = deps.randomText(KEY_ID_CHARS);
  const secret = formatKeyText({ keyId, secret: deps.randomText(SECRET_CHARS) }, deps.crc32);
  const key: Key = {
    ...facts,
    keyId,
    hash: deps.digest(secret),
    hint: hintOf(secret),
    revokedAt: null,
    replacedBy: null,
    lastUsedAt: null,
  };
  return { kind: "issued", key, secret };
}
