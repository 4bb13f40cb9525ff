// GET /v0/clans/{clanId}.
import { clanOf, type ClanRules } from "#usecases/clans/clan-rules.ts";
import type { Clock } from "#runtime/ports.ts";
import type { Route } from "../endpoint.ts";
import { boostsAhead } from "#domain/boost.ts";
import { boostResponse, clanResponse } from "#contract/render.ts";

export function makeReadClanRoute({ rules, clock }: { rules: ClanRules; clock: Clock }): Route<"read-clan"> {
  return async ({ principal, query: { include } }) => {
    const clan = await clanOf(rules, principal.clanId);
    const boosts = boostsAhead(clan.boosts ?? [], clock.now()).map(boostResponse);
    return { status: 200, body: { ...clanResponse(clan), ...(include?.has("boosts") ? { boosts } : {}) } };
  };
}
