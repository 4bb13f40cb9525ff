import { afterAll, beforeAll, expect, test } from "vitest";
import { makeEpochStore } from "#store/projection/epoch-store.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { makeWorld, type World } from "../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const read = () => makeEpochStore(world.database).read();
const epoch = async () => (await read()).id;

test("the epoch store draws a new epoch for every process that starts, so that none uses heads from before a restore", async () => {
  const before = await epoch();
  const api = await world.startApi();
  const between = await epoch();
  await world.startWorker();
  expect(new Set([before, between, await epoch()]).size).toBe(3);
  await api.close();
});

test("the epoch store renews an epoch once it is a minute old, and not before", async () => {
  const store = makeEpochStore(world.database);
  const before = await epoch();
  await store.renew();
  expect(await epoch()).toBe(before);
  await world.database
    .db()
    .collection<{ _id: string; at: Date }>("meta")
    .updateOne({ _id: "epoch" }, [{ $set: { at: { $subtract: ["$at", 61_000] } } }]);
  await Promise.all([store.renew(), store.renew(), store.renew()]);
  const renewed = await read();
  expect(renewed.id).not.toBe(before);
  expect(renewed.renews).toBe(before);
  await store.renew();
  expect(await read()).toStrictEqual(renewed);
  // An erasure: nothing of the epochs before it may be used.
  await store.draw();
  expect((await read()).renews).toBeNull();
});

test("a process projects everything that it committed before it exits", async () => {
  const api = await world.startApi();
  const clan = await makeClanCaller(world, api.port);
  await Promise.all(Array.from({ length: 300 }, (_, index) => clan.award(`m${index}`, { amount: 5 })));
  await api.close();
  const members = world.database.db().collection("members");
  expect(await members.countDocuments({ clanId: clan.clanId, xp: 5n, seq: 1 })).toBe(300);
});
