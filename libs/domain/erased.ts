// What stands where a member's data was erased (docs/explanation/personal-data.md).

/** In place of the platform ID. No platform ID has parentheses, so that it is nobody's. */
export const ERASED = "(erased)";

/** Of an award in a batch that was not done when its member was erased; its code is `cancelled`. */
export const ERASED_DETAIL = "The member was erased before this award was applied.";
