// What somebody wrote into MongoDB by hand: a number of another type is the same number, and what says nothing harms its own member alone.
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAnswer } from "../support/answers.ts";
import { makeClanCaller, until, type ClanCaller } from "../support/clan-caller.ts";
import { makeWorld, type World } from "../support/world.ts";

let world: World;
let clan: ClanCaller;
beforeAll(async () => {
  world = await makeWorld();
  const [{ port }] = await Promise.all([world.startApi(), world.startWorker()]);
  clan = await makeClanCaller(world, port);
});
afterAll(() => world.close());

const setByHand = (collection: "members" | "clans", filter: object, fields: object) =>
  world.database.db().collection(collection).updateOne(filter, { $set: fields });

test("XP and a clan's bounds as mongosh writes numbers: awards go on from there, exactly", async () => {
  await clan.award("by-hand", { amount: 5 });
  await setByHand("members", { platformId: "by-hand" }, { xp: 500 });
  await setByHand("clans", { _id: clan.clanId }, { xpFloor: -10, xpCap: 600, "ranks.1.threshold": 400 });
  // So that this process has read the clan anew.
  await clan.change({});

  expect(expectAnswer("read-member", await clan.get("/members/by-hand"))).toMatchObject({
    xp: "500",
    nextRank: "Recruit",
    xpToNextRank: "0",
  });
  expect(expectAnswer("apply-award", await clan.awardChange("by-hand", { amount: 99 }))).toMatchObject({ xp: "599", rank: "Recruit" });
  expect((await clan.awardChange("by-hand", { amount: 99 })).body).toMatchObject({ xp: "600", change: { applied: "1" } });
  expect((await clan.awardChange("by-hand", { amount: -1000 })).body).toMatchObject({ xp: "-10", change: { applied: "-610" } });
});

test("XP that is no number: its awards are told `internal` at once, those that fly with them are applied, and a batch waits until it is one", async () => {
  const members = Array.from({ length: 20 }, (_, index) => `m${index}`);
  await Promise.all(["broken", ...members].map((member) => clan.award(member, { amount: 5 })));
  await setByHand("members", { platformId: "broken" }, { xp: "many" });

  const batch = await clan.submit(
    [
      { platformId: "broken", amount: 1 },
      { platformId: "m0", amount: 0 },
    ],
    { prefer: "respond-async" },
  );
  const [broken, ...others] = await Promise.all(["broken", ...members].map((member) => clan.award(member, { amount: 5 })));
  expect(broken).toMatchObject({ status: 500, body: { code: "internal" } });
  expect(others.map(({ status, body }) => [status, body.xp])).toStrictEqual(members.map(() => [200, "10"]));

  await setByHand("members", { platformId: "broken" }, { xp: 5n });
  expect((await clan.award("broken", { amount: 5 })).status).toBe(200);
  await until(async () => (await clan.get(`/batches/${batch.body.batchId}`)).body.applied === 2);
  expect((await clan.get("/members/broken")).body.xp).toBe("11");
});
