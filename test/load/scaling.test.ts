// What lets workers scale, without a clock: each takes batches up to its own bound, however long the others' take.
// How much that gains is measured by `npm run bench:scaling`; on a machine that does other things it proves nothing.
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeJobQueue } from "#queue/job-queue.ts";
import { BATCHES_AT_ONCE } from "#queue/bounds.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { openProxies, type Proxies } from "../support/proxies.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { makeWorld, openTestRedis, testLog, type World } from "../support/world.ts";
import { until } from "../support/until.ts";

const WORKERS = 3;

let world: World;
let proxies: Proxies;
beforeAll(async () => {
  world = await makeWorld();
  proxies = await openProxies(world);
});
afterAll(async () => {
  proxies.mongo.release();
  await world.close();
  await proxies.close();
});

test("workers run as many batches as permitted while MongoDB does not respond, and finish all of them afterwards", async () => {
  const redis = openTestRedis(world.redisUrl);
  const queue = makeJobQueue({ redis, namespace: redisNamespace(world.mongoUrl), log: testLog });
  const { port } = await world.startApi();
  const clan = await makeClanCaller(world, port);
  await queue.pause();
  for (let batch = 0; batch <= WORKERS * BATCHES_AT_ONCE; batch += 1) {
    const { status } = await clan.submit([{ platformId: `m${batch}`, amount: 1 }], { prefer: "respond-async" });
    expect(status).toBe(202);
  }
  for (let worker = 0; worker < WORKERS; worker += 1)
    await world.startWorker({ config: { mongoUrl: proxies.config.mongoUrl } });
  // A recovery scan adds the job of a batch for which Redis was too slow.
  await until(async () => (await queue.status()).waiting === WORKERS * BATCHES_AT_ONCE + 1);

  proxies.mongo.hold();
  await queue.resume();
  await until(async () => (await queue.status()).active === WORKERS * BATCHES_AT_ONCE);
  expect((await queue.status()).waiting).toBe(1);
  proxies.mongo.release();
  await until(async () => (await world.batches.backlog()).unfinished === 0);
  await queue.close();
  redis.disconnect();
});
