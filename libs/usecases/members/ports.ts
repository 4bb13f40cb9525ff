// What reading members, and recovering and rebuilding their documents, needs from the outside.
import type { Entry } from "#domain/award.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Member } from "#domain/member.ts";

export type Page<Item, Position> = { items: Item[]; next: Position | null };
export type MemberSort = "xp" | "platformId";
export type MemberPosition = { xp: bigint; platformId: string };
/** `prefix`, in the order of platformIds: only those that begin with it. */
export type MemberPage = { sort: MemberSort; limit: number; after: MemberPosition | null; prefix?: string };

/** Members with a membership, an appointment in common, and as many of the thresholds reached. */
export type MemberGroup = { appointedRank: string | null; reached: number; members: number };

export type MemberStore = {
  read(member: MemberRef): Promise<Member | null>;
  /**
   * The members of a clan who have a membership, by appointment and by how many of these thresholds (ascending) they
   * have reached.
   */
  countGroups(clanId: string, thresholds: readonly bigint[]): Promise<MemberGroup[]>;
  list(clanId: string, page: MemberPage): Promise<Page<Member, MemberPosition>>;
  /**
   * By platformId, where these members stand among the clan's by XP: 1 is first. Those behind POSITIONS_MAX are left
   * out.
   */
  positions(clanId: string, members: readonly MemberPosition[]): Promise<ReadonlyMap<string, number>>;
  count(clanId: string): Promise<number>;
  /** About how many there are, in all clans. */
  estimate(): Promise<number>;
};

/** Of an entry in its clan. */
export type EntryPosition = { platformId: string; seq: number };

export type LedgerStore = {
  /** Newest first, from below `beforeSeq` on. */
  listOfMember(member: MemberRef, page: { limit: number; beforeSeq: number | null }): Promise<Page<Entry, number>>;
  /**
   * By key, the `seq` of those of these members' entries that have one of these keys, which name one entry of the clan
   * each.
   */
  findByKeys(
    clanId: string,
    wanted: { platformIds: readonly string[]; keys: readonly string[] },
  ): Promise<ReadonlyMap<string, number>>;
  /** A clan's entries by platformId, then seq. */
  listOfClan(clanId: string, page: { limit: number; after: EntryPosition | null }): Promise<Page<Entry, EntryPosition>>;
  /** The members of these clans with entries from `since` on, each at least once, a bounded number at a time. */
  listChanged(clanIds: readonly string[], since: Date): AsyncIterable<MemberRef[]>;
};

/** How far a process has projected its entries. `processId` names one life of one process. */
export type ProjectionMark = { processId: string; projectedTo: Date };

/**
 * What a process has noted last. `silentMs`: how long ago, by MongoDB's clock. `passes`: how often others have looked
 * after it since.
 */
type ProjectionNote = Omit<ProjectionMark, "processId"> & { seenAt: Date; silentMs: number; passes: number };

/** What is known of the processes that commit entries. Throws AppError `unavailable`. */
export type ProcessStore = {
  /** The process lives, and its entries from before `projectedTo`, by its own clock, are projected. */
  note(processId: string, projectedTo: Date): Promise<void>;
  /** The process ended with everything projected. */
  remove(processId: string): Promise<void>;
  /** Processes that have noted nothing for so long, and were looked after `passes` times since. */
  listSilent(silentMs: number, passes: number): Promise<ProjectionMark[]>;
  /** All notes. */
  listNotes(): Promise<ProjectionNote[]>;
  /** Was looked after `passes` times now. */
  notePass(process: ProjectionMark, passes: number): Promise<void>;
};

export type HeadRebuild = {
  /**
   * Makes these members' documents what their entries say, back too; returns how many differed. Throws AppError
   * `unavailable`.
   */
  rebuild(members: readonly MemberRef[]): Promise<number>;
};
