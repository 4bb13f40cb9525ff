// What projecting heads, and recovering and rebuilding the members' documents, needs from the outside.
import type { MemberRef } from "#domain/member-id.ts";

export type LedgerChanges = {
  /** The members of these clans with entries since `since`, each at least once, a bounded number at a time. */
  listChanged(clanIds: readonly string[], since: Date): AsyncIterable<MemberRef[]>;
};

/**
 * How far a process has projected its entries, as recorded at `seenAt` by MongoDB's clock. `processId` names one run of
 * one process.
 */
export type ProjectionMark = { processId: string; projectedTo: Date; seenAt: Date };

/**
 * The last record of a process. `silentMs`: its age, by MongoDB's clock. `passes`: how often others have projected for
 * it since.
 */
type ProjectionNote = Omit<ProjectionMark, "processId"> & { silentMs: number; passes: number };

/** The records of the processes that commit entries. Throws AppError `unavailable`. */
export type ProcessStore = {
  /**
   * Records that the process is alive, and that its entries from before `projectedTo`, by its own clock, are projected.
   * A note with a lower `number` that MongoDB executes later changes no time.
   */
  note(processId: string, mark: { projectedTo: Date; number: number }): Promise<void>;
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
   * Sets these members' documents to the state in their entries, even if that is older; returns how many differed.
   * Calls `beforeWrite` between the reads and the writes. Throws AppError `unavailable`, and what `beforeWrite` throws.
   */
  rebuild(members: readonly MemberRef[], beforeWrite: () => Promise<void>): Promise<number>;
};
