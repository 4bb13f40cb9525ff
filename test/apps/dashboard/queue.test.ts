// What operators see and change of the queue.
import { describe, expect, onTestFinished, test } from "vitest";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { openProxies } from "../../support/proxies.ts";
import { makeVisitor, PASSWORD, useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();
const operator = await dashboard.signedIn("ops", "operator");
const clan = await makeClanCaller(dashboard.world, (await dashboard.world.startApi()).port);

describe("the queue in the dashboard", () => {
  const queue = async () => (await operator.get("/api/queue")).body;
  const submit = async () =>
    (await clan.submit([{ platformId: "batched", amount: 5 }], { prefer: "respond-async" })).body.batchId;
  const cancel = (batchId: string) => operator.post(`/api/clans/${clan.clanId}/batches/${batchId}/cancel`);

  test("shows accepted work and its jobs, restores lost jobs, and cancels a batch once", async () => {
    // The dashboard is ready before it is connected to Redis.
    await until(async () => (await queue()).jobs !== null);
    const jobs = { paused: false, workers: 0 };
    expect(await queue()).toMatchObject({ batches: { queued: 0, running: 0 }, jobs, work: [] });
    const batchId = await submit();
    const waiting = { id: batchId, kind: "batch", clanId: clan.clanId, status: "queued", awards: 1 };
    expect((await queue()).work).toMatchObject([{ ...waiting, job: { state: "waiting", attempts: 0, error: null } }]);
    expect(await queue()).toMatchObject({ batches: { queued: 1, awards: 1 }, jobs: { waiting: 1 }, isWhole: true });

    await dashboard.world.emptyRedis();
    expect((await queue()).work).toMatchObject([{ ...waiting, job: { state: "missing" } }]);
    expect((await operator.post("/api/queue/retry")).body).toEqual({ unfinished: 1, revived: 1 });
    expect((await queue()).work).toMatchObject([{ ...waiting, job: { state: "waiting" } }]);
    expect((await operator.post("/api/queue/retry")).body).toEqual({ unfinished: 1, revived: 0 });

    expect((await cancel(batchId)).body).toEqual({ applied: 0, cancelled: 1, isDone: true });
    expect((await cancel(batchId)).body.code).toBe("conflict");
    expect((await cancel("bat_none")).body.code).toBe("not_found");
    expect((await queue()).work).toEqual([]);
    const { records } = (await operator.get(`/api/clans/${clan.clanId}/audit?action=batch.cancel`)).body;
    expect(records).toMatchObject([{ actor: "ops", target: batchId }]);
  });

  test("is paused and resumed with an audit record, and shows reversals, workers and the projection lag", async () => {
    const setPaused = (paused: boolean) => operator.send("PUT", "/api/queue/paused", { paused });
    expect((await setPaused(true)).body).toEqual({ done: true });
    await clan.award("reversed", { amount: 5 });
    const { awardId } = (await operator.get(`/api/clans/${clan.clanId}/members/reversed/ledger`)).body.entries[0];
    const path = `/api/clans/${clan.clanId}/members/reversed/awards/${awardId}/reversal`;
    const { reversalId } = (await operator.post(path, { reason: null })).body;
    await dashboard.world.startWorker();
    let paused: any;
    await until(async () => {
      paused = await queue();
      return paused.jobs?.workers === 1;
    });
    expect(paused).toMatchObject({ reversals: 1, jobs: { paused: true } });
    const waiting = { id: reversalId, kind: "reversal", clanId: clan.clanId, status: "queued", awards: null };
    expect(paused.work).toMatchObject([waiting]);
    expect(paused.projection.processes).toBeGreaterThan(0);
    expect(paused.projection.lagMs).toBeLessThan(60_000);
    await setPaused(false);
    await until(async () => (await queue()).work.length === 0);
    const { answer } = await dashboard.cli.json("audit", "list", "--actor", "ops", "--limit", "20");
    const actions: string[] = answer.records.map(({ action }: { action: string }) => action);
    expect(actions.filter((action) => action.startsWith("queue."))).toEqual(["queue.resume", "queue.pause"]);
  });

  test("shows accepted work without Redis and that its jobs are unknown, and rejects changes with 503", async () => {
    const proxies = await openProxies(dashboard.world);
    onTestFinished(() => proxies.close());
    const url = await dashboard.startAnother({ changes: proxies.config });
    const visitor = makeVisitor(url);
    await visitor.post("/api/sign-in", { name: "ops", password: PASSWORD });
    proxies.redis.rejectConnections(true);
    proxies.redis.reset();
    await until(async () => (await visitor.get("/api/queue")).body.jobs === null);
    expect((await visitor.get("/api/queue")).body).toMatchObject({ batches: { queued: 0 }, work: [] });
    const rejected = await visitor.send("PUT", "/api/queue/paused", { paused: true });
    expect([rejected.status, rejected.body.code]).toEqual([503, "unavailable"]);
    expect((await visitor.post("/api/queue/retry")).status).toBe(503);
    expect((await queue()).jobs.paused).toBe(false);
  });
});
