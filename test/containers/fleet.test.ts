// Two APIs and three workers in containers of the product's image: their guarantees hold across containers, through
// kills, partitions and a rolling update under load.
import { afterAll, beforeAll, expect, test } from "vitest";
import { isFirstAnswerMissing } from "../support/oracle.ts";
import { sendBatch, startLoad, type KeyedBatch, type Load, type Seen } from "../faults/load.ts";
import type { Target } from "../faults/send.ts";
import { seedOfRun } from "../support/seed.ts";
import { violations } from "../faults/violations.ts";
import { chanceOf } from "../support/chance.ts";
import { images, startFleet, urlOf, type Fleet, type Role } from "./fleet.ts";

/** 4 callers x 25 batches x 100 awards. */
const [CALLERS, BATCHES, AWARDS] = [4, 25, 100];

const seed = seedOfRun();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ apis: 2, workers: 3 });
});
afterAll(() => fleet.close());

test("an award through one container is visible through another, and a batch is applied by a third", async () => {
  const { clanId, key } = await fleet.makeTarget();
  const [one = "", two = ""] = fleet.running("api").map(urlOf);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const post = async (url: string, body: object): Promise<unknown> =>
    (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();

  expect(await post(`${one}/v0/clans/${clanId}/members/ada/xp`, { amount: 150 })).toStrictEqual({
    platformId: "ada",
    xp: "150",
    rank: "Recruit",
  });
  expect(await post(`${two}/v0/clans/${clanId}/xp`, { awards: [{ platformId: "ada", amount: 900 }] })).toStrictEqual({
    applied: 1,
    results: [{ index: 0, platformId: "ada", status: "applied", xp: "1050", rank: "Veteran" }],
  });
  const read = await fetch(`${one}/v0/clans/${clanId}/members/ada`, { headers });
  expect(await read.json()).toMatchObject({ xp: "1050", rank: "Veteran" });
});

test("10,000 awards in batches are applied exactly once while workers are killed and added", async () => {
  const target = await fleet.makeTarget();
  const batches = Array.from({ length: CALLERS }, (_, caller) => batchesOf(caller));
  const sent: KeyedBatch[] = [];
  const sending = Promise.all(
    batches.map(async (own, caller) => {
      for (const [turn, batch] of own.entries()) sent.push(await sendBatch(target, batch, caller + turn));
    }),
  );
  let killed = 0;
  const done = sending.then(() => true);
  do {
    const [victim] = fleet.running("worker");
    if (victim) await fleet.kill(victim);
    killed += 1;
    await fleet.add("worker");
  } while (!(await Promise.race([done, Promise.resolve(false)])) && killed < 20);
  await done;
  expect(
    await violations("workers killed and added", fleet.database, target.clanId, { awards: [], batches: sent }),
  ).toStrictEqual([]);
  expect(fleet.running("worker")).toHaveLength(3);
});

test("a worker that is disconnected from the network and reconnected loses nothing and applies nothing twice", async () => {
  const [victim] = fleet.running("worker");
  if (!victim) throw new Error("no worker");
  const [target, seen] = await underLoad(async (load) => {
    await fleet.cutOff(victim.container);
    await load.acknowledged(200);
    await fleet.reconnect(victim.container);
  });
  expect(await violations("a worker cut off", fleet.database, target.clanId, seen)).toStrictEqual([]);
});

test("awards continue while Redis is disconnected from the network, and batches finish when it is reconnected", async () => {
  const [target, seen] = await underLoad(async (load) => {
    await fleet.cutOff(fleet.redis);
    await load.acknowledged(100);
    await fleet.reconnect(fleet.redis, "redis");
  });
  expect(await violations("Redis cut off", fleet.database, target.clanId, seen)).toStrictEqual([]);
});

test("a rolling update to the next image under load rejects no request, and every process exits with code 0", async () => {
  const old = { api: fleet.running("api"), worker: fleet.running("worker") };
  const exitCodes: number[] = [];
  async function roll(role: Role): Promise<void> {
    for (const process of old[role]) {
      await fleet.add(role, images.two);
      exitCodes.push(await fleet.retire(process));
    }
  }
  const [target, seen] = await underLoad(async () => {
    await Promise.all([roll("api"), roll("worker")]);
  });
  expect(exitCodes).toStrictEqual([0, 0, 0, 0, 0]);
  expect(await violations("a rolling update", fleet.database, target.clanId, seen)).toStrictEqual([]);
  const answers = seen.awards.flatMap((award) => award.answers);
  expect(answers.filter(({ status }) => status !== 200)).toStrictEqual([]);
  expect(seen.awards.filter(isFirstAnswerMissing)).toStrictEqual([]);
  const [api] = fleet.running("api");
  expect(api?.image).toBe(images.two);
  expect((await api?.container.exec(["clanxp", "healthcheck"]))?.exitCode).toBe(0);
});

test("the command line in a container reports a consistent ledger", async () => {
  const [api] = fleet.running("api");
  const { exitCode, output } = (await api?.container.exec(["clanxp", "reconcile", "--json"])) ?? {
    exitCode: -1,
    output: "",
  };
  expect([exitCode, JSON.parse(output)]).toEqual([0, expect.objectContaining({ differences: [] })]);
  expect(JSON.parse(output).entries).toBeGreaterThan(CALLERS * BATCHES * AWARDS);
});

function batchesOf(caller: number): { key: string; awards: { platformId: string; amount: number }[] }[] {
  const chance = chanceOf(seed + caller);
  return Array.from({ length: BATCHES }, (_, batch) => ({
    key: `burst-${caller}-${batch}`,
    awards: Array.from({ length: AWARDS }, () => ({ platformId: `m${chance.int(1, 200)}`, amount: chance.int(1, 50) })),
  }));
}

async function underLoad(act: (load: Load) => Promise<void>): Promise<[Target, Seen]> {
  const target = await fleet.makeTarget();
  const load = startLoad(target, { callers: 6, members: 8, queues: 1, batchers: 2, seed });
  await load.acknowledged(30);
  await act(load);
  await load.acknowledged(50);
  return [target, await load.stop()];
}
