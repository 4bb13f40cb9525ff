// What reading members, and recovering and rebuilding their documents, needs from the outside.
import type { Entry } from "#domain/award.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Member } from "#domain/member.ts";

export type Page<Item, Position> = { items: Item[]; next: Position | null };
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
  list(clanId: string, page: MemberPage): Promise<Page<Member, MemberPosition>>;
  /**
   * By platformId, the positions of these members in the clan's order by XP; 1 is first. Positions after POSITIONS_MAX
   * are left out.
   */
  positions(clanId: string, members: readonly MemberPosition[]): Promise<ReadonlyMap<string, number>>;
  count(clanId: string): Promise<number>;
  /** Their approximate number, in all clans. */
  estimate(): Promise<number>;
};

/** Of an entry in its clan. */
export type EntryPosition = { platformId: string; seq: number };

export type LedgerStore = {
  /** Newest first, starting below `beforeSeq`. */
  listOfMember(member: MemberRef, page: { limit: number; beforeSeq: number | null }): Promise<Page<Entry, number>>;
  /**
   * By key, the `seq` of those entries of these members that have one of these keys. Each key names one entry of the
   * clan.
   */
  findByKeys(
    clanId: string,
    wanted: { platformIds: readonly string[]; keys: readonly string[] },
  ): Promise<ReadonlyMap<string, number>>;
  /** A clan's entries by platformId, then seq. */
  listOfClan(clanId: string, page: { limit: number; after: EntryPosition | null }): Promise<Page<Entry, EntryPosition>>;
  /** How many entries a clan has. */
  count(clanId: string): Promise<number>;
  /** The members of these clans with entries since `since`, each at least once, a bounded number at a time. */
  listChanged(clanIds: readonly string[], since: Date): AsyncIterable<MemberRef[]>;
};

/** How far a process has projected its entries. `processId` names one run of one process. */
export type ProjectionMark = { processId: string; projectedTo: Date };

/**
 * What a process recorded last. `silentMs`: how long ago, by MongoDB's clock. `passes`: how often others have projected
 * for it since.
 */
type ProjectionNote = Omit<ProjectionMark, "processId"> & { seenAt: Date; silentMs: number; passes: number };

/** The records of the processes that commit entries. Throws AppError `unavailable`. */
export type ProcessStore = {
  /**
   * Records that the process is alive, and that its entries from before `projectedTo`, by its own clock, are projected.
   */
  note(processId: string, projectedTo: Date): Promise<void>;
  /** The process ended with everything projected. */
  remove(processId: string): Promise<void>;
  /**
   * Processes that have recorded nothing for this long, and whose entries were projected by others `passes` times
   * since.
   */
  listSilent(silentMs: number, passes: number): Promise<ProjectionMark[]>;
  /** All records. */
  listNotes(): Promise<ProjectionNote[]>;
  /** Others have projected its entries `passes` times now. */
  notePass(process: ProjectionMark, passes: number): Promise<void>;
};

export type HeadRebuild = {
  /**
   * Sets these members' documents to what their entries say, also to older states; returns how many differed. Calls
   * `beforeWrite` between the reads and the writes. Throws AppError `unavailable`, and what `beforeWrite` throws.
   */
  rebuild(members: readonly MemberRef[], beforeWrite: () => Promise<void>): Promise<number>;
};
