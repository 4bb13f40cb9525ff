// A clan and its settings. Its ranks are a valid list (rank.ts).
import type { Boost } from "#domain/boost.ts";
import type { DailyCap } from "#domain/daily-cap.ts";
import type { ModeratorBounds } from "#domain/moderator.ts";
import type { PublicPage } from "#domain/public-page.ts";
import type { Rank } from "#domain/rank.ts";

/**
 * `xpFloor` null: the smallest Int64 is the floor. Amounts are bounded by ±`amountMax`. `awardEvents`: each entry has an
 * event, not only changes of ranks and memberships.
 */
export type Clan = {
  clanId: string;
  name: string;
  autoClan: boolean;
  ranks: readonly Rank[];
  xpFloor: bigint | null;
  xpCap: bigint;
  amountMax: number;
  awardEvents?: boolean;
  /** Absent: no cap. */
  dailyCap?: DailyCap;
  /** Absent: the defaults (moderator.ts). */
  moderatorBounds?: ModeratorBounds;
  /** Those that nobody has ended. Absent if there are none. */
  boosts?: readonly Boost[];
  /** Absent: nobody has changed or published it. */
  publicPage?: PublicPage;
};
