// Counts the periods of a clan's boards that nobody has counted: what was there before a new board, a new season, or a
// restored backup.
import { pause } from "#async/pause.ts";
import type { LedgerChanges, Rest } from "#ledger/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import {
  CLANS_COUNTED_AT_ONCE,
  LONG_COUNT_MS,
  OPEN_READ_EVERY_MS,
  REST_MS_MAX,
  RESTS_PER_READ,
} from "#boards/bounds.ts";
import { firstSeqs } from "#boards/chain-parts.ts";
import type { CountAnew } from "#boards/count-anew.ts";
import type { ReadOpenPeriods } from "#boards/open-periods.ts";
import type { BoardRef, BoardStore, PeriodStore, StoredPeriod } from "#boards/ports.ts";

/** `asOf`: everything acknowledged before is counted in the periods of these boards that were counted already. */
export type UncountedBoards = { boards: readonly BoardRef[]; asOf: Date };

/**
 * Once for each period: a process reads whether the clan has boards after what it projects is committed, so that each
 * entry is marked or in the ledger before this reads it. Throws AppError `unavailable`.
 */
export type CountFromLedger = (clanId: string, uncounted: UncountedBoards) => Promise<void>;

export function makeCountFromLedger(deps: {
  readOpenPeriods: ReadOpenPeriods;
  countAnew: CountAnew;
  boards: Pick<BoardStore, "noteAsOf">;
  periods: Pick<PeriodStore, "noteCounted">;
  reader: LedgerChanges;
  clock: Pick<Clock, "agingMs">;
  log: Log;
  pauseFor?: (ms: number) => Promise<void>;
}): CountFromLedger {
  const { readOpenPeriods, countAnew, boards, periods, reader, clock, log, pauseFor = pause } = deps;
  const running = new Set<Promise<void>>();

  async function countFromLedger(clanId: string, uncounted: UncountedBoards): Promise<void> {
    const beganAtMs = clock.agingMs();
    const isLong = (): boolean => clock.agingMs() - beganAtMs > LONG_COUNT_MS;
    const rest: Rest = async (tookMs) => {
      if (isLong()) await pauseFor(Math.min(tookMs * RESTS_PER_READ, REST_MS_MAX));
    };
    const open = await readOpenPeriods(clanId);
    const counting = (open?.periods ?? []).filter(({ countedAt }) => countedAt === null);
    if (!open || counting.length === 0) return;
    const since = new Date(Math.min(...counting.map(({ startsAt }) => startsAt.getTime())));
    const members = await firstSeqs(reader, clanId, since, rest);
    await countAnew(clanId, members, { stillOpen: stillOpen(clanId, counting), rest });
    await boards.noteAsOf(uncounted.boards, uncounted.asOf);
    await periods.noteCounted(counting, open.now);
    const ms = clock.agingMs() - beganAtMs;
    log.info({ clanId, periods: counting.length, members: members.size, ms }, "board.counted");
  }

  /** Those of these periods whose standings were not discarded since. */
  function stillOpen(clanId: string, counting: readonly StoredPeriod[]): () => Promise<readonly StoredPeriod[]> {
    let [open, readAtMs] = [counting, clock.agingMs()];
    return async () => {
      if (clock.agingMs() - readAtMs < OPEN_READ_EVERY_MS) return open;
      readAtMs = clock.agingMs();
      const named = new Set((await readOpenPeriods(clanId))?.periods.map(({ rows }) => rows));
      open = open.filter(({ rows }) => named.has(rows));
      return open;
    };
  }

  return async (clanId, uncounted) => {
    while (running.size >= CLANS_COUNTED_AT_ONCE) await Promise.race(running);
    const counted = countFromLedger(clanId, uncounted);
    const ended = counted.catch(() => {}).finally(() => running.delete(ended));
    running.add(ended);
    await counted;
  };
}
