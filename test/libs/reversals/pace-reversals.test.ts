// How the reversals of one process leave capacity to single awards.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pause } from "#async/pause.ts";
import { REST_MS_MAX } from "#ledger/bounds.ts";
import { REVERSAL_REST_SHARE_THROTTLED, REVERSALS_AT_ONCE } from "#reversals/bounds.ts";
import { makePaceReversals } from "#reversals/pace-reversals.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());
const clock = { now: () => new Date(), monotonicMs: () => Date.now(), agingMs: () => Date.now() };

test("a worker follows each group by a bounded pause of several times its duration while single awards are active", async () => {
  const pace = makePaceReversals({ isThrottled: () => true, clock });
  const startMs = Date.now();
  const ended: number[] = [];
  for (const ms of [10, 5_000]) {
    const group = pace.run(() => pause(ms)).then(() => ended.push(Date.now() - startMs));
    await vi.runAllTimersAsync();
    await group;
  }
  const pausedMs = 10 * REVERSAL_REST_SHARE_THROTTLED;
  expect(pausedMs).toBeLessThan(REST_MS_MAX);
  expect(ended).toStrictEqual([10 + pausedMs, 10 + pausedMs + 5_000 + REST_MS_MAX]);
});

test("a worker runs one reversal at a time while single awards are active, and reports that another one is waiting", async () => {
  let isThrottled = false;
  const pace = makePaceReversals({ isThrottled: () => isThrottled, clock });
  const ends = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const turns = ends.map(({ promise }) => pace.turn(() => promise));
  const another = (): Promise<string | null> => pace.turn(async () => "another");
  isThrottled = true;
  expect(await another()).toBeNull();
  expect([pace.wasRejected(), pace.wasRejected()]).toStrictEqual([true, false]);
  ends[0]?.resolve("first");
  expect([await turns[0], await another()]).toStrictEqual(["first", null]);
  ends[1]?.reject(new Error("not settled"));
  await expect(turns[1]).rejects.toThrow("not settled");
  expect(await another()).toBe("another");
});

test("a worker runs large groups without pauses while no single awards are active", async () => {
  const startMs = Date.now();
  await makePaceReversals({ isThrottled: () => false, clock }).run(async () => {});
  expect(Date.now()).toBe(startMs);
  const [busy, idle] = [true, false].map((isThrottled) => makePaceReversals({ isThrottled: () => isThrottled, clock }));
  expect([idle?.atOnce(), idle?.entriesPerStep()]).toStrictEqual([REVERSALS_AT_ONCE, undefined]);
  expect(busy?.atOnce()).toBeLessThan(REVERSALS_AT_ONCE / 4);
});
