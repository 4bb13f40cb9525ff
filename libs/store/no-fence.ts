// A filter for all entries and all members, except those of a member who is being erased.

export const NO_FENCE = { erasing: { $exists: false } } as const;
