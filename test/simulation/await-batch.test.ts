import { expect, test } from "vitest";
import { systemClock } from "#process/clock.ts";
import { makeAwaitBatch } from "#batches/await-batch.ts";
import { BATCH_POLL_MS, BATCHES_AWAITED_MAX } from "#batches/bounds.ts";
import { acceptedBatch } from "../support/accepted.ts";
import { testLog } from "../support/world.ts";

const POLLS = 4;

test("a thousand waiting callers cost a few reads, one more does not wait, and no batch is read before it is done", async () => {
  const reads = { states: 0, records: 0 };
  let left = new Map<string, "queued">();
  const awaitBatch = makeAwaitBatch({
    batches: {
      async read(batchId) {
        reads.records += 1;
        return { ...acceptedBatch({ batchId }), state: "done" };
      },
      async readUnfinished() {
        reads.states += 1;
        await new Promise((resolve) => setImmediate(resolve));
        return left;
      },
    },
    // No signal ever arrives: Redis is unavailable.
    signal: { wait: (_, timeoutMs) => new Promise((resolve) => setTimeout(resolve, timeoutMs, false)) },
    clock: systemClock,
    log: testLog,
    awaitedMax: BATCHES_AWAITED_MAX,
    stopping: new AbortController().signal,
  });
  const batches = Array.from({ length: BATCHES_AWAITED_MAX }, (_, index) => acceptedBatch({ batchId: `b${index}` }));
  left = new Map(batches.map(({ batchId }) => [batchId, "queued"]));

  const waiting = Promise.all(batches.map((batch) => awaitBatch(batch, POLLS * BATCH_POLL_MS)));
  const beyond = acceptedBatch({ batchId: "beyond" });
  expect(await awaitBatch(beyond, 60_000)).toBe(beyond);
  const unfinished = await waiting;
  expect(new Set(unfinished.map(({ state }) => state))).toStrictEqual(new Set(["queued"]));
  expect(reads.states).toBeLessThan(BATCHES_AWAITED_MAX / 10);
  expect(reads.records).toBe(0);

  left.clear();
  const done = await Promise.all(batches.map((batch) => awaitBatch(batch, 60_000)));
  expect(new Set(done.map(({ state }) => state))).toStrictEqual(new Set(["done"]));
  expect(reads.records).toBe(BATCHES_AWAITED_MAX);
});
