// A clan's activity in a range of time and in the range before. It is derived from the ledger on request, so it has no
// cost per award: the newest hours are read from the ledger, older ones as they were counted (count-hours.ts).
import { dropOldest } from "#async/drop-oldest.ts";
import { shareRuns } from "#async/share-runs.ts";
import {
  ACTIVITY_FRESH_MS,
  ACTIVITY_FULL_READ_MS,
  ACTIVITY_REREAD_MS,
  CLANS_WATCHED_MAX,
  HOURS_OPEN,
} from "#activity/bounds.ts";
import type { Entry } from "#domain/entry.ts";
import { spansOf, type Span, type TimeRange } from "#domain/time-range.ts";
import type { TimeZone } from "#domain/time-zone.ts";
import type { Totals } from "#domain/totals.ts";
import type { Leaderboard } from "#members/leaderboard.ts";
import type { ReadCounted } from "#activity/count-hours.ts";
import type { ActivityStore, Cell } from "#activity/ports.ts";
import type { Clock } from "#kernel/clock.ts";

/** `isCounted` false: the span is older than what was counted until now, and has zeros. */
export type SpanSums = Sums & { isCounted: boolean };
type Sums = Omit<Cell, "takenBack">;
export type Activity = {
  asOf: Date;
  totals: Totals;
  /** Oldest first. */
  spans: SpanSums[];
  before: SpanSums[];
  newest: readonly Entry[];
};

/** Throws AppError `unavailable`. */
export type ReadActivity = (clanId: string, range: TimeRange, zone: TimeZone) => Promise<Activity>;

const [MINUTE_MS, QUARTER_MS, HOUR_MS] = [60_000, 15 * 60_000, 3_600_000];
const NEWEST = 10;
/** In no span. */
const NOTHING: Sums = { startMs: -1, awards: 0, joined: 0, xp: 0n, byHand: 0n, imported: 0n };

/** `minutes`: from `fromMs` on. */
type Tail = { asOf: Date; fromMs: number; minutes: readonly Cell[]; newest: readonly Entry[]; totals: Totals };
type Known = { readMs: number; fullReadMs: number; tail: Tail };

export function makeReadActivity(deps: {
  store: Pick<ActivityStore, "minutes" | "newest">;
  readCounted: ReadCounted;
  leaderboard: Pick<Leaderboard, "totals">;
  clock: Clock;
}): ReadActivity {
  const { store, readCounted } = deps;
  const readTail = makeReadTail(deps);

  /** Before the minutes of the tail, oldest first. */
  async function olderCells(
    clanId: string,
    { fromMs, untilMs, cutMs }: Record<"fromMs" | "untilMs" | "cutMs", number>,
  ) {
    if (fromMs >= untilMs) return { cells: [], countedFrom: null };
    // The range before may end within a quarter of an hour.
    const cutFromMs = floorTo(QUARTER_MS, cutMs);
    const [counted, rest] = await Promise.all([
      readCounted(clanId, { from: new Date(floorTo(HOUR_MS, fromMs)), to: new Date(untilMs) }),
      cutFromMs < cutMs && cutMs < untilMs
        ? store.minutes(clanId, { from: new Date(cutFromMs), to: new Date(cutMs) })
        : [],
    ]);
    const isCut = ({ startMs }: Cell): boolean => startMs === cutFromMs && cutFromMs !== cutMs;
    // Its reversals count all the same, because their awards may be in any span. Those of awards in this quarter of an
    // hour all count in the range before, which is exact to a quarter of an hour for them.
    const whole = counted.cells.map((cell) => (isCut(cell) ? { ...NOTHING, takenBack: cell.takenBack } : cell));
    const parts = rest.map((cell) => ({ ...cell, takenBack: [] }));
    return { cells: [...whole, ...parts], countedFrom: counted.countedFrom };
  }

  return async function readActivity(clanId, range, zone) {
    const { asOf, fromMs: untilMs, minutes, newest, totals } = await readTail(clanId);
    const { spans, before } = spansOf(range, asOf, zone);
    const [fromMs, cutMs] = [before[0]?.fromMs ?? 0, before.at(-1)?.toMs ?? 0];
    const older = await olderCells(clanId, { fromMs, untilMs, cutMs });
    const cells = [...older.cells, ...minutes];
    const countedMs = older.countedFrom?.getTime() ?? -Infinity;
    const parts = cells.flatMap(({ takenBack, ...cell }) => [
      cell,
      ...takenBack.map((taken) => ({ ...taken, awards: 0, joined: 0 })),
    ]);
    const sumsOf = (ofRange: readonly Span[]) => ofRange.map((span) => sumOf(span, parts, countedMs));
    return { asOf, totals, newest, spans: sumsOf(spans), before: sumsOf(before) };
  };
}

/** The newest minutes of clans, cached for some seconds. */
function makeReadTail(deps: Parameters<typeof makeReadActivity>[0]): (clanId: string) => Promise<Tail> {
  const { store, leaderboard, clock } = deps;
  const known = new Map<string, Known>();

  /** Reads all of it from time to time, because an entry can be stored minutes after its time. */
  const readAgain = shareRuns(async (clanId: string): Promise<Tail> => {
    const [before, nowMs, asOf] = [known.get(clanId), clock.agingMs(), clock.now()];
    const isFullRead = !before || nowMs - before.fullReadMs >= ACTIVITY_FULL_READ_MS;
    const fromMs = floorTo(HOUR_MS, asOf.getTime()) - HOURS_OPEN * HOUR_MS;
    const changedMs = Math.min(before?.tail.asOf.getTime() ?? 0, asOf.getTime()) - ACTIVITY_REREAD_MS;
    const readFromMs = isFullRead ? fromMs : Math.max(fromMs, floorTo(MINUTE_MS, changedMs));
    const [read, newest, totals] = await Promise.all([
      store.minutes(clanId, { from: new Date(readFromMs), to: new Date(asOf.getTime() + MINUTE_MS) }),
      store.newest(clanId, NEWEST),
      leaderboard.totals(clanId),
    ]);
    const kept = before?.tail.minutes.filter(({ startMs }) => startMs >= fromMs && startMs < readFromMs) ?? [];
    const tail = { asOf, fromMs, minutes: [...kept, ...read], newest, totals };
    known.delete(clanId);
    known.set(clanId, { readMs: nowMs, fullReadMs: isFullRead ? nowMs : before.fullReadMs, tail });
    dropOldest(known, CLANS_WATCHED_MAX);
    return tail;
  });

  return async function readTail(clanId) {
    const found = known.get(clanId);
    if (found && clock.agingMs() - found.readMs < ACTIVITY_FRESH_MS) return found.tail;
    return readAgain(clanId);
  };
}

function sumOf({ fromMs, toMs }: Span, parts: readonly Sums[], countedMs: number): SpanSums {
  const sums = { ...NOTHING, startMs: fromMs, isCounted: fromMs >= countedMs };
  if (!sums.isCounted) return sums;
  for (const { startMs, ...part } of parts) {
    if (startMs < fromMs || startMs >= toMs) continue;
    sums.awards += part.awards;
    sums.joined += part.joined;
    sums.xp += part.xp;
    sums.byHand += part.byHand;
    sums.imported += part.imported;
  }
  return sums;
}

function floorTo(partMs: number, ms: number): number {
  return Math.floor(ms / partMs) * partMs;
}
