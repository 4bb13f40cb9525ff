// GET /v0/clans/{clanId}/members/{platformId}.
import { AppError } from "#kernel/app-error.ts";
import { clanOf, type ClanRules } from "#clans/clan-rules.ts";
import type { Leaderboard } from "#members/leaderboard.ts";
import type { MemberStore } from "#members/ports.ts";
import type { NameStore } from "#names/ports.ts";
import type { Route } from "../endpoint.ts";
import { memberResponse } from "#contract/render.ts";

export function makeReadMemberRoute(deps: {
  members: Pick<MemberStore, "read">;
  names: Pick<NameStore, "read">;
  leaderboard: Pick<Leaderboard, "positions">;
  rules: ClanRules;
}): Route<"read-member"> {
  return async ({ principal, params, query: { include } }) => {
    const [clan, member, names] = await Promise.all([
      clanOf(deps.rules, principal.clanId),
      deps.members.read({ clanId: principal.clanId, platformId: params.platformId }),
      include?.has("name") ? deps.names.read(principal.clanId, [params.platformId]) : undefined,
    ]);
    if (!member) throw new AppError("member_not_found", "Nothing is stored for this player in this clan.");
    const positions = include?.has("position")
      ? await deps.leaderboard.positions(principal.clanId, [member])
      : undefined;
    return { status: 200, body: memberResponse(member, clan, { names, positions }) };
  };
}
