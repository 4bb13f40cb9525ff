// Processes whose wall clock is wrong by an hour, or jumps: they report it and are not ready, and only what depends on
// the clock (the expiry of a key, the time of an entry) follows it. The same under load is in process-faults.ts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, test, type TestContext } from "vitest";
import { z } from "zod";
import { BURST_S } from "#domain/key-limits.ts";
import { SCOPES_DEFAULT } from "#domain/scope.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { jobStates, untilJobs } from "../support/batch-jobs.ts";
import { makeClanCaller, PATIENT } from "../support/clan-caller.ts";
import { callerOf } from "../support/http.ts";
import { makeWorld, openTestRedis, type World } from "../support/world.ts";
import { startProcess } from "../support/processes.ts";
import { findFakeClocks, type FakeClock, type Offset } from "./fake-clock.ts";
import { sendBatch } from "./load.ts";
import { reversalsOf } from "../support/reversals.ts";
import { openProxies } from "../support/proxies.ts";
import { violations } from "./violations.ts";
import { testActor } from "../support/actor.ts";
import { until } from "../support/until.ts";

const NO_REDIS = "redis://127.0.0.1:1";
/** Far below the hour. */
const SOON_MS = 60_000;
const HALF_AN_HOUR_MS = 30 * 60_000;
const DAY_MS = 86_400_000;

type Cleanup = TestContext["onTestFinished"];

const Readiness = z.object({
  status: z.string(),
  dependencies: z.record(z.string(), z.object({ state: z.string(), detail: z.string().optional() })),
});

async function readiness(opsPort: number): Promise<z.infer<typeof Readiness>> {
  return Readiness.parse(await (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).json());
}

describe.concurrent("a process with a clock", { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-clocks-"));
  let clocks: Awaited<ReturnType<typeof findFakeClocks>>;
  beforeAll(async () => {
    clocks = await findFakeClocks();
    if ("reason" in clocks) process.stdout.write(`faults: clocks that jump are skipped: ${clocks.reason}\n`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(({ skip }) => skip("reason" in clocks, "reason" in clocks ? clocks.reason : ""));

  async function worldOf(onTestFinished: Cleanup): Promise<World> {
    const world = await makeWorld();
    onTestFinished(() => world.close());
    return world;
  }

  /** An API or worker process that has reached MongoDB, and has used its own clock since its start. */
  async function start(
    onTestFinished: Cleanup,
    role: "api" | "worker",
    world: Pick<World, "mongoUrl" | "redisUrl">,
    offset: Offset,
  ): Promise<{ port: number; opsPort: number; clock: FakeClock; pid: number; output: () => string }> {
    if ("reason" in clocks) throw new Error(clocks.reason);
    const clock = clocks.make(join(folder, crypto.randomUUID()));
    clock.set(offset);
    const running = startProcess(role, { ...clock.env, MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
    onTestFinished(async () => void (await running.stop()));
    // With this clock it may never be ready.
    const { port, opsPort } = await running.ports();
    await until(async () => (await readiness(opsPort)).dependencies.mongo?.state === "up");
    return { port, opsPort, clock, pid: running.pid, output: running.output };
  }

  test.for([["+1h"], ["-1h"]] as const)(
    "that is %s off accepts a batch without a job, which the recovery scan finds soon",
    async ([offset], { expect, onTestFinished }) => {
      const world = await worldOf(onTestFinished);
      const { clan, key } = await world.makeClan();
      const { port } = await start(onTestFinished, "api", { ...world, redisUrl: NO_REDIS }, offset);
      await world.startWorker();
      const batch = { key: "b", awards: [{ platformId: "b", amount: 5 }] };
      const startMs = performance.now();
      const sent = await sendBatch({ clanId: clan.clanId, key, baseUrls: () => [`http://127.0.0.1:${port}`] }, batch);
      expect(performance.now() - startMs, "in time").toBeLessThan(SOON_MS);
      const seen = { awards: [], batches: [sent] };
      expect(await violations("accepted by an API an hour off", world.database, clan.clanId, seen)).toStrictEqual([]);
    },
  );

  test.for([["+2184h"], ["-2184h"]] as const)(
    "that is %s off deletes no result, and what it finishes is as old as MongoDB says",
    async ([offset], { expect, onTestFinished }) => {
      const world = await worldOf(onTestFinished);
      const { port } = await world.startApi();
      const caller = await makeClanCaller(world, port, {}, ["award", "read", "reverse"]);
      const reversals = reversalsOf(caller);
      const records = world.database.db().collection<{ _id: string; finishedAt: Date; awards?: object[] }>("batches");
      const right = await world.startWorker();
      const { body: before } = await caller.submit([{ platformId: "b", amount: 5 }], {
        ...PATIENT,
        "idempotency-key": "before",
      });
      const { body: old } = await caller.submit([{ platformId: "b", amount: 5 }], {
        ...PATIENT,
        "idempotency-key": "old",
      });
      expect([before.applied, old.applied]).toStrictEqual([1, 1]);
      await right.close();
      // Its deletion shows that the worker has looked for old batches.
      const { _id: oldId } = (await records.findOne({ idempotencyKey: "old" })) ?? {};
      await records.updateOne({ _id: oldId ?? "" }, { $set: { finishedAt: new Date(Date.now() - 91 * DAY_MS) } });

      await start(onTestFinished, "worker", world, offset);
      await until(async () => (await records.findOne({ _id: oldId ?? "" }))?.awards === undefined);
      const again = await caller.submit([{ platformId: "b", amount: 5 }], { "idempotency-key": "before" });
      expect([again.status, again.body]).toStrictEqual([200, before]);

      const { body: batch } = await caller.submit([{ platformId: "b", amount: 5 }], PATIENT);
      expect(batch).toMatchObject({ applied: 1 });
      const reversalId = await reversals.reverse({ platformId: "b", from: "2020-01-01T00:00:00Z" });
      await until(async () => (await reversals.read(reversalId)).status === "done");
      const [{ finishedAt: batchAt } = { finishedAt: new Date(0) }] = await records
        .find()
        .sort({ createdAt: -1 })
        .limit(1)
        .toArray();
      const { finishedAt: reversalAt } = await reversals.read(reversalId);
      for (const at of [batchAt, new Date(reversalAt)])
        expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(SOON_MS);
    },
  );

  test("that was an hour ahead when a batch failed, and is correct again, does not delay the batch by that hour", async ({
    expect,
    onTestFinished,
  }) => {
    const world = await worldOf(onTestFinished);
    const proxies = await openProxies(world);
    onTestFinished(() => proxies.close());
    const { port } = await world.startApi();
    const caller = await makeClanCaller(world, port);
    const worker = await start(onTestFinished, "worker", { ...world, mongoUrl: proxies.config.mongoUrl }, "+1h");
    proxies.mongo.rejectConnections(true);
    proxies.mongo.reset();
    const { body } = await caller.submit([{ platformId: "b", amount: 5 }], { prefer: "respond-async" });
    await untilJobs(world, [body.batchId], ([state]) => state === "delayed");
    worker.clock.set("+0");
    proxies.mongo.rejectConnections(false);
    const startMs = performance.now();
    const isLate = (): boolean => performance.now() - startMs > SOON_MS;
    await until(async () => isLate() || (await caller.get(`/batches/${body.batchId}`)).body.status === "done");
    expect(isLate(), `${(await jobStates(world, [body.batchId])).join()}; the worker said ${worker.output()}`).toBe(
      false,
    );
  });

  test("that jumps by an hour each way is reported, dates entries by that clock, and expires no other API keys", async ({
    expect,
    onTestFinished,
  }) => {
    const world = await worldOf(onTestFinished);
    const { clan, key } = await world.makeClan();
    const ending = await world.makeKey(clan.clanId, SCOPES_DEFAULT, new Date(Date.now() + HALF_AN_HOUR_MS));
    const { port, opsPort, clock, output } = await start(onTestFinished, "api", world, "+0");
    const codeOf = async (secret: string): Promise<string | number> => {
      const { status, body } = await callerOf(port, secret).post(`/v0/clans/${clan.clanId}/members/m/xp`, {
        amount: 1,
      });
      return body.code ?? status;
    };
    for (const [offset, ofEnding] of [
      ["+0", 200],
      ["+1h", "key_expired"],
      ["-1h", 200],
      ["+1h", "key_expired"],
      ["+0", 200],
    ] as const) {
      clock.set(offset);
      expect([offset, await codeOf(ending.secret), await codeOf(key)]).toStrictEqual([offset, ofEnding, 200]);
      const hours = Number.parseInt(offset, 10);
      const { body: ledger } = await callerOf(port, key).get(`/v0/clans/${clan.clanId}/members/m/ledger?limit=1`);
      const clockMs = Date.now() + hours * 3_600_000;
      expect(Math.abs(Date.parse(ledger.entries[0].at) - clockMs), offset).toBeLessThan(SOON_MS);
      const off = new RegExp(`the clock of this process is [0-9]+ s ${hours > 0 ? "ahead of" : "behind"} MongoDB's`);
      await until(async () => {
        const { status, dependencies } = await readiness(opsPort);
        const { state, detail = "" } = dependencies.clock ?? {};
        if (dependencies.mongo?.state !== "up") return false;
        if (hours === 0) return state === "up" && status === "ready";
        return state === "down" && off.test(detail) && status === "not ready";
      });
      const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
      const skewS = Number(/^clanxp_clock_skew_seconds\{.*\} (.*)$/m.exec(metrics)?.[1]);
      expect(Math.abs(skewS - hours * 3_600)).toBeLessThan(SOON_MS / 1_000);
    }
    expect(output()).toContain("clock.skewed");
    // As after a suspension: what the process has cached is no longer fresh.
    const revoked = await world.makeKey(clan.clanId);
    expect(await codeOf(revoked.secret)).toBe(200);
    clock.set("+1h");
    await world.keys.revoke(revoked.keyId, new Date(), testActor);
    expect(await codeOf(revoked.secret)).toBe("key_revoked");
  });

  test("that is set back by an hour during an exceeded rate without Redis does not block the API key for that hour", async ({
    expect,
    onTestFinished,
  }) => {
    const world = await worldOf(onTestFinished);
    const { clan } = await world.makeClan();
    const { keyId, secret } = await world.makeKey(clan.clanId);
    await world.keys.limit(keyId, { requestsPerSecond: 1 }, testActor);
    const { port, clock } = await start(onTestFinished, "api", { ...world, redisUrl: NO_REDIS }, "+0");
    const statusOf = async (): Promise<number> => (await callerOf(port, secret).get(`/v0/clans/${clan.clanId}`)).status;
    for (let spent = 0; spent < BURST_S; spent += 1) expect(await statusOf()).toBe(200);
    clock.set("-1h");
    await until(async () => (await statusOf()) === 429);
    const startMs = performance.now();
    await until(async () => (await statusOf()) === 200);
    expect(performance.now() - startMs, "in time").toBeLessThan(SOON_MS);
  });

  test("that is skewed by an hour still counts the processes that share a rate, and is counted by them", async ({
    expect,
    onTestFinished,
  }) => {
    const world = await worldOf(onTestFinished);
    await Promise.all([
      start(onTestFinished, "api", world, "+1h"),
      start(onTestFinished, "api", world, "-1h"),
      world.startApi(),
    ]);
    const redis = openTestRedis(world.redisUrl);
    onTestFinished(() => redis.disconnect());
    const present = async (): Promise<Map<string, number>> => {
      const readAt = new Map<string, number>();
      const answer = await redis.zrange(`${redisNamespace(world.mongoUrl)}:api-processes`, "0", "-1", "WITHSCORES");
      for (let index = 0; index < answer.length; index += 2) readAt.set(answer[index] ?? "", Number(answer[index + 1]));
      return readAt;
    };
    // Each has announced itself twice, and none has considered another dead.
    await until(async () => (await present()).size === 3);
    const first = await present();
    await until(async () => {
      const now = await present();
      expect(now.size).toBe(3);
      return [...now].every(([name, readAt]) => readAt >= (first.get(name) ?? Infinity) + 4_000);
    });
  });
});
