// Lists and counts a clan's members. They are read from the projected documents, so every process first projects what
// it has committed in the clan. The list therefore contains every award that was acknowledged before
// (docs/decisions/0021-one-insert-commits.md describes the exceptions when a server is down). A document that an
// older version wrote, or that something else has changed, is rebuilt from the ledger first, so that it spoils no list.
import type { Member } from "#domain/member.ts";
import { filled, type Page } from "#domain/page.ts";
import type { RankHolders } from "#domain/rank-holders.ts";
import type { RebuildThese } from "#ledger/rebuild-members.ts";
import { FILTERED_READS_MAX } from "#members/bounds.ts";
import type { HoldersPage, ListPosition, MemberGroup, MemberPage, MemberStore, StoredPage } from "#members/ports.ts";

/** Throws AppError `unavailable`. */
export type MemberLists = {
  page(clanId: string, page: MemberPage): Promise<Page<Member, ListPosition>>;
  /** Those who have a rank (see MemberStore). */
  holders(clanId: string, holders: RankHolders, page: HoldersPage): Promise<Page<Member, ListPosition>>;
  /** A part of the leaderboard (see MemberStore). Null: the member is not on it. */
  around(clanId: string, around: { platformId: string; limit: number }): Promise<Page<Member, ListPosition> | null>;
  /**
   * All members by platformId, in pages; one empty page if there are none. Awards that are committed after the first
   * read may be missing.
   */
  all(clanId: string, pageSize: number): AsyncGenerator<Member[]>;
  /** Members with a membership, in groups (see MemberStore). */
  groups(clanId: string, thresholds: readonly bigint[]): Promise<MemberGroup[]>;
  count(clanId: string): Promise<number>;
  /** Those whose newest award is before this time, or who have none: at most this number. */
  countIdle(clanId: string, idleSince: Date, max: number): Promise<number>;
};

export function makeMemberLists(deps: {
  members: Pick<MemberStore, "list" | "listHolders" | "listAround" | "countGroups" | "count" | "countIdle">;
  /** Makes every process project what it has committed in the clan. */
  catchUp: (clanId: string) => Promise<unknown>;
  rebuildThese: RebuildThese;
}): MemberLists {
  const { members, catchUp, rebuildThese } = deps;

  async function current<Stored extends StoredPage | null>(list: () => Promise<Stored>): Promise<Stored> {
    const read = await list();
    if (!read || read.outdated.length === 0) return read;
    await rebuildThese(read.outdated);
    return list();
  }

  function listed(clanId: string, query: MemberPage): Promise<Page<Member, ListPosition>> {
    return filled(query, FILTERED_READS_MAX, async (part) => {
      const { items, next } = await current(() => members.list(clanId, { ...query, ...part }));
      return { items, next };
    });
  }

  async function page(clanId: string, query: MemberPage): Promise<Page<Member, ListPosition>> {
    await catchUp(clanId);
    return listed(clanId, query);
  }

  return {
    page,
    async holders(clanId, holders, query) {
      await catchUp(clanId);
      const { items, next } = await current(() => members.listHolders(clanId, holders, query));
      return { items, next };
    },
    async around(clanId, around) {
      await catchUp(clanId);
      return current(() => members.listAround(clanId, around));
    },
    async *all(clanId, limit) {
      let { items, next } = await page(clanId, { sort: "platformId", limit, after: null });
      yield items;
      while (next) {
        ({ items, next } = await listed(clanId, { sort: "platformId", limit, after: next }));
        yield items;
      }
    },
    async groups(clanId, thresholds) {
      await catchUp(clanId);
      return members.countGroups(clanId, thresholds);
    },
    async count(clanId) {
      await catchUp(clanId);
      return members.count(clanId);
    },
    async countIdle(clanId, idleSince, max) {
      await catchUp(clanId);
      return members.countIdle(clanId, idleSince, max);
    },
  };
}
