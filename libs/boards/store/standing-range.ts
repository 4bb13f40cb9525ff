// Parts of a period's order, as bounds of its index (see leaderboard-range.ts).
import { MaxKey, MinKey } from "mongodb";
import { STANDING_ORDER } from "#boards/store/standing-model.ts";
import type { StandingPlace } from "#boards/ports.ts";

const [LOWEST, HIGHEST] = [new MinKey(), new MaxKey()];

/** Options of a find: the members in the index's order, from `from` or behind `after`, and before `to`. */
export function standingRange(
  rows: string,
  {
    from = null,
    after = null,
    to = null,
  }: { from?: StandingPlace | null; after?: StandingPlace | null; to?: StandingPlace | null },
) {
  const keyOf = (xp: unknown, reachedAt: unknown, platformId: unknown) => ({
    rows,
    removed: null,
    xp,
    reachedAt,
    platformId,
  });
  const first = after ? { ...after, platformId: `${after.platformId}\0` } : from;
  return {
    hint: STANDING_ORDER,
    min: first ? keyOf(first.xp, first.reachedAt, first.platformId) : keyOf(HIGHEST, LOWEST, LOWEST),
    max: to ? keyOf(to.xp, to.reachedAt, to.platformId) : keyOf(LOWEST, HIGHEST, HIGHEST),
  };
}
