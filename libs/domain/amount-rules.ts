// The two rules about an amount that all endpoints share. The clan's bound is checked before the scope
// (docs/reference/errors.md).
import { AMOUNT_MAX_DEFAULT } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import type { Scope } from "#domain/scope.ts";

/** Why an integer amount is not allowed in this clan; null if it is. */
export function amountFault(amount: number, clan: Clan | undefined): string | null {
  const amountMax = clan?.amountMax ?? AMOUNT_MAX_DEFAULT;
  return Math.abs(amount) <= amountMax
    ? null
    : `Amounts of this clan are between -${amountMax} and ${amountMax}, not ${amount}.`;
}

/** True if the amount deducts and the key may not. */
export function lacksDeduct(amount: number, scopes: readonly Scope[]): boolean {
  return amount < 0 && !scopes.includes("deduct");
}

export const LACKS_DEDUCT = "A negative amount requires an API key with the scope deduct. Nothing was applied.";
