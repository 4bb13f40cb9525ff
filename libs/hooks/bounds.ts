// The bounds of Roblox's erasure requests, each with its reason.

/** Requests that one step looks up together: MongoDB finds so many members in some tens of milliseconds. */
export const REQUESTS_PER_STEP = 200;
/** Characters of a secret, 5.95 random bits each: beyond any guess, and short enough for Roblox's form. */
export const HOOK_SECRET_CHARS = 40;
