// What operators see and change: all clans, and the queue. Roles: access.test.ts.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dashboardEndpoints } from "#contract/dashboard/endpoints.ts";
import type { DashboardEndpoint } from "#contract/dashboard/endpoint.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { until } from "../support/until.ts";
import { openWires, type Wires } from "../support/wires.ts";
import { makeDashboardWorld, makeVisitor, type DashboardWorld, type Visitor } from "./dashboard-world.ts";

let dashboard: DashboardWorld;
let operator: Visitor;
let apiPort: number;
beforeAll(async () => {
  dashboard = await makeDashboardWorld();
  operator = await dashboard.signedIn("ops", "--operator");
  apiPort = (await dashboard.world.startApi()).port;
});
afterAll(() => dashboard.close());

const auditOf = async (clanId: string) => (await operator.get(`/api/clans/${clanId}/audit`)).body.records;

test("every endpoint of a clan answers an operator 404 where the clan does not exist", async () => {
  const ofClans = Object.entries<DashboardEndpoint>(dashboardEndpoints).filter(([, { path }]) =>
    path.includes("{clanId}"),
  );
  expect(ofClans.length).toBeGreaterThan(20);
  for (const [name, { method, path }] of ofClans) {
    const unknown = path.replace("{clanId}", "no-such-clan").replaceAll(/\{\w+\}/g, "none");
    const { status, body } = await operator.send(method, unknown, method === "GET" ? undefined : {});
    expect([name, status, body.code]).toEqual([name, 404, "not_found"]);
    expect(body.detail).toMatch(method === "GET" ? /^There is no clan no-such-clan\.$/ : /Nothing was changed\.$/);
  }
});

describe("clans", () => {
  const create = (body: object) => operator.post("/api/clans", body);
  const found = async (search: string): Promise<string[]> => {
    const { body } = await operator.get(`/api/clans?search=${encodeURIComponent(search)}`);
    return body.clans.map(({ clanId }: { clanId: string }) => clanId);
  };

  test("are created once, with Guest as their only rank and a record of who did it", async () => {
    const created = await create({ clanId: "rovers", name: "The Rovers", autoClan: true });
    const clan = { clanId: "rovers", name: "The Rovers", autoClan: true, ranks: [{ name: "Guest", kind: "GUEST" }] };
    expect([created.status, created.body]).toEqual([
      200,
      { ...clan, xpFloor: "0", xpCap: "9223372036854775807", amountMax: 1_000_000 },
    ]);
    const again = await create({ clanId: "rovers", name: "Others", autoClan: false });
    expect([again.body.code, again.body.errors]).toEqual([
      "conflict",
      [{ pointer: "/clanId", detail: expect.any(String) }],
    ]);
    expect((await operator.get("/api/me")).body.clans).toContainEqual({
      clanId: "rovers",
      name: "The Rovers",
      role: "owner",
    });
    expect(await auditOf("rovers")).toMatchObject([
      { actor: "ops", via: "dashboard", action: "clan.create", target: "rovers" },
    ]);
    expect((await operator.get("/api/clans/rovers/members")).body).toEqual({ members: [], nextCursor: null });
  });

  test.each([
    [{ clanId: "a/b", name: "x", autoClan: true }, "/clanId"],
    [{ clanId: "", name: "x", autoClan: true }, "/clanId"],
    [{ clanId: "fine", name: " ", autoClan: true }, "/name"],
    [{ clanId: "fine", name: "x" }, "/autoClan"],
    [{ clanId: "fine", name: "x", autoClan: true, ranks: [] }, "/ranks"],
  ])("are not created from %j", async (body, pointer) => {
    const { status, body: problem } = await create(body);
    expect([status, problem.errors.map((fault: { pointer: string }) => fault.pointer)]).toEqual([400, [pointer]]);
    expect(await found("fine")).toEqual([]);
  });

  test("are found by a part of their id or name, whatever its case, and not by what only looks like a pattern", async () => {
    for (const [clanId, name] of [
      ["Search-1", "Café (North)"],
      ["search-2", "South"],
    ]) {
      await create({ clanId, name, autoClan: false });
    }
    expect(await found("SEARCH-")).toEqual(["Search-1", "search-2"]);
    expect(await found("(north)")).toEqual(["Search-1"]);
    for (const nothing of ["search-.", "^search", "Café [N]", "\\"]) expect(await found(nothing)).toEqual([]);
    expect((await operator.get("/api/clans?search=%00")).status).toBe(400);
  });

  test("are listed in pages, each once", async () => {
    for (let made = 0; made < 55; made += 1)
      await dashboard.world.clans.create(manyOf(made), { actor: "test", via: "cli" });
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const { body }: { body: any } = await operator.get(
        `/api/clans?search=many-${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      seen.push(...body.clans.map(({ clanId }: { clanId: string }) => clanId));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(Array.from({ length: 55 }, (_, index) => manyOf(index).clanId));
    expect((await operator.get("/api/clans?cursor=x")).body.code).toBe("invalid_request");
  });

  test("are changed in what is named alone; a minimum above the maximum changes nothing", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    const change = (body: object) => operator.send("PATCH", `/api/clans/${clanId}`, body);
    const changed = await change({ name: "Renamed", xpFloor: null, amountMax: 5 });
    expect(changed.body).toMatchObject({
      name: "Renamed",
      autoClan: true,
      xpFloor: null,
      xpCap: "9223372036854775807",
      amountMax: 5,
    });
    expect((await change({ xpCap: "-1" })).status).toBe(200);
    expect((await change({ xpFloor: "0" })).body.code).toBe("conflict");
    for (const wrong of [
      {},
      { xpCap: "1e3" },
      { xpCap: "9223372036854775808" },
      { amountMax: 0 },
      { amountMax: 1.5 },
      { name: "" },
      { id: 1 },
    ]) {
      expect([wrong, (await change(wrong)).status]).toEqual([wrong, 400]);
    }
    expect((await auditOf(clanId)).map(({ action }: { action: string }) => action)).toEqual([
      "clan.set",
      "clan.set",
      "key.create",
      "clan.create",
    ]);
    expect((await change({ xpCap: "100" })).body).toMatchObject({ xpFloor: null, xpCap: "100", name: "Renamed" });
  });
});

describe("accounts", () => {
  const invite = (name: string, may: object) => operator.post("/api/accounts", { name, may });
  const listed = async (name: string) =>
    (await operator.get("/api/accounts")).body.accounts.find((account: { name: string }) => account.name === name);

  test("are invited, reset and removed, each with a record; a link works once, and what is not possible leaves no record", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    const may = { kind: "clan", clanId, role: "viewer" };
    const invited = await invite("bob", may);
    expect(invited.body).toEqual({
      name: "bob",
      token: expect.stringMatching(/^\w{40}$/),
      expiresAt: expect.any(String),
    });
    expect(invited.headers.get("cache-control")).toBe("no-store");
    expect(await listed("bob")).toEqual({
      name: "bob",
      operator: false,
      clans: [{ clanId, role: "viewer" }],
      link: "open",
      lastSignInAt: null,
    });
    expect((await invite("bob", may)).body.errors).toEqual([{ pointer: "/name", detail: expect.any(String) }]);
    expect((await invite("eric", { ...may, clanId: "no-such-clan" })).status).toBe(404);
    for (const [name, wrong] of [
      ["Bob Smith", may],
      ["bob2", { kind: "clan", clanId }],
      ["bob2", { kind: "operator", clanId }],
    ] as const) {
      expect((await invite(name, wrong)).status).toBe(400);
    }

    const bob = makeVisitor(dashboard.url);
    const password = "correct horse battery";
    expect((await bob.post("/api/link/use", { token: invited.body.token, password })).status).toBe(200);
    expect((await bob.get(`/api/clans/${clanId}/members`)).status).toBe(200);
    expect((await listed("bob")).link).toBe("none");
    const reset = await operator.post("/api/accounts/bob/reset");
    expect((await bob.get("/api/me")).status).toBe(401);
    expect((await makeVisitor(dashboard.url).post("/api/link/use", { token: reset.body.token, password })).status).toBe(
      200,
    );
    expect((await operator.post("/api/accounts/bob/removal")).body).toEqual({ done: true });
    expect((await operator.post("/api/accounts/bob/removal")).status).toBe(404);
    expect(await listed("bob")).toBeUndefined();
    const actions = (await auditOf(clanId)).filter(({ target }: { target: string }) => target === "bob");
    expect(actions.map(({ actor, action }: { actor: string; action: string }) => [actor, action])).toEqual([
      ["ops", "account.remove"],
      ["ops", "account.reset"],
      ["ops", "account.invite"],
    ]);
    await dashboard.cli.json("account", "invite", "carl", "--clan", clanId, "--role", "owner");
    expect((await auditOf(clanId))[0]).toMatchObject({
      via: "cli",
      action: "account.invite",
      target: "carl",
      before: null,
    });
  });

  test("of invitations of one name at the same time one is made and recorded", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    const roles = ["viewer", "owner", "viewer", "owner"];
    const answers = await Promise.all(roles.map((role) => invite("erna", { kind: "clan", clanId, role })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    const { clans } = await listed("erna");
    const records = (await auditOf(clanId)).filter(({ target }: { target: string }) => target === "erna");
    expect(records).toMatchObject([{ action: "account.invite", after: { clans } }]);
  });

  test("one's own account can be neither reset nor removed here", async () => {
    for (const act of ["reset", "removal"])
      expect((await operator.post(`/api/accounts/ops/${act}`)).body.code).toBe("conflict");
    expect((await operator.get("/api/me")).status).toBe(200);
  });
});

function manyOf(index: number) {
  const clanId = `many-${String(index).padStart(2, "0")}`;
  return { clanId, name: clanId, autoClan: false, ranks: [], xpFloor: 0n, xpCap: 1n, amountMax: 1 };
}

describe("the queue", () => {
  let clan: ClanCaller;
  beforeAll(async () => {
    clan = await makeClanCaller(dashboard.world, apiPort);
  });
  const queue = async () => (await operator.get("/api/queue")).body;
  const submit = async () =>
    (await clan.submit([{ platformId: "batched", amount: 5 }], { prefer: "respond-async" })).body.batchId;
  const cancel = (batchId: string) => operator.post(`/api/clans/${clan.clanId}/batches/${batchId}/cancel`);

  test("shows what is accepted and its jobs, queues lost jobs again, and cancels a batch once", async () => {
    expect(await queue()).toMatchObject({
      batches: { queued: 0, running: 0 },
      jobs: { paused: false, workers: 0 },
      work: [],
    });
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
    expect(await auditOf(clan.clanId)).toContainEqual(
      expect.objectContaining({ actor: "ops", action: "batch.cancel", target: batchId }),
    );
  });

  test("no batch of another clan can be cancelled through one's clan", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    const eve = await dashboard.signedIn("eve", "--clan", clanId, "--role", "owner");
    const batchId = await submit();
    expect((await eve.post(`/api/clans/${clanId}/batches/${batchId}/cancel`)).body.code).toBe("not_found");
    expect((await cancel(batchId)).body.cancelled).toBe(1);
  });

  test("is paused and resumed with a record; reversals are shown; workers and the projection lag are counted", async () => {
    const setPaused = (paused: boolean) => operator.send("PUT", "/api/queue/paused", { paused });
    expect((await setPaused(true)).body).toEqual({ done: true });
    await clan.award("reversed", { amount: 5 });
    const { awardId } = (await operator.get(`/api/clans/${clan.clanId}/members/reversed/ledger`)).body.entries[0];
    const path = `/api/clans/${clan.clanId}/members/reversed/awards/${awardId}/reversal`;
    const { reversalId } = (await operator.post(path, { reason: null })).body;
    await dashboard.world.startWorker();
    await until(async () => (await queue()).jobs.workers === 1);
    const paused = await queue();
    expect(paused).toMatchObject({ reversals: 1, jobs: { paused: true } });
    expect(paused.work).toMatchObject([
      { id: reversalId, kind: "reversal", clanId: clan.clanId, status: "queued", awards: null },
    ]);
    expect(paused.projection.processes).toBeGreaterThan(0);
    expect(paused.projection.lagMs).toBeLessThan(60_000);
    await setPaused(false);
    await until(async () => (await queue()).work.length === 0);
    const { answer } = await dashboard.cli.json("audit", "list", "--actor", "ops", "--limit", "20");
    const ofQueue = answer.records.filter(({ action }: { action: string }) => action.startsWith("queue."));
    expect(ofQueue.map(({ action }: { action: string }) => action)).toEqual(["queue.resume", "queue.pause"]);
  });

  describe("without Redis", () => {
    let wires: Wires;
    afterAll(() => wires?.close());

    test("shows what is accepted, and says that nothing else is known; changes are answered 503", async () => {
      wires = await openWires(dashboard.world);
      const url = await dashboard.startAnother({ changes: wires.config });
      const visitor = makeVisitor(url);
      await visitor.post("/api/sign-in", { name: "ops", password: "correct horse battery" });
      wires.redis.refuse(true);
      wires.redis.reset();
      await until(async () => (await visitor.get("/api/queue")).body.jobs === null);
      expect((await visitor.get("/api/queue")).body).toMatchObject({ batches: { queued: 0 }, work: [] });
      const refused = await visitor.send("PUT", "/api/queue/paused", { paused: true });
      expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
      expect((await visitor.post("/api/queue/retry")).status).toBe(503);
      expect((await queue()).jobs.paused).toBe(false);
    });
  });
});
