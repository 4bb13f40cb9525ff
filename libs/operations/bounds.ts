// The bounds of operators' commands and pages, each with its reason.

/**
 * Unfinished batches, and reversals, that operators see individually: one page, and as many jobs to look up in Redis.
 */
export const QUEUED_WORK_SHOWN_MAX = 50;

/**
 * Members and entries that reconcile reads from one snapshot: MongoDB keeps a snapshot for 300 s, and this takes about
 * 1 s.
 */
export const ITEMS_PER_SNAPSHOT = 100_000;
/** Reversals that reconcile compares with their awards in one read: some hundred kilobytes. */
export const REVERSALS_PER_CHECK = 500;
/** Members with entries under one key that the doctor names: each needs the same correction. */
export const REPEATED_KEYS_NAMED_MAX = 3;
/** Differences that are reported individually; further ones are counted. */
export const DIFFERENCES_REPORTED_MAX = 1_000;

/** How often each worker checks whether MongoDB was restored: a backup that is older than this is noticed. */
export const RESTORE_NOTICE_EVERY_MS = 10_000;
