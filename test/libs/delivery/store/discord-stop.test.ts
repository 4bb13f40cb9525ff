// The one stop for requests to Discord, of all clans and processes.
import { afterAll, beforeEach, expect, test } from "vitest";
import { makeDiscordStop } from "#delivery/store/discord-stop.ts";
import type { DiscordStopDoc } from "#delivery/store/discord-stop-model.ts";
import { makeWorld } from "../../../support/world.ts";

const world = await makeWorld();
afterAll(() => world.close());
const stops = world.database.db().collection<DiscordStopDoc>("discord_stops");
beforeEach(() => stops.deleteMany({}));
/** As two processes have it. */
const [one, another] = [makeDiscordStop(world.database), makeDiscordStop(world.database)];
const MINUTE_MS = 60_000;

async function setMinutes(counts: readonly (readonly [agoMs: number, count: number])[]): Promise<void> {
  const minutes = counts.map(([agoMs, count]) => ({ at: new Date(Date.now() - agoMs), count }));
  await stops.updateOne({ _id: "discord" }, { $set: { minutes } }, { upsert: true });
}

test("more than 1,000 rejected requests in 10 minutes stop every process for 10 minutes", async () => {
  expect(await one.restMs("rovers")).toBe(0);
  // Minutes before this one; what is older does not count.
  await setMinutes([
    [11 * MINUTE_MS, 5_000],
    [9 * MINUTE_MS, 600],
    [2 * MINUTE_MS, 390],
  ]);
  // Of several clans, none of which has many.
  await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 ? one : another).noteRefusal(`clan-${index}`)));
  expect(await another.restMs("rovers")).toBe(0);
  await one.noteRefusal("rovers");
  for (const stop of [one, another]) {
    expect(await stop.restMs("rovers")).toBeGreaterThan(9 * MINUTE_MS);
    expect(await stop.restMs("rovers")).toBeLessThanOrEqual(10 * MINUTE_MS);
  }
  const stored = await stops.findOne({ _id: "discord" });
  expect(stored?.minutes.map(({ count }) => count)).not.toContain(5_000);
});

test("a rest is for every process, and a shorter one does not end it", async () => {
  await Promise.all([one.rest(50_000.5), another.rest(5_000)]);
  for (const stop of [one, another]) {
    expect(await stop.restMs("rovers")).toBeGreaterThan(5_000);
    expect(await stop.restMs("rovers")).toBeLessThanOrEqual(50_001);
  }
  await one.noteRefusal("rovers");
  expect(await one.restMs("rovers")).toBeGreaterThan(5_000);
});

test("a stop ends by itself", async () => {
  await stops.insertOne({ _id: "discord", minutes: [], restUntil: new Date(Date.now() - 1) });
  expect(await one.restMs("rovers")).toBe(0);
});

test("a clan with more than 50 rejected requests in 10 minutes rests alone", async () => {
  for (let count = 0; count < 50; count += 1) await one.noteRefusal("rovers");
  expect(await another.restMs("rovers")).toBe(0);
  await another.noteRefusal("rovers");
  expect(await one.restMs("rovers")).toBeGreaterThan(9 * MINUTE_MS);
  expect(await one.restMs("owls")).toBe(0);
});
