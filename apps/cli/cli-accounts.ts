// The use cases of accounts as the CLI runs them.
import { systemClock } from "#runtime/process/clock.ts";
import { digest, randomText } from "#runtime/process/secrets.ts";
import { makeAccountStore } from "#store/accounts/account-store.ts";
import { makeClanStore } from "#store/clans/clan-store.ts";
import type { Database } from "#store/database.ts";
import { makeManageAccounts } from "#usecases/accounts/manage-accounts.ts";

export function makeCliAccounts(database: Database) {
  const clans = makeClanStore(database);
  const accounts = makeAccountStore(database);
  return { clans, accounts: makeManageAccounts({ accounts, clans, clock: systemClock, digest, randomText }) };
}
