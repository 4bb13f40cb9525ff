// The bounds of API keys and their budgets, each with its reason.
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";

/** Maximum age of a key's cached state: as for the rules of a clan, a change must take effect within 1 s. */
export const KEY_AGE_MAX_MS = 500;
/** Keys and unknown key ids cached per process: at most 2 MB, so that guessing cannot grow memory. */
export const KEYS_CACHED_MAX = 10_000;
/** Keys in one read: some hundreds more would take longer than a second read. */
export const KEYS_PER_READ_MAX = 500;
/**
 * Requests whose key must still be read: as many as a process admits. If there are more, MongoDB is too slow, and the
 * response is `busy`.
 */
export const KEY_READS_WAITING_MAX = 5_000;
/** `lastUsedAt` may be 60 s late, as `clanxp key list --help` says. */
export const KEY_USES_FLUSH_MS = 20_000;

/**
 * How often a claim is retried after other claims have used the rest of the budget. In each round, at least one claim
 * succeeds.
 */
export const BUDGET_RACES_MAX = 20;
/** An earlier attempt of an award may be in progress for this long after its claim: a little more than its deadline. */
export const BUDGET_CLAIM_OPEN_MS = AWARD_DEADLINE_MS + 5_000;
/** Longer than an election takes, and than BUDGET_WAIT_MS. The commit gets the rest of AWARD_DEADLINE_MS. */
export const BUDGET_CLAIM_MS_MAX = 5_000;
/**
 * How long a response waits until XP that was not applied is refunded, so that the caller's next request can use it.
 */
export const BUDGET_REFUND_MS = 1_000;
/** A second attempt waits this long for the first one, and checks this often, before its caller must retry. */
export const BUDGET_WAIT_MS = 3_000;
export const BUDGET_POLL_MS = 50;
export const KEY_GRACE_MAX_MS = 7 * 24 * 3_600_000;
export const KEY_GRACE_DEFAULT_MS = 24 * 3_600_000;
