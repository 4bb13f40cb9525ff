// A Redis that is full only delays batches. A Redis that evicts is rejected with an error that gives the fix.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { startServices, type Services } from "../../scripts/services/start-services.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { makeWorld, openTestRedis, type World } from "../support/world.ts";
import { sendBatch, startLoad } from "./load.ts";
import type { Target } from "./send.ts";
import { seedOfRun } from "../support/seed.ts";
import { violations } from "./violations.ts";

describe("a Redis server", { timeout: 60_000 }, () => {
  const dataDir = mkdtempSync(join(tmpdir(), "clanxp-redis-"));
  let world: World;
  let services: Services;
  let redis: Redis;
  beforeAll(async () => {
    world = await makeWorld();
    // A separate Redis: the one of the other tests must not change.
    services = await startServices({ dataDir, mongoUrl: world.mongoUrl, log: () => {} });
    redis = openTestRedis(services.redisUrl);
  });
  afterEach(async () => {
    await redis.config("SET", "maxmemory", "0");
    await redis.config("SET", "maxmemory-policy", "noeviction");
  });
  afterAll(async () => {
    await world.close();
    redis.disconnect();
    await services.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("that is full does not affect awards, and batches are accepted and finish once it has space", async () => {
    const config = { redisUrl: services.redisUrl };
    const [{ port }] = await Promise.all([world.startApi({ config }), world.startWorker({ config })]);
    const { clan, key } = await world.makeClan();
    const target: Target = { clanId: clan.clanId, key, baseUrls: () => [`http://127.0.0.1:${port}`] };
    await redis.config("SET", "maxmemory", "1");
    await expect(redis.set("anything", "more")).rejects.toThrow(/OOM/);

    const load = startLoad(target, { callers: 4, members: 4, seed: seedOfRun() });
    const awards = [{ platformId: "b", amount: 5 }];
    const batches = Array.from({ length: 5 }, (_, index) => ({ key: `b${index}`, awards }));
    const sending = Promise.all(batches.map((batch) => sendBatch(target, batch)));
    await until(async () => (await world.batches.backlog()).unfinished === batches.length);
    await load.acknowledged(100);
    await redis.config("SET", "maxmemory", "0");
    const sent = await sending;
    const seen = { ...(await load.stop()), batches: sent };

    expect(seen.awards.flatMap((award) => award.answers.filter(({ status }) => status !== 200))).toStrictEqual([]);
    expect(await violations("Redis full", world.database, clan.clanId, seen)).toStrictEqual([]);
  });

  test("whose policy becomes eviction is reported at /readyz with the fix, and makes a worker not ready", async () => {
    const config = { redisUrl: services.redisUrl };
    const [api, worker] = await Promise.all([world.startApi({ config }), world.startWorker({ config })]);
    await redis.config("SET", "maxmemory-policy", "allkeys-lru");
    const detail = expect.stringMatching(/allkeys-lru.*CONFIG SET maxmemory-policy noeviction/);
    for (const [{ opsPort }, status] of [[api, 200] as const, [worker, 503] as const]) {
      await vi.waitFor(async () => {
        const response = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
        expect(await response.json()).toMatchObject({ dependencies: { redis: { state: "down", detail } } });
        expect(response.status).toBe(status);
      }, 50_000);
    }
  });

  test.for([["api"], ["worker"]] as const)(
    "with an eviction policy prevents the start of the %s, which prints the fix",
    async ([role]) => {
      await redis.config("SET", "maxmemory-policy", "volatile-lru");
      const started = await startAsked(role, { MONGO_URL: world.mongoUrl, REDIS_URL: services.redisUrl });
      expect(await started.ended()).toBe(1);
      expect(started.output()).toMatch(/volatile-lru.*CONFIG SET maxmemory-policy noeviction/);
    },
  );
});

/** A Redis that pauses just then does not prevent a start: the process is started until it has asked Redis. */
async function startAsked(role: "api" | "worker", env: Record<string, string>): Promise<RealProcess> {
  for (;;) {
    const started = startProcess(role, env);
    await started.loggedOrExited("redis.unreachable");
    if (!started.output().includes("redis.unreachable")) return started;
    await started.stop();
  }
}
