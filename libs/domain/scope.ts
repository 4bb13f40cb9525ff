// What a key may do.

export const scopes = ["award", "deduct", "reverse", "read"] as const;
export type Scope = (typeof scopes)[number];
/** `reverse` takes back what any key gave: it is given on request only. */
export const SCOPES_DEFAULT: readonly Scope[] = ["award", "deduct", "read"];
