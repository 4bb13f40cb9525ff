// The awards of a clan, newest first: all of them, or those that a filter selects.
import type { Limited, Page } from "#domain/page.ts";
import { LISTED_AWARDS_EXAMINED_MAX, PLAYERS_SEARCHED_MAX } from "#members/bounds.ts";
import type { AwardFilter, AwardList, AwardPosition } from "#members/ports.ts";
import type { SearchMembers } from "#members/search-members.ts";
import type { ListedEntry, WithReversals } from "#members/with-reversals.ts";

/** Throws AppError `unavailable`. */
export type ListAwards = {
  /** The members whom a text finds: the one with this platformId, or else those whom a search finds. */
  findPlayers(clanId: string, text: string): Promise<readonly string[]>;
  /** A page looks at a bounded number of entries, and may be short or empty although there are older awards. */
  page(clanId: string, filter: AwardFilter, page: Limited<AwardPosition>): Promise<Page<ListedEntry, AwardPosition>>;
  /** All of them, in parts, which may be empty. */
  all(clanId: string, filter: AwardFilter, pageSize: number): AsyncGenerator<ListedEntry[]>;
};

export function makeListAwards(deps: {
  awards: Pick<AwardList, "page">;
  searchMembers: SearchMembers;
  withReversals: WithReversals;
}): ListAwards {
  const page: ListAwards["page"] = async (clanId, filter, part) => {
    const examined = LISTED_AWARDS_EXAMINED_MAX;
    const { items, next } = await deps.awards.page(clanId, filter, { ...part, examined });
    return { items: await deps.withReversals(clanId, items), next };
  };

  return {
    page,

    async findPlayers(clanId, text) {
      const found = await deps.searchMembers(clanId, { text, limit: PLAYERS_SEARCHED_MAX, after: null });
      const ids = found.items.map(({ platformId }) => platformId);
      return ids.includes(text) ? [text] : ids;
    },

    async *all(clanId, filter, limit) {
      for (let after: AwardPosition | null = null; ;) {
        const { items, next }: Page<ListedEntry, AwardPosition> = await page(clanId, filter, { limit, after });
        yield items;
        if (!next) return;
        after = next;
      }
    },
  };
}
