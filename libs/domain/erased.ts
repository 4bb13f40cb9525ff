// What replaces a member's data after an erasure (docs/explanation/personal-data.md).

/** Replaces the platform ID. No platform ID contains parentheses, so it can belong to nobody. */
export const ERASED = "(erased)";

/** For an award in a batch that was not done when its member was erased; its code is `cancelled`. */
export const ERASED_DETAIL = "The member was erased before this award was applied.";
