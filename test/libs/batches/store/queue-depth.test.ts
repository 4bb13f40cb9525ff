// How many batches wait, with how many awards: right, also beside records of older versions, and without a look at any
// record.
import { expect, test } from "vitest";
import type { Batch } from "#domain/batch.ts";
import { acceptedBatch } from "../../../support/accepted.ts";
import { profiled } from "../../../support/profiled.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();

const at = (second: number): Date => new Date(Date.UTC(2026, 10, 21, 12, 0, second));

function batchOf(n: number, awards: number): Batch {
  const ofBatch = Array.from({ length: awards }, (_, index) => ({ platformId: `${index}`, amount: 1n }));
  return acceptedBatch({ batchId: `bat_${n}`, awards: ofBatch, createdAt: at(n) });
}

test("the queue depth counts queued and running batches, and not those that are done", async () => {
  const { batches } = world;
  expect(await batches.queueDepth()).toStrictEqual({ queued: 0, running: 0, awards: 0, oldestCreatedAt: null });
  for (const [n, awards] of [3, 5, 7].entries()) await batches.insert(batchOf(n, awards));
  await batches.start("bat_0", at(10));
  expect(await batches.queueDepth()).toStrictEqual({ queued: 2, running: 1, awards: 15, oldestCreatedAt: at(0) });
  expect(await batches.finish("bat_0", [])).toBe(true);
  expect(await batches.queueDepth()).toStrictEqual({ queued: 2, running: 0, awards: 12, oldestCreatedAt: at(1) });
});

test("the queue depth includes a record of an older version that lacks the number of awards", async () => {
  const records = world.database.db().collection<{ _id: string }>("batches");
  await world.batches.insert(batchOf(9, 2));
  await records.updateOne({ _id: "bat_9" }, { $unset: { awardCount: 1 } });
  expect(await world.batches.queueDepth()).toMatchObject({ queued: 3, awards: 12 });
  expect(await world.batches.read("bat_9")).toStrictEqual(batchOf(9, 2));
});

test("the queue depth is computed from the index alone, however large the records are", async () => {
  const commands = await profiled(world, "batches", () => world.batches.queueDepth());
  const [counted] = commands.filter(({ command }) => command.aggregate === "batches");
  expect(counted).toMatchObject({ docsExamined: 0 });
  expect(counted.keysExamined).toBeGreaterThanOrEqual(3);
});
