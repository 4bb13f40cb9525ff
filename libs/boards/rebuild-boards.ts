// Counts the periods that are not final from the ledger again: what is stored of them is discarded.
import type { CatchUpBoards } from "#boards/catch-up.ts";
import type { ReadOpenPeriods } from "#boards/open-periods.ts";
import type { PeriodStore } from "#boards/ports.ts";

/** Returns how many periods. Throws AppError `unavailable`; then run it again. */
export type RebuildBoards = (clanId: string) => Promise<number>;

export function makeRebuildBoards(deps: {
  readOpenPeriods: ReadOpenPeriods;
  periods: Pick<PeriodStore, "renew">;
  catchUp: CatchUpBoards;
}): RebuildBoards {
  const { readOpenPeriods, periods, catchUp } = deps;
  return async function rebuildBoards(clanId) {
    const open = (await readOpenPeriods(clanId))?.periods ?? [];
    if (open.length === 0) return 0;
    await periods.renew(open);
    await catchUp(clanId);
    return open.length;
  };
}
