// What /metrics says, of real processes: every name, true numbers, a bounded number of series.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import type { BudgetDoc } from "#keys/store/budget-model.ts";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { callerOf } from "../support/http.ts";
import { useWorld } from "../support/use-api.ts";
import { makeWorld, type World } from "../support/world.ts";
import { readPage } from "../support/docs-page.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";
import { scrape } from "../support/scrape.ts";
import { testActor } from "../support/actor.ts";
import { until } from "../support/until.ts";

const world = await useWorld();
const processes: RealProcess[] = [];
afterAll(() => Promise.all(processes.map((process) => process.stop())));

function start(role: "api" | "worker" | "notifier"): RealProcess {
  const servers = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl };
  const process = startProcess(role, { ...servers, BUILD_COMMIT: "abc123" });
  processes.push(process);
  return process;
}

function budgetsIn(database: World["database"]) {
  return database.db().collection<BudgetDoc>("budgets");
}

async function spentBy({ database }: World, keyId: string): Promise<bigint> {
  return (await budgetsIn(database).findOne({ _id: { $regex: `^${keyId}/` } }))?.spent ?? 0n;
}

/** As much is spent on the next day, too: it may have begun when a worker reads what was spent on its day. */
async function spentOnTwoDays({ database }: World, keyId: string): Promise<bigint> {
  const budgets = budgetsIn(database);
  const found = await budgets.findOne({ _id: { $regex: `^${keyId}/` } });
  if (!found) throw new Error("nothing was spent");
  const { day, spent } = found;
  const next = new Date(day.getTime() + 86_400_000);
  await budgets.insertOne({ _id: `${keyId}/${next.toISOString().slice(0, 10)}`, day: next, spent });
  return spent;
}

describe("an API and a worker", { timeout: 120_000 }, () => {
  let api: { port: number; opsPort: number };
  let worker: { port: number; opsPort: number };
  let clan: ClanCaller;
  beforeAll(async () => {
    [api, worker] = await Promise.all([start("api").ready(), start("worker").ready()]);
    clan = await makeClanCaller(world, api.port);
  });

  /** How much each series rose while `act` went on. */
  async function risesIn(opsPort: number, act: () => Promise<unknown>): Promise<(name: string) => number> {
    const before = await scrape(opsPort);
    await act();
    const after = await scrape(opsPort);
    return (name) => (after.series.get(name) ?? 0) - (before.series.get(name) ?? 0);
  }

  test("export 0 internal errors before the first one, so that an alert can detect the increase", async () => {
    const { series } = await scrape(api.opsPort);
    expect(series.get('clanxp_problems_total{code="internal"}')).toBe(0);
  });

  test("count awards, replays, rejections, requests and problems correctly", async () => {
    const rise = await risesIn(api.opsPort, async () => {
      for (const key of ["a", "b", "a"])
        expectResponse("apply-award", await clan.award("m", { amount: 5 }, { "idempotency-key": key }));
      expectProblem(await clan.award("m", { amount: 6 }, { "idempotency-key": "a" }), 422, "idempotency_key_reused");
      expectProblem(await clan.award("m", { amount: 99_999_999 }), 400, "invalid_request");
      expectProblem(await clan.award("m", { amount: "x" }), 400, "invalid_request");
      expectResponse("read-member", await clan.get("/members/m"));
      expectProblem(await clan.with(null).get(""), 401, "key_missing");
    });
    const expected = {
      'clanxp_awards_total{outcome="applied"}': 2,
      'clanxp_awards_total{outcome="replayed"}': 1,
      'clanxp_awards_total{outcome="rejected"}': 2,
      'clanxp_award_rejections_total{code="idempotency_key_reused"}': 1,
      'clanxp_award_rejections_total{code="invalid_request"}': 1,
      'clanxp_http_requests_total{method="POST",route="apply-award",status="200"}': 3,
      'clanxp_http_requests_total{method="POST",route="apply-award",status="422"}': 1,
      'clanxp_http_requests_total{method="POST",route="apply-award",status="400"}': 2,
      'clanxp_http_requests_total{method="GET",route="read-member",status="200"}': 1,
      'clanxp_http_requests_total{method="GET",route="read-clan",status="401"}': 1,
      'clanxp_http_request_duration_seconds_count{method="POST",route="apply-award"}': 6,
      'clanxp_http_request_duration_seconds_bucket{le="+Inf",method="POST",route="apply-award"}': 6,
      'clanxp_problems_total{code="invalid_request"}': 2,
      'clanxp_problems_total{code="key_missing"}': 1,
      'clanxp_commits_total{result="committed"}': 2,
      clanxp_commit_group_awards_sum: 4,
      clanxp_lock_contended_total: 0,
    };
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, rise(name)]))).toStrictEqual(expected);
    // A process that started more than 2 s ago takes locks for some of its commit groups only.
    expect(rise("clanxp_lock_wait_seconds_count") + rise("clanxp_lock_not_needed_total")).toBe(4);
    // A repeated key may be found by a commit that clashes: how often is up to the committer, and each has its
    // duration.
    const commits = ["committed", "conflict"].map((result) => rise(`clanxp_commits_total{result="${result}"}`));
    expect(rise("clanxp_commit_duration_seconds_count")).toBe((commits[0] ?? 0) + (commits[1] ?? 0));
    const looked =
      rise('clanxp_key_cache_lookups_total{result="hit"}') + rise('clanxp_key_cache_lookups_total{result="miss"}');
    // Once for each request with a key, and again where its body took longer to arrive than a key's state is known for.
    expect(looked).toBeGreaterThanOrEqual(7);
    expect(looked).toBeLessThanOrEqual(7 + 6);
  });

  test("count a batch in the process that accepted it and in the process that ran it", async () => {
    const awards = [
      ...Array.from({ length: 20 }, (_, n) => ({ platformId: `b${n}`, amount: 1 })),
      { platformId: "b", amount: "x" },
    ];
    const accepted = await risesIn(api.opsPort, async () => {
      const rise = await risesIn(worker.opsPort, async () => {
        expect(expectResponse("submit-batch", await clan.submit(awards)).applied).toBe(20);
        // The worker counts it after it has written the result, which the API may have read by then.
        await until(async () => (await scrape(worker.opsPort)).series.get("clanxp_batches_completed_total"));
      });
      expect(rise("clanxp_batches_completed_total")).toBe(1);
      expect(rise('clanxp_awards_total{outcome="applied"}')).toBe(20);
      expect(rise("clanxp_commit_group_awards_sum")).toBe(20);
    });
    expect(accepted('clanxp_award_rejections_total{code="invalid_request"}')).toBe(1);
    expect(accepted('clanxp_http_requests_total{method="POST",route="submit-batch",status="200"}')).toBe(1);
    await until(async () => ((await scrape(worker.opsPort)).series.get("clanxp_recovery_scans_total") ?? 0) > 0);
  });

  test("count a request that is rejected for its rate by the exceeded limit", async () => {
    const { keyId, secret } = await world.makeKey(clan.clanId);
    await world.keys.limit(keyId, { awardsPerSecond: 1 }, testActor);
    const rise = await risesIn(api.opsPort, async () => {
      const awards = Array.from({ length: 5 }, () => ({ platformId: "r", amount: 1 }));
      expectProblem(await clan.with(secret).post("/xp", { awards }), 429, "rate_limited");
    });
    expect(rise('clanxp_rate_limited_total{limit="awards"}')).toBe(1);
    expect(rise('clanxp_rate_limited_total{limit="requests"}')).toBe(0);
    expect(rise('clanxp_problems_total{code="rate_limited"}')).toBe(1);
  });

  test("count a commit that conflicted with another process's entry", async () => {
    // A process that takes locks would read the member's head again if Redis were slow.
    await until(async () => {
      expectResponse("apply-award", await clan.award("c", { amount: 0 }));
      return (await scrape(api.opsPort)).series.get("clanxp_lock_not_needed_total");
    });
    expectResponse("apply-award", await clan.award("c", { amount: 1 }));
    const before = (await scrape(api.opsPort)).series;
    const now = async (result: string): Promise<number> => {
      const name = `clanxp_commits_total{result="${result}"}`;
      return ((await scrape(api.opsPort)).series.get(name) ?? 0) - (before.get(name) ?? 0);
    };
    // Neither Redis nor this process's memory knows of it.
    await world.setXp({ clanId: clan.clanId, platformId: "c" }, 7n);
    expect(expectResponse("apply-award", await clan.award("c", { amount: 1 })).xp).toBe("8");
    expect(await now("conflict")).toBe(1);
    expect(await now("committed")).toBe(1);
  });

  test("export collection sizes, used shares of daily XP budgets and ends of keys, but only by the worker", async () => {
    // Another database: sizes are cached for a minute.
    const own = await makeWorld();
    try {
      const [caller, its] = [await own.startApi(), await own.startWorker()];
      const limited = await makeClanCaller(own, caller.port);
      const keyId = limited.key.split("_")[1] ?? "";
      await own.keys.limit(keyId, { xpPerDay: 1_000 }, testActor);
      const expiring = await own.makeKey(limited.clanId, ["read"], new Date("2999-01-01T00:00:00Z"));
      await until(
        async () => (await limited.award("m", { amount: 50 })).status === 200 && (await spentBy(own, keyId)) > 0n,
      );
      const spent = Number(await spentOnTwoDays(own, keyId)) / 1_000;
      // Each is read by itself, and one may be later.
      const labelsOf = (key: string): string => `{clan="${limited.clanId}",key="${key}"}`;
      const [budget, expiry] = [
        `clanxp_key_budget_used_ratio${labelsOf(keyId)}`,
        `clanxp_key_expires_timestamp_seconds${labelsOf(expiring.keyId)}`,
      ];
      const late = [budget, expiry, 'clanxp_collection_documents{collection="ledger"}'];
      await until(async () => {
        const { series } = await scrape(its.opsPort);
        return late.every((name) => series.has(name));
      });
      const { series } = await scrape(its.opsPort);
      expect(series.get(budget)).toBe(spent);
      expect(series.get(expiry)).toBe(Date.UTC(2999, 0, 1) / 1_000);
      const seriesOf = (name: string) =>
        new Map([...series].filter(([one]) => one.startsWith(`clanxp_collection_${name}{`)));
      const collections = own.database.collections.map(({ name }) => name);
      expect(seriesOf("documents").size).toBe(collections.length);
      for (const collection of collections)
        expect(seriesOf("bytes").get(`clanxp_collection_bytes{collection="${collection}"}`)).toBeGreaterThan(0);
      const entries = await own.database.db().collection("ledger").countDocuments();
      expect(seriesOf("documents").get('clanxp_collection_documents{collection="ledger"}')).toBe(entries);
      expect((await scrape(caller.opsPort)).text).not.toMatch(/^clanxp_(collection|key_budget|key_expires)/m);
    } finally {
      await own.close();
    }
  });

  test("export exactly the metrics that docs/reference/metrics-and-logs.md lists", async () => {
    const rows = [...readPage("docs/reference/metrics-and-logs.md").matchAll(/^\| `(clanxp_[\w*]+)` \|/gm)].map(
      ({ 1: name = "" }) => name,
    );
    const isListed = (name: string): boolean =>
      rows.some((row) => (row.endsWith("*") ? name.startsWith(row.slice(0, -1)) : name === row));
    const notifier = await start("notifier").ready();
    const exported = await Promise.all(
      [api, worker, notifier].map(async ({ opsPort }) => [...(await scrape(opsPort)).names]),
    );
    expect(exported[0]).toStrictEqual(exported[1]);
    const all = exported.flat();
    expect(all.filter((name) => !isListed(name))).toStrictEqual([]);
    const isExported = (row: string): boolean =>
      all.some((name) => (row.endsWith("*") ? name.startsWith(row.slice(0, -1)) : name === row));
    expect(rows.filter((row) => !isExported(row))).toStrictEqual([]);
    expect(rows.length).toBeGreaterThan(25);
    expect((await scrape(api.opsPort)).text).toMatch(
      /clanxp_build_info\{version="[\d.]+",commit="abc123",process="api"\} 1/,
    );
  });

  test("have a bounded number of series without text of callers after 1,000 hostile requests", async () => {
    const before = await scrape(api.opsPort);
    const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "PURGE", "SEARCH", "evil"];
    const paths = [
      "/v0/clans/evil%",
      "/v0/clans/evil%/members/evil%/xp",
      "/v0/clans/evil%/batches/evil%",
      "/evil%",
      "/v0/clans/evil%/xp?evil=%",
    ];
    for (let round = 0; round < 20; round += 1) {
      const requests = Array.from({ length: 50 }, (_, n) => {
        const path = (paths[n % paths.length] ?? "").replaceAll("%", `-${round}-${n}`);
        const key = n % 3 === 0 ? null : n % 3 === 1 ? clan.key : `evil-${round}-${n}`;
        return callerOf(api.port, key).send(methods[(n + round) % methods.length] ?? "", path, {
          headers: { "idempotency-key": `evil-${n}` },
        });
      });
      const replies = await Promise.all(requests);
      for (const reply of replies) expect(reply.status).toBeGreaterThanOrEqual(400);
    }
    const after = await scrape(api.opsPort);
    expect(after.text).not.toMatch(/evil/);
    for (const secret of [clan.key, clan.clanId]) expect(after.text).not.toContain(secret);
    const counted = [...after.series].filter(([name]) => name.startsWith("clanxp_http_requests_total"));
    const all = counted.reduce((sum, [name, value]) => sum + value - (before.series.get(name) ?? 0), 0);
    expect(all).toBe(900); // HTTP does not define "evil": a bare 400, and no request of any endpoint.
    for (const [name] of counted) {
      const [, method = "", route = ""] = /method="(.*)",route="(.*)",status="\d{3}"/.exec(name) ?? [];
      expect([...methods.slice(0, 7), "other"]).toContain(method);
      expect([...Object.keys(endpoints), "none"]).toContain(route);
    }
    // Endpoints x methods x statuses, at the very most.
    expect(counted.length).toBeLessThan(8 * 9 * 6);
    const others = [...after.series.keys()].filter(
      // Without a label, it is known at times only, and one series at most.
      (name) => name.includes("{") && !name.startsWith("clanxp_http_") && !before.series.has(name),
    );
    expect(others.every((name) => /^clanxp_(problems_total|nodejs_)/.test(name))).toBe(true);
  });
});
