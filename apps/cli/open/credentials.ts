// The use cases of accounts and keys as the CLI runs them.
import { systemClock } from "#process/clock.ts";
import { crc32, digest, randomText } from "#process/secrets.ts";
import { makeManageAccounts } from "#accounts/manage-accounts.ts";
import type { AccountStore } from "#accounts/ports.ts";
import type { ClanStore } from "#clans/ports.ts";
import { makeCreateKey } from "#keys/create-key.ts";
import type { KeyStore } from "#keys/ports.ts";
import { makeRotateKey } from "#keys/rotate-key.ts";

export function makeCliAccounts({ accounts, clans }: { accounts: AccountStore; clans: ClanStore }) {
  return makeManageAccounts({ accounts, clans, clock: systemClock, digest, randomText });
}

export function makeIssueKeys({ clans, keys }: { clans: ClanStore; keys: KeyStore }) {
  const deps = { clans, keys, clock: systemClock, digest, crc32, randomText };
  return { createKey: makeCreateKey(deps), rotateKey: makeRotateKey(deps) };
}
