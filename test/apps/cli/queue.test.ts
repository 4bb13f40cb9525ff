// batch show, queue status, pause, resume, retry.
import { describe, expect, onTestFinished, test } from "vitest";
import { cliOn } from "../../support/cli.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { makeWorld } from "../../support/world.ts";
import { openProxies } from "../../support/proxies.ts";
import { reversalsOf } from "../../support/reversals.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

const { world, clan: caller } = await useApi({ worker: true });
const cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });

const AWARDS = [{ platformId: "a", amount: 120 }, { platformId: "b" }, { platformId: "a", amount: -20 }];

async function submitWithoutReply(): Promise<string> {
  const { status, body } = await caller.submit(AWARDS, { prefer: "respond-async" });
  expect(status).toBe(202);
  return body.batchId;
}

async function isDone(batchId: string): Promise<boolean> {
  return (await cli.json("batch", "show", batchId)).answer.status === "done";
}

describe("batch show", () => {
  test("returns the API's result, prints one line for each award for people, and none of what was deleted by age", async () => {
    const batchId = await submitWithoutReply();
    await until(() => isDone(batchId));
    const { exitCode, answer } = await cli.json("batch", "show", batchId);
    expect(exitCode).toBe(0);
    expect(answer).toEqual({ clanId: caller.clanId, ...(await caller.get(`/batches/${batchId}`)).body });
    expect(answer).toMatchObject({ batchId, status: "done", applied: 2 });
    const shown = async () => (await cli.run("batch", "show", batchId)).stdout;
    expect(await shown()).toMatch(/^ +0 {2}a +applied +\d+ {2}Guest$/m);
    expect(await shown()).toMatch(/^ +1 {2}b +rejected +invalid_request: /m);

    await world.batches.deleteDetails({ olderThanMs: -60_000, limit: 100 });
    const deleted = "deleted, with their results: the batch was done more than BATCH_RETENTION_DAYS ago";
    expect(await shown()).toMatch(new RegExp(`^awards +${deleted}$`, "m"));
    expect(await shown()).toMatch(/^applied +2$/m);
  });
});

describe("queue", () => {
  test("pause makes accepted batches wait, and resume applies them", async () => {
    const paused = await cli.json("queue", "pause");
    const counts = { waiting: 0, active: 0, delayed: 0, failed: 0, completed: expect.any(Number) };
    expect(paused.answer).toEqual({ paused: true, ...counts });
    expect((await cli.json("queue", "pause")).answer).toEqual(paused.answer);

    const batchId = await submitWithoutReply();
    const status = async () => (await cli.json("queue", "status")).answer;
    // A job that Redis did not take in time is queued by the recovery scan.
    await expect.poll(status).toEqual({
      ...paused.answer,
      waiting: 1,
      redisFault: null,
      unfinishedBatches: 1,
      oldestUnfinishedAt: expect.any(String),
    });
    expect(await isDone(batchId)).toBe(false);

    expect((await cli.json("queue", "resume")).answer.paused).toBe(false);
    await until(() => isDone(batchId));
    const after = await cli.json("queue", "status");
    expect(after.answer).toMatchObject({ paused: false, waiting: 0, unfinishedBatches: 0, oldestUnfinishedAt: null });
    expect((await cli.json("queue", "resume")).exitCode).toBe(0);
  });

  test("retry creates new jobs for a batch and a reversal that lost theirs, and reports it", async () => {
    // Without a worker, so that no recovery scan is faster.
    const alone = await makeWorld();
    const here = cliOn({ MONGO_URL: alone.mongoUrl, REDIS_URL: alone.redisUrl });
    const { port } = await alone.startApi();
    const clan = await makeClanCaller(alone, port, {}, ["award", "deduct", "read", "reverse"]);
    const { body } = await clan.submit(AWARDS, { prefer: "respond-async" });
    const reversalId = await reversalsOf(clan).reverse({ batchId: body.batchId });
    const both = (revived: number) => ({ unfinished: 1, revived, reversals: { unfinished: 1, revived } });
    expect((await here.json("queue", "retry")).answer).toEqual(both(0));
    await alone.emptyRedis();
    const retried = await here.json("queue", "retry");
    expect([retried.exitCode, retried.answer]).toEqual([0, both(1)]);
    expect((await here.json("queue", "retry")).answer).toEqual(both(0));

    await alone.startWorker();
    await until(async () => (await here.json("batch", "show", body.batchId)).answer.status === "done");
    expect((await here.json("batch", "show", body.batchId)).answer.applied).toBe(2);
    await until(async () => (await reversalsOf(clan).read(reversalId)).status === "done");
    await alone.close();
  });

  test("pause, resume and status print sentences for people", async () => {
    expect((await cli.run("queue", "pause")).stdout).toContain("clanxp queue resume");
    expect((await cli.run("queue", "status")).stdout).toMatch(/^batches +0 unfinished$/m);
    expect((await cli.run("queue", "resume")).stdout).toMatch(/^queue +running$/m);
  });

  test("status exits with code 3 if Redis does not answer whether it accepts writes", async () => {
    const proxies = await openProxies(world);
    onTestFinished(() => proxies.close());
    void proxies.redis.cutAfter("there", { text: "KEYS[1], '', 'XX'" }, { silently: true });
    const throughProxy = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: proxies.config.redisUrl });
    const { exitCode, answer } = await throughProxy.json("queue", "status");
    expect([exitCode, answer.error.code]).toEqual([3, "unreachable"]);
  });
});
