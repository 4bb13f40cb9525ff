// The use cases of accounts as the CLI runs them.
import { systemClock } from "#runtime/process/clock.ts";
import { digest, randomText } from "#runtime/process/secrets.ts";
import { makeManageAccounts } from "#usecases/accounts/manage-accounts.ts";
import type { AccountStore } from "#usecases/accounts/ports.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";

export function makeCliAccounts({ accounts, clans }: { accounts: AccountStore; clans: ClanStore }) {
  return makeManageAccounts({ accounts, clans, clock: systemClock, digest, randomText });
}
