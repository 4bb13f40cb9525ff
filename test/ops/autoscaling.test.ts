// What an autoscaler of workers reads: all work that waits, the same in each process, and nothing that leads it to
// start workers which could not work.
import { expect, onTestFinished, test } from "vitest";
import { expectResponse } from "../support/responses.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { cliOn } from "../support/cli.ts";
import { makeProxiedWorld } from "../support/proxies.ts";
import { scrape } from "../support/scrape.ts";
import { until } from "../support/until.ts";

/** What the chart's ScaledObject reads (test/deploy/chart.test.ts). */
const TO_SCALE_ON = [
  "batch_oldest_waiting_seconds",
  "batch_awards_waiting",
  "reversals_unfinished",
  "erasures_unfinished",
] as const;

/** An API behind a proxy for Redis; two batches, a reversal and an erasure wait, and no worker runs. */
async function makeBacklog() {
  const { world, proxies } = await makeProxiedWorld(onTestFinished);
  const api = await world.startApi({ config: { redisUrl: proxies.config.redisUrl } });
  const clan = await makeClanCaller(world, api.port);
  for (const size of [3, 4]) {
    const awards = Array.from({ length: size }, (_, n) => ({ platformId: `w${n}`, amount: 1 }));
    expectResponse("submit-batch", await clan.submit(awards, { prefer: "respond-async" }), 202);
  }
  const createdAt = new Date();
  const collection = (name: string) => world.database.db().collection<any>(name);
  await collection("reversals").insertOne({ _id: "r", clanId: clan.clanId, createdAt, state: "queued" });
  // Somebody is working on it.
  const aliveAt = new Date(createdAt.getTime() + 600_000);
  await collection("erasures").insertOne({ _id: "e", clanId: null, createdAt, aliveAt, finishedAt: null });
  return { world, proxies, opsPort: api.opsPort };
}

async function valuesOf(opsPort: number, names: readonly string[]): Promise<(number | undefined)[]> {
  const { series } = await scrape(opsPort);
  return names.map((name) => series.get(`clanxp_${name}`));
}

/** All of one response that has what workers are scaled on: the next may lack it, if Redis or the process is slow. */
async function valuesOnceKnown(opsPort: number, names: readonly string[]): Promise<(number | undefined)[]> {
  const toKnow = [...TO_SCALE_ON, "queue_paused"];
  let values: (number | undefined)[] = [];
  await until(async () => {
    values = await valuesOf(opsPort, [...toKnow, ...names]);
    return !values.slice(0, toKnow.length).includes(undefined);
  });
  return values.slice(toKnow.length);
}

test("every process exports the work that waits, and requests no worker for what a paused queue holds", async () => {
  const { world, opsPort } = await makeBacklog();
  const others = ["batches_waiting", "batches_running", "queue_paused", "worker_utilization_ratio"];
  const [oldestS = 0, ...counts] = await valuesOnceKnown(opsPort, [...TO_SCALE_ON, ...others]);
  expect(oldestS).toBeGreaterThan(0);
  expect(counts).toStrictEqual([7, 1, 1, 2, 0, 0, undefined]);

  const cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  await expect.poll(async () => (await cli.run("queue", "pause")).exitCode).toBe(0);
  const idle = await world.startWorker();
  // Erasures do not go through the queue.
  const ofIdle = [0, 0, 0, 1, 2, 0, 1, 0];
  expect(await valuesOnceKnown(idle.opsPort, [...TO_SCALE_ON, ...others])).toStrictEqual(ofIdle);
});

test("while Redis cannot do its work, what workers are scaled on is missing, and the number of batches is not", async () => {
  const { proxies, opsPort } = await makeBacklog();
  const refuse = (): void => {
    proxies.redis.rejectConnections(true);
    proxies.redis.reset();
  };
  for (const takeAway of [() => proxies.redis.hold(), refuse]) {
    await valuesOnceKnown(opsPort, []);
    takeAway();
    await until(async () => (await valuesOf(opsPort, TO_SCALE_ON)).every((value) => value === undefined));
    expect(await valuesOf(opsPort, ["batches_waiting", "queue_paused"])).toStrictEqual([2, undefined]);
    proxies.redis.release();
    proxies.redis.rejectConnections(false);
  }
});
