// What recovering and rebuilding the members' documents needs from the outside.
import type { MemberRef } from "#usecases/ports.ts";

/** How far a process has projected its entries. `processId` names one life of one process. */
export type ProjectionMark = { processId: string; projectedTo: Date };

/** What is known of the processes that commit entries. Throws AppError `unavailable`. */
export type ProcessStore = {
  /** The process lives, and its entries from before `projectedTo`, by its own clock, are projected. */
  note(processId: string, projectedTo: Date): Promise<void>;
  /** The process ended with everything projected. */
  remove(processId: string): Promise<void>;
  /** Processes that have noted nothing for so long, and were looked after `passes` times since. */
  listSilent(silentMs: number, passes: number): Promise<ProjectionMark[]>;
  /** Was looked after `passes` times now. */
  notePass(process: ProjectionMark, passes: number): Promise<void>;
};

export type HeadRebuild = {
  /** Makes these members' documents what their entries say, back too; returns how many differed. Throws AppError `unavailable`. */
  rebuild(members: readonly MemberRef[]): Promise<number>;
};
