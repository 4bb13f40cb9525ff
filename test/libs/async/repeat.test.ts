import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { repeat } from "#async/repeat.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("work is repeated with a pause after its end, also after a failure", async () => {
  const errors: unknown[] = [];
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
    await new Promise((resolve) => setTimeout(resolve, 30));
    if (runs === 1) throw new Error("made up");
  };
  const repeated = repeat(
    () => runs * 100 + 100,
    run,
    (error) => void errors.push(error),
  );
  await vi.advanceTimersByTimeAsync(99);
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(1 + 30 + 199);
  expect(runs).toBe(1);
  expect(errors).toStrictEqual([new Error("made up")]);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toBe(2);
  await vi.advanceTimersByTimeAsync(30);
  await repeated.stop();
});

test("work is started without the rest of the pause, but never twice at the same time", async () => {
  const ended = Promise.withResolvers<void>();
  let runs = 0;
  const run = (): Promise<void> => {
    runs += 1;
    return ended.promise;
  };
  const repeated = repeat(1_000, run, () => {});
  repeated.now();
  repeated.now();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(runs).toBe(1);
  let isStopped = false;
  const stopping = repeated.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(isStopped).toBe(false);
  ended.resolve();
  await stopping;
  repeated.now();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(runs).toBe(1);
});
