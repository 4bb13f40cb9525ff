// Counts who gained how much in a span, from a snapshot of the ledger, and stores the list.
//
// Invariant: a count works in steps, and rests after each, so that it takes a bounded share of the process and of
// MongoDB. A list is stored from heads that were just read, which an erasure relies on (READS_AGE_MAX_MS).
import { chunks } from "#async/chunks.ts";
import { pause } from "#async/pause.ts";
import { sortInSteps } from "#async/sort-in-steps.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import { guardAge } from "#boards/count-anew.ts";
import {
  COUNT_AGE_MS_MAX,
  COUNT_AGE_SHARE,
  CURSOR_MS_MIN,
  KEPT_MARGIN_MS,
  MEMBERS_TOGETHER,
  RESTS_PER_STEP,
  RESTS_PER_STEP_THROTTLED,
  SNAPSHOT_MS_MAX,
} from "#gains/bounds.ts";
import type { GainCount, GainCounts, Gained, GainRow, GainSpan, ReadSnapshot } from "#gains/ports.ts";
import { makeGatherGains, type GatherGains, type Step } from "#gains/gather-gains.ts";
import type { MemberStore } from "#members/ports.ts";

/** `onProgress`: the part that is done, from 0 to 1. Throws AppError `unavailable`. */
export type CountGains = (clanId: string, span: GainSpan, onProgress?: (done: number) => void) => Promise<void>;

/** How old a count may be before it is made anew. */
export function ageMaxMs({ tookMs }: Pick<GainCount, "tookMs">): number {
  return Math.max(COUNT_AGE_MS_MAX, tookMs * COUNT_AGE_SHARE);
}

type StepDeps = {
  clock: Pick<Clock, "agingMs">;
  /** Single awards are served. */
  isThrottled: () => Promise<boolean>;
  /** Ends a count between two steps. */
  stopping?: AbortSignal | undefined;
};

/** `done`: the part of the snapshot that is read. One that is read too slowly expires. */
function makeStep({ clock, isThrottled, stopping }: StepDeps, done: () => number): Step {
  const firstMs = clock.agingMs();
  return async (work) => {
    const beganMs = clock.agingMs();
    const result = await work();
    const endedMs = clock.agingMs();
    // A tenth of the time for dividing the span.
    const isLate = endedMs - firstMs > SNAPSHOT_MS_MAX * (0.1 + 0.9 * done());
    const rests = !isLate && (await isThrottled()) ? RESTS_PER_STEP_THROTTLED : RESTS_PER_STEP;
    await pause((endedMs - beganMs) * rests, stopping);
    stopping?.throwIfAborted();
    return result;
  };
}

export function makeCountGains(
  deps: StepDeps & {
    readSnapshot: ReadSnapshot;
    counts: GainCounts;
    members: Pick<MemberStore, "readMany">;
    newId: () => string;
    log: Log;
    gather?: GatherGains;
  },
): CountGains {
  const { readSnapshot, counts, members, newId, clock, log, gather = makeGatherGains() } = deps;

  /** Null where nothing is stored of the member any more, who was erased since. */
  async function storeRows(count: Omit<GainCount, "totals" | "tookMs">, list: readonly Gained[]): Promise<void> {
    const step = makeStep(deps, () => Infinity);
    let [position, before, first] = [0, null as bigint | null, 0];
    for (const part of chunks(list, MEMBERS_TOGETHER)) {
      await step(async () => {
        const requireRecent = guardAge(clock);
        const ids = part.map(({ platformId }) => platformId);
        const stored = await members.readMany(count.clanId, ids);
        const rows = part.map((one, index): GainRow | null => {
          if (one.xp !== before) position = first + index + 1;
          before = one.xp;
          const member = stored.get(one.platformId);
          return member ? { ...one, position, membership: member.membership } : null;
        });
        requireRecent();
        await counts.storeRows(count, first, rows);
      });
      first += part.length;
    }
  }

  return async (clanId, span, onProgress = () => {}) => {
    const beganMs = clock.agingMs();
    // Before the snapshot: what was acknowledged until then is in it.
    const asOf = await counts.now();
    let done = 0;
    const step = makeStep(deps, () => done);
    const note = (part: number): void => onProgress((done = part));
    const gained = await readSnapshot((snapshot) => gather(snapshot, { clanId, span, step, onProgress: note }));
    const list = await sortInSteps([...(gained?.values() ?? [])], inOrder);
    const expected = { tookMs: (clock.agingMs() - beganMs) * 2 };
    const keptMs = 2 * ageMaxMs(expected) + CURSOR_MS_MIN + KEPT_MARGIN_MS;
    const count = { countId: newId(), clanId, ...span, asOf, expiresAt: new Date(asOf.getTime() + keptMs) };
    await storeRows(count, list);
    const tookMs = clock.agingMs() - beganMs;
    await counts.store({ ...count, tookMs, totals: gained && totalsOf(list) });
    log.info({ clanId, members: list.length, ms: tookMs }, "gains.counted");
  };
}

function inOrder(a: Gained, b: Gained): number {
  if (a.xp !== b.xp) return a.xp > b.xp ? -1 : 1;
  const byTime = a.lastAwardAt.getTime() - b.lastAwardAt.getTime();
  return byTime || (a.platformId < b.platformId ? -1 : 1);
}

function totalsOf(list: readonly Gained[]): NonNullable<GainCount["totals"]> {
  const totals = { members: list.length, awards: 0, xp: 0n };
  for (const { awards, xp } of list) {
    totals.awards += awards;
    totals.xp += xp;
  }
  return totals;
}
