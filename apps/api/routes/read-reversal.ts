// GET /v0/clans/{clanId}/reversals/{reversalId}.
import { AppError } from "#kernel/app-error.ts";
import { reversalState } from "#contract/render.ts";
import type { ReversalStore } from "#reversals/ports.ts";
import type { Route } from "../endpoint.ts";

export function makeReadReversalRoute(reversals: Pick<ReversalStore, "read">): Route<"read-reversal"> {
  return async ({ principal, params }) => {
    const reversal = await reversals.read(params.reversalId);
    // The same response for an unknown reversal and for another clan's.
    if (reversal?.clanId !== principal.clanId)
      throw new AppError("reversal_not_found", "This clan has no reversal with this id.");
    return { status: 200, body: reversalState(reversal) };
  };
}
