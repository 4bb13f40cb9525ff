// The bounds of following ranks, each with its reason.

/** Changes of a member that follow each other within this time cost one comparison; at most so long in a row. */
export const ROLE_QUIET_MS = 5_000;
export const ROLE_QUIET_MS_MAX = 60_000;
/** All members are compared this often, for what was changed manually elsewhere. */
export const FULL_SYNC_EVERY_MS = 86_400_000;
/** So many different members in a row whose roles may not be changed: the fault is the credential's, not theirs. */
export const DENIED_MAX = 10;
/** Members that are due and are compared before events are read again: some seconds at the usual pace. */
export const DUE_AT_ONCE = 10;
/** Members of the clan that are listed together. */
export const MEMBERS_PER_LIST = 500;
/** Differences in one result: about 1.5 MB. */
export const DIFFERENCES_MAX = 10_000;
/** Without the service's own word: the rest after its first 429, doubled with each in a row. */
export const REST_MS_MIN = 1_000;
export const UNTOLD_REST_MS_MAX = 60_000;
/** A request waits for its turn so long; what has to wait longer is left until then. */
export const TURN_WAIT_MS_MAX = 10_000;
/** The position is stored this often while all events are of other types. */
export const PASSED_EVENTS_MAX = 1_000;
