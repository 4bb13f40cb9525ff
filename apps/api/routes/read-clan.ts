// GET /v0/clans/{clanId}.
import { clanOf, type ClanRules } from "#usecases/clans/clan-rules.ts";
import type { Leaderboard } from "#usecases/members/leaderboard.ts";
import type { Route } from "../endpoint.ts";
import { clanResponse } from "#contract/render.ts";

export function makeReadClanRoute({
  rules,
  leaderboard,
}: {
  rules: ClanRules;
  leaderboard: Pick<Leaderboard, "totals">;
}): Route<"read-clan"> {
  return async ({ principal: { clanId }, query: { include } }) => {
    const [clan, totals] = await Promise.all([
      clanOf(rules, clanId),
      include?.has("totals") ? leaderboard.totals(clanId) : undefined,
    ]);
    return { status: 200, body: clanResponse(clan, totals) };
  };
}
