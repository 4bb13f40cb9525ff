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
type ProjectionMark = { processId: string; projectedTo: Date; seenAt: Date };

/** A silent process whose entries one worker projects. */
export type ClaimedProcess = ProjectionMark & { claimedBy: string };

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
   * Claims the process that has been silent for longest, of those whose entries others projected `passes` times since,
   * and that recorded nothing for `silentMs`. A claim expires `forMs` after it was last renewed. Null: there is no such
   * process, or other workers have claimed them all.
   */
  claimSilent(
    due: { silentMs: number; passes: number },
    claim: { by: string; forMs: number },
  ): Promise<ClaimedProcess | null>;
  /** Prolongs the claim. False: the process has recorded something since, or another worker has claimed it. */
  renewClaim(process: ClaimedProcess): Promise<boolean>;
  /** All records. */
  listNotes(): Promise<ProjectionNote[]>;
  /** Records the pass, or removes the record after the `last` one. Changes nothing if the claim was lost. */
  endClaim(process: ClaimedProcess, pass: { last: boolean }): Promise<void>;
};

export type HeadRebuild = {
  /**
   * Sets these members' documents to the state in their entries, even if that is older; returns how many differed.
   * Calls `beforeWrite` between the reads and the writes. Throws AppError `unavailable`, and what `beforeWrite` throws.
   */
  rebuild(members: readonly MemberRef[], beforeWrite: () => Promise<void>): Promise<number>;
};
