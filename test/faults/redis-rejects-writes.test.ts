// A Redis that responds and cannot do its work: each is named as what it is, by readiness, by the doctor and by the
// queue's status, with the fix. Awards go on, a worker does not spin, and batches are applied once Redis works again.
import { rmSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { NotifierApp } from "../../apps/notifier/compose.ts";
import { startWorker, type WorkerApp } from "../../apps/worker/compose.ts";
import type { Api } from "../../apps/api/compose.ts";
import { freePort } from "../../scripts/services/ports.ts";
import { cliOn, type CommandLine } from "../support/cli.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { startClusterNode, startRedis, type RedisServer } from "../support/redis-server.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";
import { makeWorld, type World } from "../support/world.ts";

/** Of all processes here together; a worker that asks again after each error reply sends thousands. */
const ERRORS_PER_SECOND_MAX = 50;
/** As long as a test may take. */
const SEEN_WITHIN_MS = 50_000;

describe("a Redis that rejects writes", { timeout: 60_000 }, () => {
  let world: World;
  let redis: RedisServer;
  let proxy: TcpProxy;
  let api: Api;
  let worker: WorkerApp;
  let notifier: NotifierApp;
  let caller: ClanCaller;
  let cli: CommandLine;

  beforeAll(async () => {
    [world, redis] = await Promise.all([makeWorld(), startRedis()]);
    proxy = await startTcpProxy({ host: "127.0.0.1", port: redis.port });
    const config = { redisUrl: `redis://127.0.0.1:${proxy.port}` };
    [api, worker, notifier] = await Promise.all([
      world.startApi({ config }),
      world.startWorker({ config }),
      world.startNotifier({ config }),
    ]);
    caller = await makeClanCaller(world, api.port);
    cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: config.redisUrl });
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await proxy.close();
    await redis.close();
  });

  /** New connections, and those of now, reach this server. */
  function use(server: RedisServer): void {
    proxy.moveTo({ host: "127.0.0.1", port: server.port });
    proxy.reset();
  }

  /** Another server takes its place, until the test ends. */
  const replacedBy = (start: () => Promise<RedisServer>) => async () => {
    const server = await start();
    use(server);
    return {
      async end() {
        use(redis);
        await server.close();
      },
    };
  };
  /** It is changed by `begin`, and changed back. */
  const changedBy = (begin: () => Promise<unknown>, end: () => Promise<unknown>) => async () => {
    await begin();
    return { end };
  };

  test.for<[string, () => Promise<{ end(): Promise<unknown> }>, RegExp, RegExp]>([
    [
      "is full",
      changedBy(
        () => redis.admin.config("SET", "maxmemory", "1"),
        () => redis.admin.config("SET", "maxmemory", "0"),
      ),
      /is full: its memory has reached maxmemory/,
      /Raise maxmemory/,
    ],
    [
      "has become a replica",
      changedBy(
        // Nothing listens there: the primary may be unreachable for its replica, too.
        () => redis.admin.replicaof("127.0.0.1", 1),
        () => redis.admin.replicaof("NO", "ONE"),
      ),
      /is a read-only replica/,
      /REDIS_URL to the address of the primary/,
    ],
    [
      "has lost its replicas",
      changedBy(
        () => redis.admin.config("SET", "min-replicas-to-write", "1"),
        () => redis.admin.config("SET", "min-replicas-to-write", "0"),
      ),
      /fewer replicas than min-replicas-to-write/,
      /Bring its replicas back/,
    ],
    [
      "cannot save its data",
      replacedBy(async () => {
        const server = await startRedis({ args: ["--save", "3600 1"] });
        rmSync(server.dataDir, { recursive: true });
        await server.admin.bgsave();
        await until(async () => /^rdb_last_bgsave_status:err/m.test(await server.admin.info("persistence")));
        return server;
      }),
      /cannot save its data to disk/,
      /Free disk space/,
    ],
    [
      "does not permit scripts",
      changedBy(
        () => redis.admin.call("ACL", "SETUSER", "default", "-evalsha", "-eval"),
        () => redis.admin.call("ACL", "SETUSER", "default", "+@all"),
      ),
      /user of REDIS_URL lacks a right/,
      /mongodb-and-redis\.md#redis/,
    ],
    ["is a Sentinel", replacedBy(() => startRedis({ sentinel: "" })), /names a Sentinel/, /redis\+sentinel:/],
    [
      "is a Cluster that lacks the slot of the keys",
      replacedBy(async () => startClusterNode(await freePort())),
      /does not serve the keys/,
      /CLUSTER INFO/,
    ],
    [
      "is a node of a Cluster that does not own the keys",
      replacedBy(async () => {
        const bus = await freePort();
        const [node, owner] = await Promise.all([startClusterNode(await freePort()), startClusterNode(bus)]);
        await owner.admin.call("CLUSTER", "ADDSLOTS", ...Array.from({ length: 16_384 }, (_, slot) => slot));
        await node.admin.call("CLUSTER", "MEET", "127.0.0.1", owner.port, bus);
        await until(async () => /slots_assigned:16384/.test(String(await node.admin.call("CLUSTER", "INFO"))));
        await until(async () => /cluster_state:ok/.test(String(await node.admin.call("CLUSTER", "INFO"))));
        return { ...node, close: async () => void (await Promise.all([node.close(), owner.close()])) };
      }),
      /does not own the keys/,
      /redis\+cluster:/,
    ],
  ])(
    "because it %s is named by readiness, doctor and queue status, and awards go on",
    async ([, begin, detail, fix]) => {
      for (const { opsPort } of [worker, notifier]) await expectReadiness(opsPort, 200, "ready", { state: "up" });
      const { end } = await begin();
      let batchId: string;
      try {
        batchId = await expectNamed(detail, fix);
      } finally {
        await end();
      }
      await untilApplied(batchId);
    },
  );

  const untilApplied = (batchId: string): Promise<void> =>
    until(async () => (await caller.get(`/batches/${batchId}`)).body.applied === 1);

  /** Returns the batch that was accepted meanwhile. */
  async function expectNamed(detail: RegExp, fix: RegExp): Promise<string> {
    const down = { state: "down", detail: expect.stringMatching(new RegExp(`${detail.source}.*${fix.source}`)) };
    for (const { opsPort } of [worker, notifier]) await expectReadiness(opsPort, 503, "not ready", down);
    await expectReadiness(api.opsPort, 200, "degraded", down);
    expect((await caller.award("p", { amount: 5 })).status).toBe(200);
    const batch = await caller.submit([{ platformId: "b", amount: 7 }], { prefer: "respond-async" });
    expect(batch.status).toBe(202);

    // A server that pauses has another fault meanwhile.
    await vi.waitFor(async () => {
      const doctor = await cli.json("doctor");
      expect(doctor.exitCode).toBe(1);
      expect(doctor.answer.checks).toContainEqual({
        name: "redis writes",
        status: "fail",
        detail: expect.stringMatching(detail),
        fix: expect.stringMatching(fix),
      });
      const status = await cli.run("queue", "status");
      if (status.exitCode === 0) expect(status.stdout).toMatch(detail);
      else expect(status.stderr).toMatch(/Redis did not confirm/);
    }, SEEN_WITHIN_MS);
    return batch.body.batchId;
  }

  test("by an error to every command makes a worker try once a second and warn once a minute, and batches follow", async () => {
    const warnings: string[] = [];
    const log = { debug() {}, info() {}, error() {}, warn: (_: object, event: string) => void warnings.push(event) };
    const config = { ...world.config, mongoUrl: world.mongoUrl, redisUrl: `redis://127.0.0.1:${proxy.port}` };
    const [another, sentinel] = await Promise.all([startWorker({ config, log }), startRedis({ sentinel: "" })]);
    await expectReadiness(another.opsPort, 200, "ready", { state: "up" });
    use(sentinel);
    const batch = await caller.submit([{ platformId: "b", amount: 7 }], { prefer: "respond-async" });
    expect(batch.status).toBe(202);
    await until(() => warnings.includes("worker.rejected_by_redis"));
    const [before, sinceMs] = [await errorReplies(sentinel), performance.now()];
    // A rate needs time: that of some of its rests.
    await until(() => performance.now() - sinceMs > 4_000);
    const perSecond = ((await errorReplies(sentinel)) - before) / ((performance.now() - sinceMs) / 1_000);
    expect(perSecond).toBeLessThan(ERRORS_PER_SECOND_MAX);
    expect(warnings.filter((event) => event === "worker.rejected_by_redis")).toHaveLength(1);

    use(redis);
    await untilApplied(batch.body.batchId);
    await Promise.all([another.close(), sentinel.close()]);
  });
});

describe("a REDIS_URL that is wrong for its servers", { timeout: 60_000 }, () => {
  let world: World;
  let servers: Record<"redis" | "sentinel" | "node", RedisServer>;
  beforeAll(async () => {
    const [redis, sentinel, node] = await Promise.all([
      startRedis(),
      startRedis({ sentinel: "" }),
      freePort().then(startClusterNode),
    ]);
    servers = { redis, sentinel, node };
    world = await makeWorld();
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await Promise.all(Object.values(servers).map((server) => server.close()));
  });

  test.for<[string, () => string, RegExp, RegExp]>([
    [
      "the name of another master",
      () => `redis+sentinel://127.0.0.1:1,127.0.0.1:${servers.sentinel.port}/other`,
      /Sentinels in REDIS_URL know no master of the name at its end/,
      /SENTINEL masters lists them/,
    ],
    [
      "a Redis in place of a Sentinel",
      () => `redis+sentinel://127.0.0.1:${servers.redis.port}/mymaster`,
      /for Sentinels, but the server in it is not a Sentinel/,
      /begin it with redis:\/\//,
    ],
    [
      "a Redis in place of a Cluster",
      () => `redis+cluster://127.0.0.1:1,127.0.0.1:${servers.redis.port}`,
      /for a Cluster, but the server in it is not a node of a Cluster/,
      /Begin REDIS_URL with redis:\/\//,
    ],
    [
      "a database that does not exist",
      () => `redis://127.0.0.1:${servers.redis.port}/99`,
      /number of a database that this Redis does not have/,
      /below the setting databases/,
    ],
    [
      "the database of a Cluster",
      () => `redis://127.0.0.1:${servers.node.port}/1`,
      /node of a Redis Cluster here, which has only the database 0/,
      /Begin REDIS_URL with redis\+cluster:\/\//,
    ],
  ])("because it has %s is named by readiness, doctor and other commands", async ([, urlOf, detail, fix]) => {
    const redisUrl = urlOf();
    const worker = await world.startWorker({ config: { redisUrl } });
    onTestFinished(() => worker.close());
    const both = new RegExp(`${detail.source}.*${fix.source}`);
    await expectReadiness(worker.opsPort, 503, "not ready", { state: "down", detail: expect.stringMatching(both) });
    const cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: redisUrl });
    await vi.waitFor(async () => {
      const { exitCode, answer } = await cli.json("doctor");
      expect(exitCode).toBe(3);
      expect(answer.checks).toContainEqual({
        name: "redis",
        status: "fail",
        detail: expect.stringMatching(detail),
        fix: expect.stringMatching(fix),
      });
      expect((await cli.run("queue", "status")).stderr).toMatch(both);
    }, SEEN_WITHIN_MS);
  });

  test("gives the reason of a node if no node of a Cluster responds", async () => {
    const cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: "redis+cluster://127.0.0.1:1" });
    const { stderr } = await cli.run("queue", "status");
    expect(stderr).toMatch(/Redis at 127\.0\.0\.1:1 cannot be used: [^.]+\. Is npm start running/);
    expect(stderr).not.toContain("slots cache");
  });
});

async function expectReadiness(opsPort: number, code: number, status: string, redis: object): Promise<void> {
  await vi.waitFor(async () => {
    const response = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
    expect(await response.json()).toMatchObject({ status, dependencies: { redis } });
    expect(response.status).toBe(code);
  }, SEEN_WITHIN_MS);
}

async function errorReplies({ admin }: RedisServer): Promise<number> {
  const stats = await admin.info("stats");
  return Number(/^total_error_replies:(\d+)/m.exec(stats)?.[1] ?? 0);
}
