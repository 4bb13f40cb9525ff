// The list of the clan's members, or of those that a filter selects, and its export.
import type { memberEndpoints } from "#contract/dashboard/members.ts";
import { memberCursor, MemberCursor, SearchCursor, searchCursor } from "#contract/page.ts";
import { memberResponse } from "#contract/render.ts";
import type { Clan } from "#domain/clan.ts";
import type { Member } from "#domain/member.ts";
import { csvOf } from "#export/csv-text.ts";
import { memberRows } from "#export/export-rows.ts";
import { clanOf, type ClanRules } from "#usecases/clans/clan-rules.ts";
import type { FindMembers, FoundMembers, MemberFilter } from "#usecases/members/find-members.ts";
import type { Leaderboard } from "#usecases/members/leaderboard.ts";
import type { NameStore } from "#usecases/names/ports.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";

const MEMBERS_PER_PAGE = 50;

type ListedPage = { items: readonly Member[]; nextCursor: string | null };

export function makeMemberListRoutes(deps: {
  findMembers: FindMembers;
  names: Pick<NameStore, "read">;
  leaderboard: Pick<Leaderboard, "positions" | "order">;
  rules: ClanRules;
}): Pick<Routes<typeof memberEndpoints>, "list-members" | "export-members"> {
  const { findMembers, names, leaderboard, rules } = deps;

  function pageOf(clan: Clan, { search, rank }: MemberFilter, cursor: string | undefined): Promise<ListedPage> {
    return search === null ? ranked(clan, rank, cursor) : found(clan, { text: search, rank }, cursor);
  }

  async function ranked(clan: Clan, rank: string | null, cursor: string | undefined): Promise<ListedPage> {
    const sort = "xp";
    const position = positionIn(
      MemberCursor.refine((one) => one.sort === sort),
      cursor,
    );
    const page = { limit: MEMBERS_PER_PAGE, after: position?.after ?? null };
    const { items, next } = await findMembers.ofRank(clan, rank, page);
    return { items, nextCursor: next && memberCursor({ sort, after: next }) };
  }

  async function found(
    clan: Clan,
    filter: { text: string; rank: string | null },
    cursor: string | undefined,
  ): Promise<ListedPage> {
    const after = positionIn(SearchCursor, cursor);
    const { items, next } = await findMembers.searched(clan, filter, { limit: MEMBERS_PER_PAGE, after });
    return { items, nextCursor: next && searchCursor(next) };
  }

  /** Of the first page, which may have all of them. */
  function countOf(clan: Clan, filter: MemberFilter, { items, nextCursor }: ListedPage): Promise<FoundMembers | null> {
    if (nextCursor === null) return Promise.resolve({ value: items.length, accuracy: "exact" });
    return findMembers.count(clan, filter);
  }

  return {
    async "list-members"({ params: { clanId }, query: { cursor, ...selected } }) {
      const [clan, filter] = [await clanOf(rules, clanId), filterOf(selected)];
      const page = await pageOf(clan, filter, cursor);
      const { items, nextCursor } = page;
      const ids = items.map(({ platformId }) => platformId);
      const [known, positions, count] = await Promise.all([
        names.read(clanId, ids),
        leaderboard.positions(clanId, items),
        cursor === undefined ? countOf(clan, filter, page) : null,
      ]);
      const members = items.map((member) => memberResponse(member, clan, { names: known, positions }));
      return { members, nextCursor, found: count };
    },

    async "export-members"({ params: { clanId }, query }) {
      const clan = await clanOf(rules, clanId);
      const rows = memberRows({ leaderboard, names }, clan, (pageSize) =>
        findMembers.all(clan, filterOf(query), pageSize),
      );
      return { fileName: `${clanId}-members.csv`, text: csvOf("members", rows) };
    },
  };
}

function filterOf({ search, rank }: { search?: string | undefined; rank?: string | undefined }): MemberFilter {
  return { search: search ?? null, rank: rank ?? null };
}
