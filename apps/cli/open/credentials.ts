// The use cases of accounts and keys as the CLI runs them.
import { systemClock } from "#runtime/process/clock.ts";
import { crc32, digest, randomText } from "#runtime/process/secrets.ts";
import { makeManageAccounts } from "#usecases/accounts/manage-accounts.ts";
import type { AccountStore } from "#usecases/accounts/ports.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";
import { makeCreateKey } from "#usecases/keys/create-key.ts";
import type { KeyStore } from "#usecases/keys/ports.ts";
import { makeRotateKey } from "#usecases/keys/rotate-key.ts";

export function makeCliAccounts({ accounts, clans }: { accounts: AccountStore; clans: ClanStore }) {
  return makeManageAccounts({ accounts, clans, clock: systemClock, digest, randomText });
}

export function makeIssueKeys({ clans, keys }: { clans: ClanStore; keys: KeyStore }) {
  const deps = { clans, keys, clock: systemClock, digest, crc32, randomText };
  return { createKey: makeCreateKey(deps), rotateKey: makeRotateKey(deps) };
}
