// When a worker looks for changes that have no events yet.
import { beforeEach, expect, test } from "vitest";
import { UNNUMBERED } from "#redis/event-signal.ts";
import type { EventSignal } from "#events/ports.ts";
import { numberWhenDue } from "../../../apps/worker/number-when-due.ts";

let nowMs: number;
let looks: number;
let waitedMs: number[];
let isConnected: boolean;
/** How long the next wait takes until a commit is announced; Infinity: it is not. */
let announcedInMs: number;

const signal: EventSignal = {
  watch: (clanId) => ({
    async wait(timeoutMs) {
      expect(clanId).toBe(UNNUMBERED);
      waitedMs.push(timeoutMs);
      nowMs += Math.min(timeoutMs, announcedInMs);
    },
    wake() {},
    end() {},
  }),
  isConnected: () => isConnected,
};

beforeEach(() => {
  [nowMs, looks, waitedMs, isConnected, announcedInMs] = [0, 0, [], true, Infinity];
});

function worker(): () => Promise<void> {
  const numberEvents = { run: async () => void (looks += 1), behindMs: () => 0 };
  const clock = { monotonicMs: () => nowMs } as Parameters<typeof numberWhenDue>[0]["clock"];
  const run = numberWhenDue({ numberEvents, signal, clock, stopping: new AbortController().signal });
  return async () => {
    await run();
    nowMs += 500;
  };
}

test("an idle worker waits between its looks, and finds what nobody announced within 2.5 s", async () => {
  const run = worker();
  for (let turn = 0; turn < 10; turn += 1) await run();
  expect(looks).toBe(10);
  expect(waitedMs).toHaveLength(10);
  expect(nowMs / looks).toBeLessThanOrEqual(2_500);
});

test("a commit that is announced ends the wait, and for two seconds the looks follow each other without one", async () => {
  const run = worker();
  announcedInMs = 10;
  await run();
  announcedInMs = Infinity;
  for (let turn = 0; turn < 4; turn += 1) await run();
  expect([looks, waitedMs.length, nowMs]).toEqual([5, 1, 10 + 5 * 500]);
  await run();
  expect(waitedMs).toHaveLength(2);
});

test("without Redis a worker never waits for what nobody can announce", async () => {
  const run = worker();
  isConnected = false;
  for (let turn = 0; turn < 4; turn += 1) await run();
  expect([looks, waitedMs]).toEqual([4, []]);
});
