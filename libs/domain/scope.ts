// The scopes of a key: what it may do.

export const scopes = ["award", "deduct", "reverse", "read"] as const;
export type Scope = (typeof scopes)[number];
/** `reverse` takes back the awards of any key, so a key has it only on request. */
export const SCOPES_DEFAULT: readonly Scope[] = ["award", "deduct", "read"];
