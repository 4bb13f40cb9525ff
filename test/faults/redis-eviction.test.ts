// A Redis that evicts is rejected with an error that gives the fix.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { startServices, type Services } from "../../scripts/services/start-services.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";
import { makeWorld, openTestRedis, type World } from "../support/world.ts";

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
    await redis.config("SET", "maxmemory-policy", "noeviction");
  });
  afterAll(async () => {
    await world.close();
    redis.disconnect();
    await services.stop();
    rmSync(dataDir, { recursive: true, force: true });
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
