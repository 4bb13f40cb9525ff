// Lists a clan's keys, with what each key that has a budget per day has awarded today.
import type { Key } from "#domain/key.ts";
import { budgetDay } from "#keys/budget-day.ts";
import type { BudgetStore, KeyStore } from "#keys/ports.ts";
import type { Clock } from "#kernel/clock.ts";

type Deps = { keys: Pick<KeyStore, "listOfClan">; budgets: Pick<BudgetStore, "spentOf">; clock: Clock };
/** `spent`: by key id, only of keys with a budget per day. */
export type KeyList = { keys: readonly Key[]; spent: Map<string, number> };

export function makeListKeys({ keys, budgets, clock }: Deps) {
  return async function listKeys(clanId: string): Promise<KeyList> {
    const listed = await keys.listOfClan(clanId);
    const day = budgetDay(clock.now());
    const limited = listed.filter(({ limits }) => limits.xpPerDay !== null);
    const spent = limited.map(async ({ keyId }) => [keyId, await budgets.spentOf({ keyId, day })] as const);
    return { keys: listed, spent: new Map(await Promise.all(spent)) };
  };
}
