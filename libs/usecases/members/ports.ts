// What reading members and their ledgers needs from the outside.
import type { Entry } from "#domain/entry.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Member } from "#domain/member.ts";
import type { Page } from "#domain/page.ts";

export type MemberSort = "xp" | "platformId";
export type MemberPosition = { xp: bigint; platformId: string };
/** `prefix`, in the order of platformIds: only those that begin with it. */
export type MemberPage = { sort: MemberSort; limit: number; after: MemberPosition | null; prefix?: string };

/** Members with a membership who have the same appointment and have reached the same number of thresholds. */
export type MemberGroup = { appointedRank: string | null; reached: number; members: number };

export type MemberStore = {
  read(member: MemberRef): Promise<Member | null>;
  /**
   * The members of a clan who have a membership, grouped by appointment and by how many of these thresholds (ascending)
   * they have reached.
   */
  countGroups(clanId: string, thresholds: readonly bigint[]): Promise<MemberGroup[]>;
  /**
   * `damaged`: members of the page whose documents were changed manually and cannot be as the ledger is. Their items are
   * readable, but not right.
   */
  list(clanId: string, page: MemberPage): Promise<Page<Member, MemberPosition> & { damaged: MemberRef[] }>;
  /**
   * By platformId, the positions of these members in the clan's order by XP; 1 is first. Positions after POSITIONS_MAX
   * are left out.
   */
  positions(clanId: string, members: readonly MemberPosition[]): Promise<ReadonlyMap<string, number>>;
  count(clanId: string): Promise<number>;
  /** Their approximate number, in all clans. */
  estimate(): Promise<number>;
};

/** The position of an entry in its clan. */
export type EntryPosition = { platformId: string; seq: number };

export type LedgerReader = {
  /** Newest first, starting below `beforeSeq`. */
  listOfMember(member: MemberRef, page: { limit: number; beforeSeq: number | null }): Promise<Page<Entry, number>>;
  /**
   * By key, the `seq` of those entries of these members that have one of these keys. Each key names one entry of the
   * clan.
   */
  findByKeys(
    clanId: string,
    by: { platformIds: readonly string[]; keys: readonly string[] },
  ): Promise<ReadonlyMap<string, number>>;
  /** A clan's entries by platformId, then seq. */
  listOfClan(clanId: string, page: { limit: number; after: EntryPosition | null }): Promise<Page<Entry, EntryPosition>>;
  /** How many entries a clan has. */
  count(clanId: string): Promise<number>;
};
