// The list of the clan's members, or of those that a filter selects, and its export.
import type { FilterQuery, memberEndpoints } from "#contract/dashboard/members.ts";
import { memberCursor, MemberCursor, SearchCursor, searchCursor } from "#contract/page.ts";
import { memberResponse } from "#contract/render.ts";
import type { Clan } from "#domain/clan.ts";
import type { Member } from "#domain/member.ts";
import { csvOf } from "#export/csv-text.ts";
import { memberRows } from "#export/export-rows.ts";
import { clanOf, type ClanRules } from "#clans/clan-rules.ts";
import { orderOf, type FindMembers, type FoundMembers, type MemberFilter } from "#members/find-members.ts";
import type { Leaderboard } from "#members/leaderboard.ts";
import type { NameStore } from "#names/ports.ts";
import { positionIn } from "../http/position-in.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Routes } from "../http/route.ts";

const MEMBERS_PER_PAGE = 50;
const DAY_MS = 86_400_000;

type ListedPage = { items: readonly Member[]; nextCursor: string | null };

export function makeMemberListRoutes(deps: {
  findMembers: FindMembers;
  names: Pick<NameStore, "read" | "readAll">;
  leaderboard: Pick<Leaderboard, "positions" | "order">;
  rules: ClanRules;
  clock: Pick<Clock, "now">;
}): Pick<Routes<typeof memberEndpoints>, "list-members" | "export-members"> {
  const { findMembers, names, leaderboard, rules, clock } = deps;

  function pageOf(clan: Clan, { search, ...by }: MemberFilter, cursor: string | undefined): Promise<ListedPage> {
    return search === null ? inOrder(clan, by, cursor) : found(clan, { text: search, ...by }, cursor);
  }

  async function inOrder(
    clan: Clan,
    by: Omit<MemberFilter, "search">,
    cursor: string | undefined,
  ): Promise<ListedPage> {
    const sort = orderOf(by);
    const position = positionIn(
      MemberCursor.refine((one) => one.sort === sort),
      cursor,
    );
    const page = { limit: MEMBERS_PER_PAGE, after: position?.after ?? null };
    const { items, next } = await findMembers.inOrder(clan, by, page);
    return { items, nextCursor: next && memberCursor({ sort, after: next }) };
  }

  async function found(
    clan: Clan,
    filter: Omit<MemberFilter, "search"> & { text: string },
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
      const [clan, filter] = [await clanOf(rules, clanId), filterOf(selected, clock.now())];
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
        findMembers.all(clan, filterOf(query, clock.now()), pageSize),
      );
      return { fileName: `${clanId}-members.csv`, text: csvOf("members", rows) };
    },
  };
}

function filterOf({ search, rank, idleDays }: FilterQuery, now: Date): MemberFilter {
  const idleSince = idleDays === undefined ? null : new Date(now.getTime() - Number(idleDays) * DAY_MS);
  return { search: search ?? null, rank: rank ?? null, idleSince };
}
