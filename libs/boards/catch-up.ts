// Brings a clan's standings up to date, on demand. Every process projects what it has committed in the clan, which
// marks its members, and those are counted. No clock takes part: an entry that was committed late, or dated by a wrong
// clock, is counted when its member's head is projected.
//
// What was there before a board, or before a restored backup, is counted from the ledger (count-from-ledger.ts). That
// may take minutes, and does not delay the clan's other boards.
import { shareRuns } from "#async/share-runs.ts";
import { withTimeout } from "#async/with-timeout.ts";
import { AppError } from "#kernel/app-error.ts";
import type { Log } from "#kernel/log.ts";
import { CATCH_UP_MS_MAX, UNREPORTED_MS } from "#boards/bounds.ts";
import type { CountFromLedger, UncountedBoards } from "#boards/count-from-ledger.ts";
import type { CountMembers } from "#boards/count-members.ts";
import type { FinishPeriods } from "#boards/finish-periods.ts";
import type { ReadOpenPeriods } from "#boards/open-periods.ts";
import type { BoardStore, PeriodStore, StoredBoard } from "#boards/ports.ts";

/**
 * Counts everything that was acknowledged before the call, and makes periods final whose time has passed.
 * `countedOnly`: without the boards that are to be counted from the ledger. Throws AppError `unavailable`, also while
 * years of awards are counted for a new board.
 */
export type CatchUpBoards = (clanId: string, options?: { countedOnly?: boolean }) => Promise<void>;

export function makeCatchUpBoards(deps: {
  readOpenPeriods: ReadOpenPeriods;
  count: CountMembers;
  countFromLedger: CountFromLedger;
  finish: FinishPeriods;
  boards: Pick<BoardStore, "noteAsOf">;
  periods: Pick<PeriodStore, "renew">;
  /** When a backup was last restored, as far as that was noticed. */
  restoredAt: () => Promise<Date | null>;
  /** Makes every process project what it has committed in the clan. False: some may not have. */
  project: (clanId: string, options: { anew: true }) => Promise<boolean>;
  log: Log;
}): CatchUpBoards {
  const { readOpenPeriods, count, countFromLedger, finish, boards, periods, restoredAt, project, log } = deps;

  async function catchUp(clanId: string): Promise<UncountedBoards> {
    const restored = await restoredAt();
    let open = await readOpenPeriods(clanId);
    if (!open || open.boards.length === 0) return { boards: [], asOf: new Date(0) };
    const { now } = open;
    // Their standings may contain entries that the ledger does not have any more.
    const outdated = open.periods.filter(({ begunAt }) => restored && begunAt <= restored);
    if (outdated.length > 0) {
      log.warn({ clanId, periods: outdated.length }, "board.recounted");
      await periods.renew(outdated);
      open = (await readOpenPeriods(clanId)) ?? open;
    }
    const ripe = await finish.listRipe(clanId, open.periods, now);
    const reported = await project(clanId, { anew: true });
    while (open.periods.length > 0 && (await count(clanId)));
    const asOf = reported ? now : new Date(now.getTime() - UNREPORTED_MS);
    const uncounted = new Set(
      open.periods.filter(({ countedAt }) => countedAt === null).map(({ boardUid }) => boardUid),
    );
    const isCounted = ({ uid }: StoredBoard): boolean => !uncounted.has(uid);
    await boards.noteAsOf(open.boards.filter(isCounted), asOf);
    for (const period of ripe) {
      const board = open.boards.find(({ uid }) => uid === period.boardUid);
      if (board) await finish.finish(board, period);
    }
    return { boards: open.boards.filter((board) => !isCounted(board)), asOf };
  }

  // Callers read in the boards what the run that they share has reached.
  const caughtUp = shareRuns(catchUp);
  const whole = shareRuns(async (clanId: string) => {
    const uncounted = await caughtUp(clanId);
    if (uncounted.boards.length > 0) await countFromLedger(clanId, uncounted);
  });
  return async (clanId, { countedOnly = false } = {}) => {
    await withTimeout<unknown>(countedOnly ? caughtUp(clanId) : whole(clanId), CATCH_UP_MS_MAX, notYet);
  };
}

function notYet(): AppError {
  return new AppError("unavailable", "The clan's boards are being counted, which takes some time. Try again shortly.");
}
