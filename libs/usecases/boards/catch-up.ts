// Brings a clan's standings up to date, on demand. Every process projects what it has committed in the clan, which
// marks its members, and those are counted. No clock takes part: an entry that was committed late, or dated by a wrong
// clock, is counted when its member's head is projected.
//
// What was there before a board, or before a restored backup, is counted from the ledger, by time.
import { withTimeout } from "#async/with-timeout.ts";
import { AppError } from "#domain/app-error.ts";
import type { LedgerChanges } from "#ledger/ports.ts";
import type { Clock, Log } from "#runtime/ports.ts";
import { CATCH_UP_MS_MAX, SETTLED_AFTER_MS, UNREPORTED_MS } from "#usecases/boards/bounds.ts";
import type { CountAnew } from "#usecases/boards/count-anew.ts";
import type { CountMembers } from "#usecases/boards/count-members.ts";
import type { FinishPeriods } from "#usecases/boards/finish-periods.ts";
import type { ReadOpenPeriods } from "#usecases/boards/open-periods.ts";
import type { BoardStore, PeriodStore, StoredPeriod } from "#usecases/boards/ports.ts";

/**
 * Counts everything that was acknowledged before the call, and makes periods final whose time has passed. Throws
 * AppError `unavailable`, also while years of awards are counted for a new board.
 */
export type CatchUpBoards = (clanId: string) => Promise<void>;

export function makeCatchUpBoards(deps: {
  readOpenPeriods: ReadOpenPeriods;
  count: CountMembers;
  countAnew: CountAnew;
  finish: FinishPeriods;
  boards: Pick<BoardStore, "noteAsOf">;
  periods: Pick<PeriodStore, "noteCounted" | "renew">;
  reader: LedgerChanges;
  /** When a backup was last restored, as far as that was noticed. */
  restoredAt: () => Promise<Date | null>;
  /** Makes every process project what it has committed in the clan. False: some may not have. */
  project: (clanId: string, options: { anew: true }) => Promise<boolean>;
  clock: Pick<Clock, "agingMs">;
  log: Log;
}): CatchUpBoards {
  const { readOpenPeriods, count, countAnew, finish, boards, periods, reader, restoredAt, project, clock, log } = deps;
  const running = new Map<string, Promise<void>>();

  async function catchUp(clanId: string): Promise<void> {
    const restored = await restoredAt();
    let open = await readOpenPeriods(clanId);
    if (!open || open.boards.length === 0) return;
    const { now } = open;
    const outdated = open.periods.filter(({ countedAt }) => restored && countedAt && countedAt <= restored);
    if (outdated.length > 0) {
      log.warn({ clanId, periods: outdated.length }, "board.recounted");
      await periods.renew(outdated);
      open = (await readOpenPeriods(clanId)) ?? open;
    }
    const ripe = await finish.listRipe(clanId, open.periods, now);
    const reported = await project(clanId, { anew: true });
    if (open.periods.length > 0) {
      await countFromLedger(clanId, open.periods, now);
      while (await count.countDue(clanId));
    }
    await boards.noteAsOf(clanId, reported ? now : new Date(now.getTime() - UNREPORTED_MS));
    for (const period of ripe) await finish.finish(clanId, period);
  }

  /** The periods that nobody has counted so. Until all processes mark what they project, it is done each time. */
  async function countFromLedger(clanId: string, open: readonly StoredPeriod[], now: Date): Promise<void> {
    const uncounted = open.filter(({ countedAt }) => countedAt === null);
    if (uncounted.length === 0) return;
    const beganAtMs = clock.agingMs();
    const since = new Date(Math.min(...uncounted.map(({ startsAt }) => startsAt.getTime())));
    const seen = new Set<string>();
    for await (const members of reader.listChanged([clanId], since)) {
      const unseen = [...new Set(members.map(({ platformId }) => platformId))].filter((id) => !seen.has(id));
      for (const id of unseen) seen.add(id);
      await countAnew(clanId, unseen, uncounted);
    }
    const isSettled = ({ begunAt }: StoredPeriod): boolean => now.getTime() - begunAt.getTime() > SETTLED_AFTER_MS;
    const settled = uncounted.filter(isSettled);
    await periods.noteCounted(settled, now);
    const ms = clock.agingMs() - beganAtMs;
    if (settled.length > 0) log.info({ clanId, periods: settled.length, members: seen.size, ms }, "board.counted");
  }

  /** Callers share the one that is running, and read in the boards what it has reached. */
  function shared(clanId: string): Promise<void> {
    const caughtUp = running.get(clanId) ?? catchUp(clanId).finally(() => running.delete(clanId));
    running.set(clanId, caughtUp);
    return caughtUp;
  }

  return (clanId) => withTimeout(shared(clanId), CATCH_UP_MS_MAX, tooSlow);
}

function tooSlow(): AppError {
  return new AppError("unavailable", "The clan's boards are being counted, which takes some time. Try again shortly.");
}
