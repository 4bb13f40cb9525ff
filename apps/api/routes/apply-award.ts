// POST /v0/clans/{clanId}/members/{platformId}/xp.
import type { ApplyAward } from "#awards/apply-award.ts";
import type { Route } from "../endpoint.ts";
import { awardResponse } from "#contract/render.ts";

export function makeApplyAwardRoute(applyAward: ApplyAward): Route<"apply-award"> {
  return async ({ principal, params, query, headers, body, holdAwards, spendAwards }) => {
    holdAwards(1);
    const { entry, replayed } = await applyAward({
      principal,
      award: { platformId: params.platformId, ...body, idempotencyKey: headers["Idempotency-Key"] },
      spendAwards,
    });
    return {
      status: 200,
      ...(replayed ? { headers: ["idempotency-replayed", "true"] } : {}),
      body: awardResponse(entry, query.include === "change"),
    };
  };
}
