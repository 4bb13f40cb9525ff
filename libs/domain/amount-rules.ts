// The two rules about an amount that all endpoints share: the clan's bound comes before the scope
// (docs/reference/errors.md).
import { AMOUNT_MAX_DEFAULT } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import type { Scope } from "#domain/scope.ts";

/** What is wrong with an integer amount in this clan, or null. */
export function amountFault(amount: number, clan: Clan | undefined): string | null {
  const amountMax = clan?.amountMax ?? AMOUNT_MAX_DEFAULT;
  return Math.abs(amount) <= amountMax
    ? null
    : `Amounts of this clan are between -${amountMax} and ${amountMax}, not ${amount}.`;
}

/** True when the key may not deduct and this would. */
export function lacksDeduct(amount: number, scopes: readonly Scope[]): boolean {
  return amount < 0 && !scopes.includes("deduct");
}

export const LACKS_DEDUCT = "A negative amount requires an API key with the scope deduct. Nothing was applied.";
