// A clan's boards and their periods that are not final. Periods that have begun are stored first, so that nothing has
// to run at a boundary.
import { periodsSince } from "#domain/period.ts";
import { CLOCK_ERROR_MS_MAX } from "#boards/bounds.ts";
import type { BoardStore, ClanBoards, PeriodStore, StoredBoard, StoredPeriod } from "#boards/ports.ts";

export type OpenPeriods = ClanBoards & { periods: StoredPeriod[] };

/** `until`: also periods that begin later than now, until then. Null: there is no such clan. */
export type ReadOpenPeriods = (clanId: string, until?: Date) => Promise<OpenPeriods | null>;

export function makeReadOpenPeriods(deps: {
  boards: Pick<BoardStore, "read">;
  periods: Pick<PeriodStore, "listOpen" | "extend">;
}): ReadOpenPeriods {
  const { boards, periods } = deps;

  /** Whether there was one to store. */
  async function extend(board: StoredBoard, now: Date, to: Date): Promise<boolean> {
    const { schedule, settleMs, coveredTo } = board;
    if (schedule.every === "season" || coveredTo === null || coveredTo > to) return false;
    // Entries from before the board may be dated in its second period, by a process whose clock is ahead.
    const isCounted = board.createdAt.getTime() < coveredTo.getTime() - CLOCK_ERROR_MS_MAX;
    await periods.extend(board, periodsSince(schedule, settleMs, coveredTo, to), { now, isCounted });
    return true;
  }

  return async function readOpenPeriods(clanId, until) {
    const found = await boards.read(clanId);
    if (!found) return null;
    const latestMs = found.now.getTime() + CLOCK_ERROR_MS_MAX;
    const to = until && until > found.now ? new Date(Math.min(until.getTime(), latestMs)) : found.now;
    const extended = await Promise.all(found.boards.map((board) => extend(board, found.now, to)));
    if (extended.includes(true)) return readOpenPeriods(clanId, until);
    return { ...found, periods: await periods.listOpen(found.boards) };
  };
}
