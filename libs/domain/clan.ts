// A clan and its settings. Its ranks are a valid list (rank.ts).
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
};
