// How the reversals of one process leave capacity to single awards.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pause } from "#async/pause.ts";
import { REST_MS_MAX } from "#usecases/awards/bounds.ts";
import { REVERSAL_REST_SHARE_THROTTLED, REVERSALS_AT_ONCE } from "#usecases/reversals/bounds.ts";
import { makePaceReversals } from "#usecases/reversals/pace-reversals.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());
const clock = { now: () => new Date(), monotonicMs: () => Date.now() };

/** When each group began, in ms from the first. */
async function beginnings(isThrottled: boolean, groups: readonly number[]): Promise<number[]> {
  const pace = makePaceReversals({ isThrottled: () => isThrottled, clock });
  const startMs = Date.now();
  const began: number[] = [];
  const all = groups.map((ms) =>
    pace.run(async () => {
      began.push(Date.now() - startMs);
      await pause(ms);
      if (ms === 0) throw new Error("not settled");
      return ms;
    }),
  );
  const settled = Promise.allSettled(all);
  await vi.runAllTimersAsync();
  expect((await settled).map(({ status }) => status)).toStrictEqual(
    groups.map((ms) => (ms === 0 ? "rejected" : "fulfilled")),
  );
  return began;
}

test("while single awards are active, the groups of all reversals take turns, each behind a pause of several times the one before, also behind one that failed", async () => {
  const pausedMs = 10 * REVERSAL_REST_SHARE_THROTTLED;
  expect(pausedMs).toBeLessThan(REST_MS_MAX);
  expect(await beginnings(true, [10, 0, 5_000, 1])).toStrictEqual([
    0,
    10 + pausedMs,
    10 + pausedMs,
    10 + pausedMs + 5_000 + REST_MS_MAX,
  ]);
});

test("while no single awards are active, nothing waits, and groups are large", async () => {
  expect(await beginnings(false, [10, 0, 5_000, 1])).toStrictEqual([0, 0, 0, 0]);
  const [busy, idle] = [true, false].map((isThrottled) => makePaceReversals({ isThrottled: () => isThrottled, clock }));
  expect([idle?.atOnce(), idle?.entriesPerStep()]).toStrictEqual([REVERSALS_AT_ONCE, undefined]);
  expect(busy?.atOnce()).toBeLessThan(REVERSALS_AT_ONCE / 4);
});
