// Counts the members on a clan's leaderboard by rank. It reads all of them, so a count of a large clan is used for as
// long as counting costs MongoDB a bounded share of the time.
import { makePacedCache } from "#async/paced-cache.ts";
import { agesOfCount } from "#members/ages-of-count.ts";
import { CLANS_ORDERED_MAX } from "#members/bounds.ts";
import type { Leaderboard } from "#members/leaderboard.ts";
import type { PreviewRanks } from "#ranks/preview-ranks.ts";
import type { Clock } from "#kernel/clock.ts";

/** In the clan's order. */
export type RankCount = { name: string; members: number };
/** Throws AppError `unavailable`. */
export type CountRanks = (clanId: string) => Promise<readonly RankCount[]>;

export function makeCountRanks(deps: {
  previewRanks: PreviewRanks;
  leaderboard: Pick<Leaderboard, "totals">;
  clock: Pick<Clock, "agingMs">;
}): CountRanks {
  const { previewRanks, leaderboard, clock } = deps;

  async function count(clanId: string): Promise<RankCount[]> {
    const [previewed, { members: all, memberships }] = await Promise.all([
      previewRanks({ clanId, ranks: null, renames: new Map() }),
      leaderboard.totals(clanId),
    ]);
    if (previewed.kind !== "previewed") return [];
    // Those without a membership are in no group of the preview; without a NORMAL rank, others are guests, too.
    return previewed.preview.ranks.map(({ rank, before }) => {
      return { name: rank.name, members: rank.kind === "GUEST" ? all - memberships + before : before };
    });
  }

  return makePacedCache<readonly RankCount[]>({
    load: (clanId, run) => run(() => count(clanId)),
    agesOf: (ranks, busyMs) => agesOfCount(totalOf(ranks), busyMs),
    sizeMax: CLANS_ORDERED_MAX,
    clock,
  });
}

function totalOf(ranks: readonly RankCount[]): number {
  return ranks.reduce((sum, { members }) => sum + members, 0);
}
