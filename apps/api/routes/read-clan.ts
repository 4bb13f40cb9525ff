// GET /v0/clans/{clanId}.
import { clanOf, type ClanRules } from "#usecases/clans/clan-rules.ts";
import type { Route } from "../endpoint.ts";
import { clanResponse } from "#contract/render.ts";

export function makeReadClanRoute(rules: ClanRules): Route<"read-clan"> {
  return async ({ principal }) => ({ status: 200, body: clanResponse(await clanOf(rules, principal.clanId)) });
}
