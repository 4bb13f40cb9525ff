// Cancelling batches that wait or run: each award is either applied or cancelled, even if a process dies in between.
import { describe, expect, test, type TestContext } from "vitest";
import type { MemberLock } from "#ledger/ports.ts";
import { startWorker } from "../../../apps/worker/compose.ts";
import { openProxies } from "../../support/proxies.ts";
import { startProcess } from "../../support/processes.ts";
import { expectResponse } from "../../support/responses.ts";
import { untilJobs } from "../../support/batch-jobs.ts";
import { makeClanCaller, PATIENT } from "../../support/clan-caller.ts";
import { patientCliOn } from "../../support/cli.ts";
import { makeWorld, testLog } from "../../support/world.ts";
import { until } from "../../support/until.ts";

type Result = { index: number; platformId: string; status: string; error?: { code: string } };
type Sent = { platformId: string; amount: number };

const MEMBERS = 20;
const awards: Sent[] = Array.from({ length: 2 * MEMBERS }, (_, index) => ({
  platformId: `m${index % MEMBERS}`,
  amount: index + 1,
}));

/** A world of the test's own: these wait for long, side by side. */
async function openClan(onTestFinished: TestContext["onTestFinished"]) {
  const world = await makeWorld();
  onTestFinished(() => world.close());
  const clan = await makeClanCaller(world, (await world.startApi()).port);
  const cli = patientCliOn({ MONGO_URL: world.mongoUrl });
  const ledger = () =>
    world.database.db().collection<{ amount: bigint; batchId: string; fingerprint?: string }>("ledger");
  const readBatch = async (batchId: string) => expectResponse("read-batch", await clan.get(`/batches/${batchId}`));
  const untilDone = (batchId: string) => until(async () => (await readBatch(batchId)).status === "done");

  async function accept(sent: readonly unknown[] = awards): Promise<string> {
    return expectResponse("submit-batch", await clan.submit(sent, { prefer: "respond-async" }), 202).batchId;
  }

  /**
   * Each result agrees with the ledger: an applied award has one entry, a cancelled one has none, and the XP is the
   * sum.
   */
  async function expectTrue(batchIds: readonly string[]): Promise<{ applied: number; cancelled: number }> {
    const sums = new Map<string, number>();
    const counts = { applied: 0, cancelled: 0 };
    for (const batchId of batchIds) {
      const { results } = (await readBatch(batchId)) as { results: Result[] };
      expect(results).toHaveLength(awards.length);
      for (const { index, platformId, status, error } of results) {
        expect(status === "applied" ? status : error?.code).toMatch(/^(applied|cancelled)$/);
        counts[status === "applied" ? "applied" : "cancelled"] += 1;
        if (status === "applied") sums.set(platformId, (sums.get(platformId) ?? 0) + (awards[index]?.amount ?? 0));
      }
    }
    expect(await ledger().countDocuments({ amount: { $gt: 0n } })).toBe(counts.applied);
    for (const [platformId, sum] of sums) expect((await clan.get(`/members/${platformId}`)).body.xp).toBe(String(sum));
    expect((await cli.json("reconcile")).answer.differences).toStrictEqual([]);
    return counts;
  }
  return { world, clan, cli, ledger, readBatch, untilDone, accept, expectTrue };
}

describe.concurrent("cancelling batches", { timeout: 90_000 }, () => {
  test("ends a waiting batch immediately, with the result cancelled for each valid award, and nothing is stored", async ({
    onTestFinished,
  }) => {
    const { world, clan, cli, ledger, readBatch } = await openClan(onTestFinished);
    const waiting = clan.submit([...awards, null], { prefer: "wait=30", "idempotency-key": "k" });
    await until(async () => (await world.database.db().collection("batches").countDocuments()) === 1);
    const [record] = await world.database.db().collection<{ _id: string }>("batches").find().toArray();
    const batchId = record?._id ?? "";
    const cancelled = await cli.json("batch", "cancel", batchId);
    expect(cancelled).toMatchObject({
      exitCode: 0,
      answer: { batchId, clanId: clan.clanId, status: "done", applied: 0, cancelled: awards.length },
    });

    const answer = expectResponse("submit-batch", await waiting);
    expect(answer.applied).toBe(0);
    expect(answer.results.map((result: Result) => result.error?.code)).toStrictEqual([
      ...awards.map(() => "cancelled"),
      "invalid_request",
    ]);
    expect(await readBatch(batchId)).toMatchObject({ status: "done", ...answer, finishedAt: expect.any(String) });
    const repeat = await clan.submit([...awards, null], { "idempotency-key": "k" });
    expect(repeat.headers.get("idempotency-replayed")).toBe("true");
    expect(expectResponse("submit-batch", repeat)).toStrictEqual(answer);

    // Its job is still there.
    await world.startWorker();
    await untilJobs(world, [batchId], ([state]) => state === "completed");
    expect(await ledger().countDocuments()).toBe(0);
    expect((await clan.get("/members/m0")).status).toBe(404);
    expect((await cli.json("batch", "cancel", batchId)).exitCode).toBe(0);
  });

  test("keeps the applied awards and cancels the others if its worker is paused meanwhile and then resumes", async ({
    onTestFinished,
  }) => {
    const { world, cli, ledger, readBatch, untilDone, accept, expectTrue } = await openClan(onTestFinished);
    const batchId = await accept();
    const held = Promise.withResolvers<void>();
    // The first half of the members gets its lock immediately, the others when the worker continues.
    const isFirstHalf = (member: string): boolean => Number(/m(\d+)$/.exec(member)?.[1]) < MEMBERS / 2;
    const lock: MemberLock = {
      async acquire(members) {
        const granted = members.filter(isFirstHalf);
        if (granted.length === 0) await held.promise;
        return { granted: new Set(granted.length > 0 ? granted : members), seqs: new Map(), release() {} };
      },
    };
    const proxies = await openProxies(world);
    const config = { ...world.config, redisUrl: proxies.config.redisUrl };
    const stopped = await startWorker({ config, log: testLog, lock });
    await until(async () => (await ledger().countDocuments()) === MEMBERS);
    // From here on it renews no lock of its job, which so goes to another worker.
    proxies.redis.hold();
    const cancelling = cli.json("batch", "cancel", batchId);
    await until(async () => (await world.batches.read(batchId))?.cancelled === true);
    expect((await readBatch(batchId)).status).toBe("running");
    await world.startWorker();
    await untilDone(batchId);
    expect((await cancelling).exitCode).toBe(0);
    const before = await readBatch(batchId);
    expect(before.applied).toBe(MEMBERS);

    proxies.redis.release();
    held.resolve();
    await stopped.close();
    await proxies.close();
    expect(await readBatch(batchId)).toStrictEqual(before);
    expect(await expectTrue([batchId])).toStrictEqual({ applied: MEMBERS, cancelled: MEMBERS });
  });

  test("of one API key applies or cancels each award although a worker is killed, and applies those of other keys", async ({
    onTestFinished,
  }) => {
    const { world, clan, cli, ledger, untilDone, expectTrue } = await openClan(onTestFinished);
    const proxies = await openProxies(world);
    onTestFinished(() => proxies.close());
    const worker = startProcess("worker", { MONGO_URL: proxies.config.mongoUrl, REDIS_URL: world.redisUrl });
    await worker.ready();
    // It must not have applied everything before the command begins.
    proxies.mongo.delay(300);
    const { keyId, secret } = await world.makeKey(clan.clanId);
    const thief = clan.with(secret);
    const sent = Array.from({ length: 24 }, () => thief.post("/xp", { awards }, { prefer: "respond-async" }));
    const accepted = await Promise.all(sent);
    const batchIds: string[] = accepted.map((reply) => expectResponse("submit-batch", reply, 202).batchId);
    await until(async () => (await ledger().countDocuments()) > 0);
    const cancelling = cli.json("batch", "cancel", "--key", keyId);
    process.kill(worker.pid, "SIGKILL");
    await worker.ended();
    const { exitCode, answer } = await cancelling;
    expect(exitCode).toBe(0);

    const survivor = await world.startWorker();
    for (const batchId of batchIds) await untilDone(batchId);
    const counts = await expectTrue(batchIds);
    expect(counts.cancelled).toBeGreaterThan(0);
    expect(answer).toMatchObject({ keyId, clanId: clan.clanId });
    expect((await cli.json("batch", "cancel", "--key", keyId)).answer).toMatchObject({ batches: 0, unfinished: 0 });

    const own = expectResponse("submit-batch", await clan.submit(awards, PATIENT));
    expect(own.applied).toBe(awards.length);
    await survivor.close();
  });
});
