// An API key as it is stored: its secret only as a hash, its state as timestamps.
import type { KeyLimits } from "#domain/key-limits.ts";
import type { Scope } from "#domain/scope.ts";

export type Key = {
  keyId: string;
  clanId: string;
  name: string;
  /** SHA-256 of the whole key text. */
  hash: string;
  /** The last characters of the key text, for people who compare. */
  hint: string;
  scopes: readonly Scope[];
  limits: KeyLimits;
  createdAt: Date;
  /** Also the end of the grace period, once the key was replaced. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  replacedBy: string | null;
  lastUsedAt: Date | null;
};

/** The caller: a key whose secret was presented. */
export type Principal = Pick<Key, "keyId" | "clanId" | "scopes" | "limits">;
