// Lists and counts the members of a clan that a filter selects: the holders of a rank, those that a search finds, or
// both.
import { pause } from "#async/pause.ts";
import type { Clan } from "#domain/clan.ts";
import type { Member } from "#domain/member.ts";
import { filled, type Limited, type Page } from "#domain/page.ts";
import { EXACT_POSITIONS_MAX, isListed, sizeOf } from "#domain/position.ts";
import { hasRank, rankHolders } from "#domain/rank-holders.ts";
import { COUNT_WAIT_MS, FILTERED_READS_MAX, FOUND_COUNTED_MAX } from "#usecases/members/bounds.ts";
import type { Leaderboard } from "#usecases/members/leaderboard.ts";
import type { MemberLists } from "#usecases/members/member-lists.ts";
import type { MemberPosition } from "#usecases/members/ports.ts";
import type { SearchMembers, SearchPosition } from "#usecases/members/search-members.ts";

/** `rank`: its name. Null: all of them. */
export type MemberFilter = { search: string | null; rank: string | null };

/** `about`: of a large clan, as it was counted last. `atLeast`: there are more, which are not counted. */
export type FoundMembers = { value: number; accuracy: "exact" | "about" | "atLeast" };

/** A page may be short or empty although there are more, because it looks through a bounded number of members. */
export type FindMembers = {
  /** On the leaderboard, in its order. */
  ofRank(clan: Clan, rank: string | null, page: Limited<MemberPosition>): Promise<Page<Member, MemberPosition>>;
  searched(
    clan: Clan,
    filter: { text: string; rank: string | null },
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
  function search(clan: Clan, { text, rank }: { text: string; rank: string | null }, page: Limited<SearchPosition>) {
    // Without a rank, a page is as full as the search makes it.
    return filled(page, rank === null ? 1 : FILTERED_READS_MAX, async (part) => {
      const { items, next } = await searchMembers(clan.clanId, { text, ...part });
      return { items: items.filter((member) => hasRank(clan, member, rank)), next };
    });
  }

  return {
    async ofRank(clan, rank, page) {
      if (rank === null) return lists.page(clan.clanId, { sort: "xp", ...page });
      const holders = rankHolders(clan, rank);
      if (!holders) return { items: [], next: null };
      return filled(page, FILTERED_READS_MAX, (part) => lists.holders(clan.clanId, holders, part));
    },

    searched: search,

    async *all(clan, { search: text, rank }, pageSize) {
      if (text === null) {
        for await (const members of lists.all(clan.clanId, pageSize)) {
          // A rank's list has those on the leaderboard.
          yield members.filter((member) => rank === null || (isListed(member) && hasRank(clan, member, rank)));
        }
        return;
      }
      let page: Page<Member, SearchPosition> = { items: [], next: null };
      do {
        page = await search(clan, { text, rank }, { limit: pageSize, after: page.next });
        yield page.items;
      } while (page.next);
    },
  };
}

/** Throws AppError `unavailable`. */
export function makeFindMembers(
  deps: Lists & {
    leaderboard: Pick<Leaderboard, "order">;
    countRanks: (clanId: string) => Promise<readonly { name: string; members: number }[]>;
  },
): FindMembers {
  const { searchMembers, leaderboard, countRanks } = deps;

  async function countOfRank({ clanId }: Clan, rank: string): Promise<FoundMembers | null> {
    const ranks = await Promise.race([countRanks(clanId), pause(COUNT_WAIT_MS)]);
    if (!ranks) return null;
    const all = ranks.reduce((sum, { members }) => sum + members, 0);
    const value = ranks.find(({ name }) => name === rank)?.members ?? 0;
    return { value, accuracy: all > EXACT_POSITIONS_MAX ? "about" : "exact" };
  }

  return {
    ...makeFilterMembers(deps),

    async count(clan, { search: text, rank }) {
      if (text !== null) {
        const { items, next } = await searchMembers(clan.clanId, { text, limit: FOUND_COUNTED_MAX, after: null });
        const value = items.filter((member) => hasRank(clan, member, rank)).length;
        return { value, accuracy: next ? "atLeast" : "exact" };
      }
      if (rank !== null) return countOfRank(clan, rank);
      const order = await leaderboard.order(clan.clanId);
      return { value: sizeOf(order), accuracy: order.fences.length > 0 ? "about" : "exact" };
    },
  };
}
