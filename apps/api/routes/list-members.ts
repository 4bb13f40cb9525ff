// GET /v0/clans/{clanId}/members: the leaderboard, or members of it.
import { AppError } from "#kernel/app-error.ts";
import type { Member } from "#domain/member.ts";
import { timestampOf } from "#domain/timestamp.ts";
import { formOf, rowsOf } from "#contract/list-form.ts";
import { sortOf } from "#contract/members.ts";
import { memberCursor } from "#contract/page.ts";
import { memberResponse } from "#contract/render.ts";
import { clanOf, type ClanRules } from "#clans/clan-rules.ts";
import type { Leaderboard } from "#members/leaderboard.ts";
import type { MemberLists } from "#members/member-lists.ts";
import type { ListPosition, MemberStore } from "#members/ports.ts";
import type { NameStore } from "#names/ports.ts";
import type { Call, Route } from "../endpoint.ts";

type Found = { items: readonly Member[]; next: ListPosition | null; missing?: string[] };
type ReadDeps = { members: Pick<MemberStore, "readMany">; lists: Pick<MemberLists, "page" | "around"> };

export function makeListMembersRoute({
  names,
  leaderboard,
  rules,
  ...reads
}: ReadDeps & {
  names: Pick<NameStore, "read">;
  leaderboard: Pick<Leaderboard, "positions">;
  rules: ClanRules;
}): Route<"list-members"> {
  return ({ principal: { clanId }, query, inTurn }) =>
    inTurn(rowsOf(formOf(query)), async () => {
      const [{ include }, sort] = [query, sortOf(query)];
      const [clan, { items, next, missing }] = await Promise.all([clanOf(rules, clanId), find(reads, clanId, query)]);
      const ids = items.map(({ platformId }) => platformId);
      const [known, positions] = await Promise.all([
        include?.has("name") ? names.read(clanId, ids) : undefined,
        include?.has("position") ? leaderboard.positions(clanId, items) : undefined,
      ]);
      return {
        status: 200,
        body: {
          members: items.map((member) => memberResponse(member, clan, { names: known, positions })),
          ...(missing ? { missing } : {}),
          nextCursor: next && memberCursor({ sort, after: next }),
        },
      };
    });
}

async function find(
  { members, lists }: ReadDeps,
  clanId: string,
  query: Call<"list-members">["query"],
): Promise<Found> {
  const form = formOf(query);
  switch (form.kind) {
    case "page":
      return lists.page(clanId, {
        sort: sortOf(query),
        limit: form.limit,
        after: form.cursor?.after ?? null,
        idleSince: query.idleSince === undefined ? null : timestampOf(query.idleSince),
      });
    case "around": {
      const found = await lists.around(clanId, form);
      if (found) return found;
      throw new AppError("member_not_found", "This player is not in the clan's leaderboard.");
    }
    case "named": {
      const stored = await members.readMany(clanId, form.platformIds);
      return {
        items: form.platformIds.flatMap((platformId) => stored.get(platformId) ?? []),
        next: null,
        missing: form.platformIds.filter((platformId) => !stored.has(platformId)),
      };
    }
  }
}
