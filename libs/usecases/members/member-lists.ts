// Lists and counts a clan's members. They are read from the projected documents, so every process first projects what
// it has committed in the clan. The list therefore contains every award that was acknowledged before
// (docs/decisions/0021-one-insert-commits.md describes the exceptions when a server is down). A document that something
// else has damaged is rebuilt from the ledger first, so that it spoils no list.
import type { Member } from "#domain/member.ts";
import type { Page } from "#domain/page.ts";
import type { RebuildThese } from "#ledger/rebuild-members.ts";
import type { MemberGroup, MemberPage, MemberPosition, MemberStore } from "#usecases/members/ports.ts";

/** Throws AppError `unavailable`. */
export type MemberLists = {
  page(clanId: string, page: MemberPage): Promise<Page<Member, MemberPosition>>;
  /**
   * All members by platformId, in pages; one empty page if there are none. Awards that are committed after the first
   * read may be missing.
   */
  all(clanId: string, pageSize: number): AsyncGenerator<Member[]>;
  /** Members with a membership, in groups (see MemberStore). */
  groups(clanId: string, thresholds: readonly bigint[]): Promise<MemberGroup[]>;
  /** How many of these `page` has returned. */
  positions: MemberStore["positions"];
  count(clanId: string): Promise<number>;
};

export function makeMemberLists(deps: {
  members: Pick<MemberStore, "list" | "countGroups" | "positions" | "count">;
  /** Makes every process project what it has committed in the clan. */
  catchUp: (clanId: string) => Promise<unknown>;
  rebuildThese: RebuildThese;
}): MemberLists {
  const { members, catchUp, rebuildThese } = deps;

  async function listed(clanId: string, query: MemberPage): Promise<Page<Member, MemberPosition>> {
    const read = await members.list(clanId, query);
    if (read.damaged.length > 0) await rebuildThese(read.damaged);
    const { items, next } = read.damaged.length > 0 ? await members.list(clanId, query) : read;
    return { items, next };
  }

  async function page(clanId: string, query: MemberPage): Promise<Page<Member, MemberPosition>> {
    await catchUp(clanId);
    return listed(clanId, query);
  }

  return {
    page,
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
    positions: members.positions,
    async count(clanId) {
      await catchUp(clanId);
      return members.count(clanId);
    },
  };
}
