// When a membership begins, and when it ends.
import type { Clan } from "#domain/clan.ts";
import type { Entry } from "#domain/entry.ts";
import type { Head } from "#domain/head.ts";
import { normalRanks } from "#domain/rank.ts";

/**
 * In an Auto Clan an award above 0 that leaves a player at or above the first NORMAL rank creates a membership, unless
 * the player was removed.
 */
export function createsMembership(clan: Clan, before: Head, amount: bigint, xpAfter: bigint): boolean {
  const first = normalRanks(clan)[0];
  return (
    clan.autoClan &&
    before.membership === null &&
    !before.removed &&
    amount > 0n &&
    first !== undefined &&
    xpAfter >= first.threshold
  );
}

/** The entry of `member remove`: the only one of this kind that leaves the member removed. */
export function endsMembership({ kind, removed }: Pick<Entry, "kind" | "removed">): boolean {
  return kind === "membership" && removed === true;
}
