// The bounds of erasures, each with its reason.
import { BATCH_AWARD_DEADLINE_MS, EPOCH_AGE_MAX_MS, PLAN_AGE_MAX_MS, PROCESS_EXPIRY_MS } from "#ledger/bounds.ts";

/** Stages of an erasure, for the progress display. */
export const ERASURE_STAGES = 6;
/**
 * From the new epoch to the deletion of entries. After this time, no commit is in progress that was decided on a head
 * from before the fence.
 */
export const ERASURE_QUIET_MS = EPOCH_AGE_MAX_MS + PLAN_AGE_MAX_MS + 1_000;
/** From the second new epoch to the final check. After this time, no process has cached data of the member. */
export const ERASURE_CACHE_EXPIRY_MS = EPOCH_AGE_MAX_MS + 1_000;
/**
 * A run of a batch that read its record before ends within this time: its awards take two turns at most, each with a
 * deadline. A step of a reversal takes less than a second, or some seconds while single awards are active, and gets the
 * same time.
 */
export const ERASURE_BATCH_MS_MAX = 2 * BATCH_AWARD_DEADLINE_MS + PLAN_AGE_MAX_MS + 1_000;
export const ERASURE_BATCH_POLL_MS = 200;
/**
 * How often a process that runs an erasure records that it is alive, and after which time without a record a worker
 * takes over.
 */
export const ERASURE_ALIVE_EVERY_MS = 2_000;
export const ERASURE_SILENCE_MS = 10_000;
/** Erasures that one worker resumes at the same time: they mostly wait. */
export const ERASURES_AT_ONCE = 20;
/** How often a worker looks for abandoned erasures. */
export const ERASURE_RESUME_EVERY_MS = 5_000;
/**
 * How long after the end of a clan's deletion a worker searches once more: MongoDB may have executed a command that it
 * received before.
 */
export const DELETION_LATE_MS = PROCESS_EXPIRY_MS;
