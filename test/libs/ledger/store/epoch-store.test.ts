import { expect, test } from "vitest";
import { PROJECTION_CLOSE_MS } from "#ledger/bounds.ts";
import { makeEpochStore } from "#ledger/store/epoch-store.ts";
import { makeClanCaller } from "../../../support/clan-caller.ts";
import { scrape } from "../../../support/scrape.ts";
import { until } from "../../../support/until.ts";
import { waitLonger } from "../../../support/wait-longer.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();

test("the epoch is another one after each drawing", async () => {
  const store = makeEpochStore(world.database);
  const epochs = [await store.read()];
  for (const _ of "12") {
    await store.draw();
    epochs.push(await store.read());
  }
  expect(new Set(epochs).size).toBe(3);
});

test("a process that starts empties no other's cache of heads", async () => {
  const api = await world.startApi();
  const clan = await makeClanCaller(world, api.port);
  const counted = async (series: string): Promise<number> => (await scrape(api.opsPort)).series.get(series) ?? 0;
  const cached = 'clanxp_head_lookups_total{source="cached"}';
  // Until it has seen no other process for a while: a head without a lock, which Redis may grant late, is read as well.
  await until(async () => {
    await clan.award("m", { amount: 5 });
    return (await counted("clanxp_lock_not_needed_total")) > 0;
  });
  const before = await counted(cached);
  const another = await world.startApi();
  await clan.award("m", { amount: 5 });
  expect(await counted(cached)).toBe(before + 1);
  await Promise.all([api.close(), another.close()]);
});

test("a process projects everything that it committed before it exits", async () => {
  const api = await world.startApi();
  const clan = await makeClanCaller(world, api.port);
  await Promise.all(Array.from({ length: 300 }, (_, index) => clan.award(`m${index}`, { amount: 5 })));
  // After that time, it would leave the rest to others.
  waitLonger(PROJECTION_CLOSE_MS);
  await api.close();
  const members = world.database.db().collection("members");
  expect(await members.countDocuments({ clanId: clan.clanId, xp: 5n, seq: 1 })).toBe(300);
});
