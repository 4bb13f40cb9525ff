// What metrics read from elsewhere, and how busy a worker was: bounded, and true of the time that they speak of.
import { expect, test, vi } from "vitest";
import { makeBuckets } from "#telemetry/metrics/buckets.ts";
import { makeUtilization } from "#telemetry/metrics/utilization.ts";
import { makeCachedValue } from "#telemetry/metrics/cached-value.ts";

function clockAt(): { now: () => Date; monotonicMs: () => number; agingMs: () => number; pass(ms: number): void } {
  let nowMs = 1_000;
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    agingMs: () => nowMs,
    pass: (ms) => void (nowMs += ms),
  };
}

test("a reading is read once in 5 s for any number of callers, and again after that", async () => {
  const clock = clockAt();
  let reads = 0;
  const reading = makeCachedValue({ read: async () => (reads += 1), clock });
  expect(await Promise.all([reading(), reading(), reading()])).toStrictEqual([1, 1, 1]);
  clock.pass(4_999);
  expect(await reading()).toBe(1);
  clock.pass(1);
  expect(await reading()).toBe(2);
});

test("a reading that fails keeps the last value for 30 s, and is not retried immediately", async () => {
  const clock = clockAt();
  let reads = 0;
  const reading = makeCachedValue({
    async read() {
      reads += 1;
      if (reads > 1) throw new Error("away");
      return "known";
    },
    clock,
  });
  expect(await reading()).toBe("known");
  clock.pass(29_999);
  expect(await reading()).toBe("known");
  expect(await reading()).toBe("known");
  expect(reads).toBe(2);
  clock.pass(1);
  expect(await reading()).toBeNull();
});

test("a reading that does not end delays callers by at most 0.5 s and is not started twice", async () => {
  vi.useFakeTimers();
  try {
    const clock = clockAt();
    let reads = 0;
    const hanging = Promise.withResolvers<string>();
    const reading = makeCachedValue({
      read() {
        reads += 1;
        return hanging.promise;
      },
      clock,
    });
    for (let times = 0; times < 3; times += 1) {
      const answer = reading();
      await vi.advanceTimersByTimeAsync(500);
      expect(await answer).toBeNull();
      clock.pass(5_000);
    }
    expect(reads).toBe(1);
    hanging.resolve("late");
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("a worker's utilization covers its slots since the last scrape", async () => {
  const clock = clockAt();
  const busy = makeUtilization({ slots: 4, clock });
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const works = [busy.during(() => first.promise), busy.during(() => second.promise)];
  clock.pass(5_000);
  first.resolve();
  await works[0];
  clock.pass(5_000);
  // Two of four for half of the time, one for the other half.
  expect(busy.share()).toBeCloseTo(0.375);
  clock.pass(4_999);
  expect(busy.share()).toBeCloseTo(0.375);
  clock.pass(1);
  expect(busy.share()).toBeCloseTo(0.25);
  second.resolve();
  await works[1];
  clock.pass(6_000);
  expect(busy.share()).toBe(0);
});

test("a slot whose work fails is released", async () => {
  const clock = clockAt();
  const busy = makeUtilization({ slots: 1, clock });
  await expect(busy.during(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  clock.pass(10_000);
  expect(busy.share()).toBe(0);
});

test("a histogram bucket includes its upper bound, and larger values are counted too", () => {
  const buckets = makeBuckets([1, 2]);
  for (const value of [0, 1, 1.5, 2, 2.1, 99]) buckets.observe(value);
  expect(buckets.counts).toStrictEqual([2, 2, 2]);
  expect(buckets.sum).toBeCloseTo(105.6);
});
