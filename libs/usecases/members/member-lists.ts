// A clan's members, listed and counted. They are read from the projected documents, so every process projects first
// what it committed in the clan: what was acknowledged before is in the list (docs/decisions/0021-one-insert-commits.md
// says what a server that is down changes).
import type { Member } from "#domain/member.ts";
import type { MemberGroup, MemberPage, MemberPosition, MemberStore, Page } from "#usecases/members/ports.ts";

/** Throws AppError `unavailable`. */
export type MemberLists = {
  page(clanId: string, page: MemberPage): Promise<Page<Member, MemberPosition>>;
  /**
   * All of them by platformId, so many at a time, once nobody is left none. What is committed from the first read on
   * may be missing.
   */
  all(clanId: string, pageSize: number): AsyncGenerator<Member[]>;
  /** Members with a membership, in groups (see MemberStore). */
  groups(clanId: string, thresholds: readonly bigint[]): Promise<MemberGroup[]>;
  /** Of these, which `page` has returned. */
  positions: MemberStore["positions"];
  count(clanId: string): Promise<number>;
};

export function makeMemberLists(world: {
  members: Pick<MemberStore, "list" | "countGroups" | "positions" | "count">;
  /** Has every process project what it committed in the clan. */
  catchUp: (clanId: string) => Promise<unknown>;
}): MemberLists {
  const { members, catchUp } = world;

  async function page(clanId: string, wanted: MemberPage): Promise<Page<Member, MemberPosition>> {
    await catchUp(clanId);
    return members.list(clanId, wanted);
  }

  return {
    page,
    async *all(clanId, limit) {
      let { items, next } = await page(clanId, { sort: "platformId", limit, after: null });
      yield items;
      while (next) {
        ({ items, next } = await members.list(clanId, { sort: "platformId", limit, after: next }));
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
