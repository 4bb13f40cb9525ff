// Redis under Sentinel, as a Cluster and behind an address that moves, and Valkey: they do what one Redis does, also
// while masters fail and move.
import { expect, onTestFinished, test, vi } from "vitest";
import { redisNamespace } from "#redis/namespace.ts";
import { cacheDir } from "../../scripts/paths.js";
import { findServer, type ServerRequirement } from "../../scripts/servers/find-server.ts";
import { servers as programs } from "../../scripts/servers/providers.ts";
import { expectResponse } from "../support/responses.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { patientCliOn } from "../support/cli.ts";
import { expectWoken } from "../support/events.ts";
import type { SeenAnswer } from "../support/oracle.ts";
import { startRedis, type RedisServer } from "../support/redis-server.ts";
import { seedOfRun } from "../support/seed.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";
import { makeWorld } from "../support/world.ts";
import { sendBatch, startLoad } from "./load.ts";
import { startCluster, startSentinel } from "./redis-servers.ts";
import { timed } from "./timed.ts";
import { violations } from "./violations.ts";

/** Batches wait no longer after a fault. */
const BATCH_MS_MAX = 15_000;
/** Lists are fresh this long after a batch was done. */
const STALE_MS_MAX = 15_000;
/** Of one clan each, because a list shares the projection of an earlier list of the same clan for a moment. */
const LISTS = 5;
/** As long as a test may take. */
const DOCTOR_MS_MAX = 60_000;

/** Two APIs and a worker. */
async function startService(url: string) {
  const world = await makeWorld();
  onTestFinished(() => world.close());
  const config = { redisUrl: url };
  const [first, second] = await Promise.all([world.startApi({ config }), world.startApi({ config })]);
  await world.startWorker({ config });
  const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: url });
  return { world, ports: [first.port, second.port] as const, cli };
}
type Fault = [name: string, act: () => Promise<void>];
type Service = Awaited<ReturnType<typeof startService>>;

async function makeTarget({ world, ports }: Service) {
  const { clan, key } = await world.makeClan({}, ["award", "read", "reverse"]);
  return { clanId: clan.clanId, key, baseUrls: () => ports.map((port) => `http://127.0.0.1:${port}`) };
}

async function canStart(requirement: ServerRequirement): Promise<boolean> {
  try {
    await findServer(requirement, { cacheDir, log: () => {} });
    return true;
  } catch (error) {
    process.stdout.write(`skipped what needs ${requirement.program}: ${String(error)}\n`);
    return false;
  }
}

/**
 * Awards, fresh lists of members at another process, calls that wait for events, a batch, and the command line. Returns
 * the checks of doctor.
 */
async function expectService(service: Service): Promise<object[]> {
  const { world, ports, cli } = service;
  for (let list = 0; list < LISTS; list += 1)
    // While a server pauses, a list may be behind: then that of another clan is read, which no earlier one could have
    // made new.
    await until(async () => {
      const clan = await makeClanCaller(world, ports[0]);
      expectResponse("apply-award", await clan.award("m", { amount: 1 }));
      const { members } = expectResponse("list-members", await clan.on(ports[1]).get("/members"));
      return members.length === 1 && members[0].platformId === "m" && members[0].xp === "1";
    });
  await expectWoken(await makeClanCaller(world, ports[0]));
  const target = await makeTarget(service);
  const batches = [await sendBatch(target, { key: "b", awards: [{ platformId: "b", amount: 5 }] })];
  expect(await violations("a batch", world.database, target.clanId, { awards: [], batches })).toStrictEqual([]);
  for (const command of ["pause", "resume"]) expect((await cli.json("queue", command)).exitCode).toBe(0);
  // A server that pauses fails a check meanwhile.
  return vi.waitFor(async () => {
    const { exitCode, answer } = await cli.json("doctor");
    expect([exitCode, answer.checks.filter(({ status }: { status: string }) => status === "fail")]).toEqual([0, []]);
    return answer.checks;
  }, DOCTOR_MS_MAX);
}

/**
 * Two APIs and a worker under load, and what a caller may rely on after a fault: a batch is done in time, a list at the
 * other API has what this one applied, nothing is lost or doubled, and the ledger agrees with the members. Returns what
 * the load's awards were answered.
 */
async function expectUnharmed(service: Service, [name, act]: Fault): Promise<readonly SeenAnswer[]> {
  const target = await makeTarget(service);
  const load = startLoad(target, { callers: 3, members: 3, batchers: 1, reversers: 1, seed: seedOfRun() });
  await load.acknowledged(20);
  await act();
  const after = { key: "after", awards: [{ platformId: "b", amount: 5 }] };
  const { result: batch, ms } = await timed(() => sendBatch(target, after));
  expect(ms, `${name}: the batch did not end in time`).toBeLessThan(BATCH_MS_MAX);
  const clan = await makeClanCaller(service.world, service.ports[0]);
  let xp = 0;
  const isFresh = async (): Promise<boolean> => {
    expectResponse("apply-award", await clan.award("m", { amount: 1 }));
    xp += 1;
    const { members } = expectResponse("list-members", await clan.on(service.ports[1]).get("/members"));
    return members[0]?.xp === String(xp);
  };
  const { ms: staleMs } = await timed(() => until(isFresh));
  expect(staleMs, `${name}: lists were not up to date in time`).toBeLessThan(STALE_MS_MAX);
  await load.acknowledged(20);
  const seen = await load.stop();
  const sent = { ...seen, batches: [...seen.batches, batch] };
  expect(await violations(name, service.world.database, target.clanId, sent)).toStrictEqual([]);
  expect((await service.cli.json("reconcile")).answer.differences).toEqual([]);
  return seen.awards.flatMap(({ answers }) => answers);
}

test("a Cluster serves all that one Redis does, while slots and masters move and after the death of a master", async () => {
  const cluster = await startCluster();
  onTestFinished(cluster.close);
  const service = await startService(cluster.url);
  await expectService(service);
  const key = redisNamespace(service.world.mongoUrl);
  const faults: Fault[] = [
    ["slot moved", () => cluster.moveSlot(key)],
    ["planned failover in a Cluster", () => cluster.failOver(key)],
    ["master of a Cluster killed", () => cluster.killOwner(key)],
  ];
  for (const fault of faults) await expectUnharmed(service, fault);
}, 180_000);

test("Sentinel does the same, in a planned failover, without any Sentinel, and after a silent and a killed master", async () => {
  const servers = await startSentinel();
  onTestFinished(servers.close);
  const service = await startService(servers.url);
  await expectService(service);
  const faults: Fault[] = [
    ["planned failover by Sentinel", servers.failOver],
    ["all Sentinels killed", servers.killSentinel],
    [
      "master killed",
      async () => {
        await servers.restartSentinel();
        await servers.killMaster();
      },
    ],
    ["old master silent, then back", servers.partitionMaster],
  ];
  for (const fault of faults) await expectUnharmed(service, fault);
}, 180_000);

/** A managed Redis, a proxy or a DNS name that new connections follow. Those that are open are left alone. */
test.for<[string, (servers: { before: RedisServer; after: RedisServer; moveAddress(): void }) => Promise<unknown>]>([
  [
    "after which the old primary is a replica",
    async ({ before, after, moveAddress }) => {
      await after.admin.replicaof("NO", "ONE");
      await replicate(before, after);
      moveAddress();
    },
  ],
  [
    "that moves the address last",
    async ({ before, after, moveAddress }) => {
      await after.admin.replicaof("NO", "ONE");
      await replicate(before, after);
      // Whatever reconnects on its first error reaches the old primary again.
      await until(async () => (await rejectedWrites(before)) > 10);
      moveAddress();
    },
  ],
  [
    "after which the old primary still accepts writes",
    async ({ after, moveAddress }) => {
      await after.admin.replicaof("NO", "ONE");
      moveAddress();
    },
  ],
])(
  "A failover behind one address, %s, stops batches and lists only for seconds",
  { timeout: 120_000 },
  async ([name, failOver]) => {
    const [before, after] = await Promise.all([startRedis(), startRedis()]);
    const proxy = await startTcpProxy({ host: "127.0.0.1", port: before.port });
    onTestFinished(async () => void (await Promise.all([proxy.close(), before.close(), after.close()])));
    await replicate(after, before);
    const service = await startService(`redis://127.0.0.1:${proxy.port}`);
    await until(async () => /^master_link_status:up/m.test(await after.admin.info("replication")));
    const moveAddress = () => proxy.moveTo({ host: "127.0.0.1", port: after.port });
    const answered = await expectUnharmed(service, [
      name,
      async () => void (await failOver({ before, after, moveAddress })),
    ]);
    expect(answered.filter(({ status }) => status !== 200)).toStrictEqual([]);
  },
);

const replicate = (replica: RedisServer, primary: RedisServer): Promise<unknown> =>
  replica.admin.replicaof("127.0.0.1", primary.port);
const rejectedWrites = async ({ admin }: RedisServer): Promise<number> =>
  Number(/^errorstat_READONLY:count=(\d+)/m.exec(await admin.info("errorstats"))?.[1] ?? 0);

test.skipIf(!(await canStart(programs.valkey)))(
  "a Valkey serves all that Redis does, and doctor names it",
  async () => {
    const valkey = await startRedis({ requirement: programs.valkey });
    onTestFinished(valkey.close);
    const service = await startService(valkey.url);
    await expectService(service);
    const { checks } = (await service.cli.json("doctor")).answer;
    expect(checks).toContainEqual(
      expect.objectContaining({ name: "redis version", status: "ok", detail: expect.stringMatching(/^Valkey \d/) }),
    );
  },
  90_000,
);
