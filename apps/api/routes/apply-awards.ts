// POST /v0/clans/{clanId}/awards.
import type { ApplyAwards } from "#awards/apply-awards.ts";
import type { AppError } from "#kernel/app-error.ts";
import type { Route } from "../endpoint.ts";
import { awardsResponse } from "#contract/render.ts";

/** `noteFailure`: counts and logs an award that failed while others did not. */
export function makeApplyAwardsRoute(deps: {
  applyAwards: ApplyAwards;
  noteFailure: (error: AppError) => void;
}): Route<"apply-awards"> {
  return async ({ principal, query, body, holdAwards, spendAwards }) => {
    const { awards } = body;
    holdAwards(awards.length);
    const results = await deps.applyAwards({ principal, awards, spendAwards });
    for (const result of results) if (result.kind === "failed") deps.noteFailure(result.error);
    return { status: 200, body: awardsResponse(awards, results, query.include === "change") };
  };
}
