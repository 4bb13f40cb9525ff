// What a page calls the kinds of ranks.
import type { RankKind } from "#domain/rank.ts";

/** Ranks of the kinds STAFF and OWNER are given in the same way. */
export const rankKindTexts: Readonly<Record<RankKind, string>> = {
  GUEST: "Guest",
  NORMAL: "By XP",
  STAFF: "By appointment",
  OWNER: "By appointment",
};
