// The two rules about an amount that both endpoints share, in the order of CONTRACT 4.
import { AMOUNT_MAX_DEFAULT } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import type { Scope } from "#domain/scope.ts";

export type AmountRefusal = { code: "invalid_request" | "scope_missing"; detail: string };

/** Why this amount may not be asked for by this key, or null. `amount` is an integer. */
export function admitAmount(request: { amount: number; clan: Clan | undefined; scopes: readonly Scope[] }): AmountRefusal | null {
  const amountMax = request.clan?.amountMax ?? AMOUNT_MAX_DEFAULT;
  if (Math.abs(request.amount) > amountMax) {
    return { code: "invalid_request", detail: `The amount is -${amountMax} to ${amountMax} for this clan, not ${request.amount}.` };
  }
  if (request.amount < 0 && !request.scopes.includes("deduct")) {
    return { code: "scope_missing", detail: "A negative amount needs a key with the scope deduct." };
  }
  return null;
}
