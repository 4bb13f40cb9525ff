// A Redis that evicts is rejected with an error that gives the fix.
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { startProcess, type RealProcess } from "../support/processes.ts";
import { startRedis } from "../support/redis-server.ts";
import { useWorld } from "../support/use-api.ts";

const world = await useWorld();
// A separate Redis: the one of the other tests must not change.
const redis = await startRedis();
afterAll(() => redis.close());
const config = { redisUrl: redis.url };
const setPolicy = (policy: string): Promise<unknown> => redis.admin.config("SET", "maxmemory-policy", policy);
beforeEach(() => setPolicy("noeviction"));

test("a Redis whose policy becomes eviction is reported at /readyz with the fix, and makes a worker not ready", async () => {
  const [api, worker] = await Promise.all([world.startApi({ config }), world.startWorker({ config })]);
  await setPolicy("allkeys-lru");
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
  "a Redis with an eviction policy prevents the start of the %s, which prints the fix",
  async ([role]) => {
    await setPolicy("volatile-lru");
    const urls = { MONGO_URL: world.mongoUrl, REDIS_URL: redis.url };
    let started = startProcess(role, urls);
    // A Redis that pauses just then does not prevent a start: it is started until it has asked Redis.
    for (; await isUnasked(started); started = startProcess(role, urls)) await started.stop();
    expect(await started.ended()).toBe(1);
    expect(started.output()).toMatch(/volatile-lru.*CONFIG SET maxmemory-policy noeviction/);
  },
);

async function isUnasked(started: RealProcess): Promise<boolean> {
  await started.loggedOrExited("redis.unreachable");
  return started.output().includes("redis.unreachable");
}
