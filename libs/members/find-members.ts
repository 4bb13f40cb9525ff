// Lists and counts the members of a clan that a filter selects: the holders of a rank, those that a search finds, those
// without an award for some time, or all of it.
import { pause } from "#async/pause.ts";
import type { Clan } from "#domain/clan.ts";
import { isIdle, type Member } from "#domain/member.ts";
import { filled, type Limited, type Page } from "#domain/page.ts";
import { EXACT_POSITIONS_MAX, isListed, sizeOf } from "#domain/position.ts";
import { hasRank, rankHolders } from "#domain/rank-holders.ts";
import { COUNT_WAIT_MS, FILTERED_READS_MAX, FOUND_COUNTED_MAX, IDLE_COUNTED_MAX } from "#members/bounds.ts";
import type { Leaderboard } from "#members/leaderboard.ts";
import type { MemberLists } from "#members/member-lists.ts";
import type { ListPosition } from "#members/ports.ts";
import type { SearchMembers, SearchPosition } from "#members/search-members.ts";

/** `rank`: its name. `idleSince`: the newest award is before it, or there is none. Null: all of them. */
type Condition = { rank: string | null; idleSince: Date | null };
export type MemberFilter = Condition & { search: string | null };

/** `about`: of a large clan, as it was counted last. `atLeast`: there are more, which are not counted. */
export type FoundMembers = { value: number; accuracy: "exact" | "about" | "atLeast" };

/** A page may be short or empty although there are more, because it looks through a bounded number of members. */
export type FindMembers = {
  /** In this order: without a rank, that of `orderOf`; with one, they are on the leaderboard. */
  inOrder(clan: Clan, filter: Condition, page: Limited<ListPosition>): Promise<Page<Member, ListPosition>>;
  searched(
    clan: Clan,
    filter: Condition & { text: string },
    page: Limited<SearchPosition>,
  ): Promise<Page<Member, SearchPosition>>;
  /** In pages; those of no search by platformId. */
  all(clan: Clan, filter: MemberFilter, pageSize: number): AsyncGenerator<Member[]>;
  /** Null: they are being counted for the first time. */
  count(clan: Clan, filter: MemberFilter): Promise<FoundMembers | null>;
};

type Lists = { lists: Pick<MemberLists, "page" | "holders" | "all">; searchMembers: SearchMembers };

/** Without their numbers. Throws AppError `unavailable`. */
export function makeFilterMembers({ lists, searchMembers }: Lists): Omit<FindMembers, "count"> {
  function search(clan: Clan, { text, ...by }: Condition & { text: string }, page: Limited<SearchPosition>) {
    // Without a condition, a page is as full as the search makes it.
    const isFiltered = by.rank !== null || by.idleSince !== null;
    return filled(page, isFiltered ? FILTERED_READS_MAX : 1, async (part) => {
      const { items, next } = await searchMembers(clan.clanId, { text, ...part });
      return { items: items.filter((member) => matches(clan, member, by)), next };
    });
  }

  return {
    async inOrder(clan, by, page) {
      const { rank, idleSince } = by;
      if (rank === null) return lists.page(clan.clanId, { sort: orderOf(by), idleSince, ...page });
      const holders = rankHolders(clan, rank);
      if (!holders) return { items: [], next: null };
      return filled(page, FILTERED_READS_MAX, async (part) => {
        const { items, next } = await lists.holders(clan.clanId, holders, part);
        return { items: items.filter((member) => matches(clan, member, by)), next };
      });
    },

    searched: search,

    async *all(clan, { search: text, ...by }, pageSize) {
      if (text === null) {
        for await (const members of lists.all(clan.clanId, pageSize)) {
          // A rank's list has those on the leaderboard.
          yield members.filter((member) => (by.rank === null || isListed(member)) && matches(clan, member, by));
        }
        return;
      }
      let page: Page<Member, SearchPosition> = { items: [], next: null };
      do {
        page = await search(clan, { text, ...by }, { limit: pageSize, after: page.next });
        yield page.items;
      } while (page.next);
    },
  };
}

/** Those of no rank have the order of the leaderboard, or the oldest award first. */
export function orderOf({ rank, idleSince }: Condition): "xp" | "lastAwardAt" {
  return rank === null && idleSince ? "lastAwardAt" : "xp";
}

function matches(clan: Clan, member: Member, { rank, idleSince }: Condition): boolean {
  return hasRank(clan, member, rank) && (idleSince === null || isIdle(member, idleSince));
}

/** Throws AppError `unavailable`. */
export function makeFindMembers(
  deps: Lists & {
    lists: Pick<MemberLists, "countIdle">;
    leaderboard: Pick<Leaderboard, "order">;
    countRanks: (clanId: string) => Promise<readonly { name: string; members: number }[]>;
  },
): FindMembers {
  const { lists, searchMembers, leaderboard, countRanks } = deps;
  const found = makeFilterMembers(deps);

  async function countOfRank({ clanId }: Clan, rank: string): Promise<FoundMembers | null> {
    const ranks = await Promise.race([countRanks(clanId), pause(COUNT_WAIT_MS)]);
    if (!ranks) return null;
    const all = ranks.reduce((sum, { members }) => sum + members, 0);
    const value = ranks.find(({ name }) => name === rank)?.members ?? 0;
    return { value, accuracy: all > EXACT_POSITIONS_MAX ? "about" : "exact" };
  }

  return {
    ...found,

    async count(clan, { search: text, ...by }) {
      const first = { limit: FOUND_COUNTED_MAX, after: null };
      if (text !== null) {
        const { items, next } = await searchMembers(clan.clanId, { text, ...first });
        const value = items.filter((member) => matches(clan, member, by)).length;
        return { value, accuracy: next ? "atLeast" : "exact" };
      }
      const { rank, idleSince } = by;
      if (idleSince && rank !== null) {
        const { items, next } = await found.inOrder(clan, by, first);
        return { value: items.length, accuracy: next ? "atLeast" : "exact" };
      }
      if (idleSince) {
        const value = await lists.countIdle(clan.clanId, idleSince, IDLE_COUNTED_MAX);
        return { value, accuracy: value < IDLE_COUNTED_MAX ? "exact" : "atLeast" };
      }
      if (rank !== null) return countOfRank(clan, rank);
      const order = await leaderboard.order(clan.clanId);
      return { value: sizeOf(order), accuracy: order.fences.length > 0 ? "about" : "exact" };
    },
  };
}
