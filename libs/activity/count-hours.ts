// A clan's hours as they were counted from the ledger, so that a long range does not read every entry. What is missing
// is counted when it is asked for, the newest first. Awarding XP writes nothing for it.
//
// Invariant: an hour is counted only when no entry can be stored in it any more (HOURS_OPEN), and its generation was
// read before its entries. So an erasure, which deletes entries and then begins a new generation, makes it void.
import { logFailures } from "#async/failures.ts";
import { pause } from "#async/pause.ts";
import { shareRuns } from "#async/share-runs.ts";
import { makeSlots } from "#async/slots.ts";
import { COUNT_STEP_MS, COUNT_WAIT_MS, HOURS_PER_STEP_MAX } from "#activity/bounds.ts";
import type { ActivityStore, Cell, CountedHours, Period } from "#activity/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

const HOUR_MS = 3_600_000;

/** `countedFrom`: earlier hours are still being counted; null if there are none. */
export type Counted = { cells: Cell[]; countedFrom: Date | null };

/** The cells of whole hours that are over. Throws AppError `unavailable`. */
export type ReadCounted = (clanId: string, period: Period) => Promise<Counted>;

type Missing = { generation: string; startsMs: readonly number[] };

export function makeReadCounted(deps: {
  store: Pick<ActivityStore, "oldestAt">;
  hours: CountedHours;
  clock: Pick<Clock, "monotonicMs">;
  log: Log;
}): ReadCounted {
  const { store, hours, clock, log } = deps;
  /** One clan after the other: MongoDB has other work. */
  const turns = makeSlots({ max: 1 });
  const failed = logFailures(log, "activity.not_counted");

  async function read(clanId: string, { from, to }: Period): Promise<Counted & { missing: Missing | null }> {
    const [oldestAt, generation] = await Promise.all([store.oldestAt(clanId), hours.generation(clanId)]);
    if (!oldestAt) return { cells: [], countedFrom: null, missing: null };
    const firstMs = Math.max(from.getTime(), Math.floor(oldestAt.getTime() / HOUR_MS) * HOUR_MS);
    const found = await hours.list(clanId, generation, { from: new Date(firstMs), to });
    const known = new Map(found.map(({ startMs, quarters }) => [startMs, quarters]));
    const startsMs: number[] = [];
    for (let ms = to.getTime() - HOUR_MS; ms >= firstMs; ms -= HOUR_MS) if (!known.has(ms)) startsMs.push(ms);
    const [newest] = startsMs;
    return {
      // Before a gap, nothing: the sums would be wrong without a sign of it.
      cells: found
        .filter(({ startMs }) => newest === undefined || startMs > newest)
        .flatMap(({ quarters }) => quarters),
      countedFrom: newest === undefined ? null : new Date(newest + HOUR_MS),
      missing: newest === undefined ? null : { generation, startsMs },
    };
  }

  /** Steps that take too long become shorter, and others longer. */
  async function count(clanId: string, { generation, startsMs }: Missing): Promise<void> {
    let most = 1;
    for (let index = 0; index < startsMs.length;) {
      const step = stepFrom(startsMs, index, most);
      const beganAtMs = clock.monotonicMs();
      await hours.store(clanId, generation, await hours.count(clanId, step.period));
      const tookMs = clock.monotonicMs() - beganAtMs;
      index += step.hours;
      const fitting = Math.max(1, Math.floor((step.hours * COUNT_STEP_MS) / Math.max(1, tookMs)));
      most = Math.min(fitting, most * 4, HOURS_PER_STEP_MAX);
      if (index < startsMs.length) await pause(tookMs);
    }
  }

  // After a failure, the next reader begins again with what is missing then.
  const countInTurn = shareRuns((clanId: string, missing: Missing) =>
    turns.run(() => count(clanId, missing)).catch((error: unknown) => failed(error, { clanId })),
  );

  return async function readCounted(clanId, period) {
    const before = await read(clanId, period);
    if (!before.missing) return before;
    await Promise.race([countInTurn(clanId, before.missing), pause(COUNT_WAIT_MS)]);
    return read(clanId, period);
  };
}

/** Hours that follow each other, from the newest one on; `startsMs` are newest first. */
function stepFrom(startsMs: readonly number[], index: number, most: number): { period: Period; hours: number } {
  const newestMs = startsMs[index] ?? 0;
  let hours = 1;
  while (hours < most && startsMs[index + hours] === newestMs - hours * HOUR_MS) hours += 1;
  return { period: { from: new Date(newestMs - (hours - 1) * HOUR_MS), to: new Date(newestMs + HOUR_MS) }, hours };
}
