import { afterAll, beforeAll, expect, test } from "vitest";
import { makeEpochStore } from "#store/ledger/epoch-store.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { scrape } from "../../support/scrape.ts";
import { until } from "../../support/until.ts";
import { makeWorld, type World } from "../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const read = () => makeEpochStore(world.database).read();
const epoch = async () => (await read()).id;

async function makeOlder(byMs: number): Promise<void> {
  const meta = world.database.db().collection<{ _id: string; at: Date }>("meta");
  await meta.updateOne({ _id: "epoch" }, [{ $set: { at: { $subtract: ["$at", byMs] } } }]);
}

test("a process that starts renews the epoch, so that none uses heads from before a restore, unless it is new", async () => {
  const before = await epoch();
  // It is as new as can be, however long this machine takes.
  await makeOlder(-60_000);
  const api = await world.startApi();
  expect(await epoch()).toBe(before);
  await makeOlder(63_000);
  const another = await world.startApi();
  expect(await read()).toMatchObject({ id: expect.not.stringMatching(before), renews: before });
  await Promise.all([api.close(), another.close()]);
});

test("a process that starts empties no other's cache of heads", async () => {
  const api = await world.startApi();
  const clan = await makeClanCaller(world, api.port);
  await clan.award("m", { amount: 5 });
  const lookups = async (source: string): Promise<number> =>
    (await scrape(api.opsPort)).series.get(`clanxp_head_lookups_total{source="${source}"}`) ?? 0;
  const before = await lookups("cached");
  await makeOlder(2_100);
  const another = await world.startApi();
  await until(async () => (await lookups("confirmed")) === 1);
  await clan.award("m", { amount: 5 });
  expect(await lookups("cached")).toBe(before + 1);
  await Promise.all([api.close(), another.close()]);
});

test("the epoch store renews an epoch once it is a minute old, and not before", async () => {
  const store = makeEpochStore(world.database);
  const before = await epoch();
  await store.renew();
  expect(await epoch()).toBe(before);
  await makeOlder(61_000);
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
