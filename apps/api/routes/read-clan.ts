// GET /v0/clans/{clanId}.
import { clanOf, type ClanRules } from "#clans/clan-rules.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Leaderboard } from "#members/leaderboard.ts";
import type { Route } from "../endpoint.ts";
import { boostsAhead } from "#domain/boost.ts";
import { boostResponse, clanResponse } from "#contract/render.ts";

export function makeReadClanRoute({
  rules,
  leaderboard,
  clock,
}: {
  rules: ClanRules;
  leaderboard: Pick<Leaderboard, "totals">;
  clock: Clock;
}): Route<"read-clan"> {
  return async ({ principal: { clanId }, query: { include } }) => {
    const [clan, totals] = await Promise.all([
      clanOf(rules, clanId),
      include?.has("totals") ? leaderboard.totals(clanId) : undefined,
    ]);
    const boosts = boostsAhead(clan.boosts ?? [], clock.now()).map(boostResponse);
    return { status: 200, body: { ...clanResponse(clan, totals), ...(include?.has("boosts") ? { boosts } : {}) } };
  };
}
