// GET /v0/clans/{clanId}/members: the leaderboard.
import { memberCursor } from "#contract/page.ts";
import { memberResponse } from "#contract/render.ts";
import { clanOf, type ClanRules } from "#usecases/clans/clan-rules.ts";
import type { MemberLists } from "#usecases/members/member-lists.ts";
import type { NameStore } from "#usecases/names/ports.ts";
import type { Route } from "../endpoint.ts";

export function makeListMembersRoute({
  lists,
  names,
  rules,
}: {
  lists: Pick<MemberLists, "page">;
  names: Pick<NameStore, "read">;
  rules: ClanRules;
}): Route<"list-members"> {
  return async ({ principal: { clanId }, query: { sort, limit, cursor, include } }) => {
    const page = { sort, limit, after: cursor?.after ?? null };
    const [clan, { items, next }] = await Promise.all([clanOf(rules, clanId), lists.page(clanId, page)]);
    const ids = items.map(({ platformId }) => platformId);
    const known = include?.has("name") ? await names.read(clanId, ids) : undefined;
    return {
      status: 200,
      body: {
        members: items.map((member) => memberResponse(member, clan, known)),
        nextCursor: next && memberCursor({ sort, after: next }),
      },
    };
  };
}
