// GET /v0/clans/{clanId}/members: the leaderboard.
import { encodeCursor } from "#contract/page.ts";
import { clanOf, type ClanRules } from "#usecases/clans/clan-rules.ts";
import type { MemberStore } from "#usecases/members/ports.ts";
import type { Route } from "../endpoint.ts";
import { memberAnswer } from "#contract/render.ts";

export function makeListMembersRoute(world: {
  members: Pick<MemberStore, "list">;
  /** Has every process project what it committed in the clan. */
  catchUp: (clanId: string) => Promise<void>;
  rules: ClanRules;
}): Route<"list-members"> {
  return async ({ principal, query: { sort, limit, cursor } }) => {
    const after = cursor ? { xp: cursor[1], platformId: cursor[2] } : null;
    await world.catchUp(principal.clanId);
    const [clan, page] = await Promise.all([
      clanOf(world.rules, principal.clanId),
      world.members.list(principal.clanId, { sort, limit, after }),
    ]);
    return {
      status: 200,
      body: {
        members: page.items.map((member) => memberAnswer(member, clan)),
        nextCursor: page.next && encodeCursor([sort, page.next.xp.toString(), page.next.platformId]),
      },
    };
  };
}
