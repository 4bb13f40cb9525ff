// Deleting events by age, in MongoDB: what it costs, and what is left.
import { expect, test } from "vitest";
import { systemClock } from "#process/clock.ts";
import { makeEventUpkeep } from "#events/store/event-upkeep.ts";
import { makeApplyRetention } from "#batches/apply-retention.ts";
import { makeDeleteOldEvents } from "#events/delete-old-events.ts";
import { until } from "../../../support/until.ts";
import { examinedIn, profiled } from "../../../support/profiled.ts";
import { useWorld } from "../../../support/use-api.ts";
import { testLog } from "../../../support/world.ts";

const HOUR_MS = 3_600_000;
const never = new AbortController().signal;

const world = await useWorld();

const stored = () => world.database.db().collection<any>("events");
const numbersOf = async (clanId: string): Promise<number[]> =>
  (await stored().find({ "_id.clanId": clanId }).sort({ _id: 1 }).toArray()).map(({ _id }) => _id.n);

/** Events of a clan, from the number 1 on, by how many hours old they are. */
async function chain(clanId: string, ages: readonly number[]): Promise<void> {
  await stored().insertMany(
    ages.map((hours, index) => ({
      _id: { clanId, n: index + 1 },
      eventId: `evt_${clanId}_${index}`,
      at: new Date(Date.now() - hours * HOUR_MS),
      type: "batch.done",
      subject: `batch/${index}`,
      seq: 0,
      data: {},
    })),
  );
}

const retention = (events = makeEventUpkeep(world.database), limit = 100) =>
  makeApplyRetention({
    deleteOld: makeDeleteOldEvents(events, never),
    limit,
    retentionDays: 1,
    event: "event.retention",
    pause: async () => {},
    clock: systemClock,
    log: testLog,
  });

test("a clan's old events cost a few looks at each of them, however many there are and whatever clans come first", async () => {
  const inFront = Array.from({ length: 20 }, (_, index) => `a${index}`);
  for (const clanId of inFront) await chain(clanId, [1, 1]);
  await chain(
    "b",
    Array.from({ length: 1_000 }, (_, index) => (index < 900 ? 48 : 1)),
  );
  const cost = () => profiled(world, "events", () => retention()(never));
  const all = await cost();
  expect(await numbersOf("b")).toStrictEqual(Array.from({ length: 100 }, (_, index) => index + 901));
  expect(examinedIn(all)).toBeLessThanOrEqual(2 * 900 + 10 * 10 + 2 * (inFront.length + 2));
  // One for each clan, and some for each step.
  expect(all.length).toBeLessThanOrEqual(inFront.length + 2 + 10 * 6);
  expect(await cost()).toHaveLength(inFront.length + 2);
  await stored().deleteMany({});
});

test("an event goes only when all before it are old, whatever the order of their times; the newest keeps its number", async () => {
  await chain("mixed", [48, 48, 1, 48, 48]);
  await chain("old", [48, 48, 48]);
  await retention()(never);
  expect(await numbersOf("mixed")).toStrictEqual([3, 4, 5]);
  expect(await numbersOf("old")).toStrictEqual([3]);
  expect((await stored().findOne({ _id: { clanId: "old", n: 3 } })).type).toBeUndefined();
  await stored().deleteMany({});
});

test("a clan whose events cannot be deleted does not keep others from it, nor does another retention that fails", async () => {
  await chain("broken", [48, 48]);
  await chain("fine", [48, 48]);
  const upkeep = makeEventUpkeep(world.database);
  const apply = retention({
    ...upkeep,
    deleteOld: async (clanId, options) => {
      if (clanId === "broken") throw new Error("too slow");
      return await upkeep.deleteOld(clanId, options);
    },
  });
  await expect(apply(never)).rejects.toThrow("too slow");
  await apply(never);
  expect(await numbersOf("fine")).toStrictEqual([2]);
  await expect(apply(never)).rejects.toThrow("too slow");

  await stored().deleteMany({});
  // Nor does a retention that fails before it.
  await chain("late", [1_000, 1_000]);
  const broken = { state: "done", awards: [{}], outcomes: "none", finishedAt: new Date(0) };
  await world.database
    .db()
    .collection<any>("batches")
    .insertOne({ _id: "bat_1", ...broken });
  await world.startWorker();
  await until(async () => (await numbersOf("late")).length === 1);
});
