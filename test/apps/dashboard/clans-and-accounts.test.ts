// What operators see and change of all clans and accounts. The queue: queue.test.ts; roles: access.test.ts.
import { beforeAll, describe, expect, test } from "vitest";
import { dashboardEndpoints } from "#contract/dashboard/endpoints.ts";
import type { DashboardEndpoint } from "#contract/dashboard/endpoint.ts";
import { makeVisitor, type Visitor, useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();
let operator: Visitor;
beforeAll(async () => {
  operator = await dashboard.signedIn("ops", "operator");
});

const auditOf = async (clanId: string) => (await operator.get(`/api/clans/${clanId}/audit`)).body.records;

test("every endpoint of a clan returns 404 to an operator if the clan does not exist", async () => {
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

describe("the clans of an operator", () => {
  const create = (body: object) => operator.post("/api/clans", body);
  const found = async (search: string): Promise<string[]> => {
    const { body } = await operator.get(`/api/clans?search=${encodeURIComponent(search)}`);
    return body.clans.map(({ clanId }: { clanId: string }) => clanId);
  };

  test("are created once, with Guest as their only rank and an audit record", async () => {
    const created = await create({ clanId: "rovers", name: "The Rovers", autoClan: true });
    const clan = { clanId: "rovers", name: "The Rovers", autoClan: true, ranks: [{ name: "Guest", kind: "GUEST" }] };
    expect([created.status, created.body]).toEqual([
      200,
      { ...clan, xpFloor: "0", xpCap: "9223372036854775807", amountMax: 1_000_000, xpPerDay: null, awardEvents: false },
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
    expect((await operator.get("/api/clans/rovers/members")).body).toEqual({
      members: [],
      nextCursor: null,
      found: { value: 0, accuracy: "exact" },
    });
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

  test("are found by a part of their ID or name, ignoring case, with patterns as literal text", async () => {
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

  test("are listed in pages, once each", async () => {
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

  test("change only in the given settings, and not if the minimum exceeds the maximum", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    const change = (body: object) => operator.send("PATCH", `/api/clans/${clanId}`, body);
    const changed = await change({ name: "Renamed", xpFloor: null, amountMax: 5, xpPerDay: 900 });
    expect(changed.body).toMatchObject({
      name: "Renamed",
      autoClan: true,
      xpFloor: null,
      xpCap: "9223372036854775807",
      amountMax: 5,
      xpPerDay: "900",
    });
    expect((await change({ xpCap: "-1" })).status).toBe(200);
    expect((await change({ xpFloor: "0" })).body.code).toBe("conflict");
    for (const wrong of [
      {},
      { xpCap: "1e3" },
      { xpCap: "9223372036854775808" },
      { amountMax: 0 },
      { amountMax: 1.5 },
      { xpPerDay: 0 },
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

describe("the accounts of an operator", () => {
  const invite = (name: string, may: object) => operator.post("/api/accounts", { name, may });
  const listed = async (name: string) =>
    (await operator.get("/api/accounts")).body.accounts.find((account: { name: string }) => account.name === name);

  test("are invited, reset and removed with an audit record, and a link works once", async () => {
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
    await dashboard.cli.json("account", "reset", "carl");
    expect((await auditOf(clanId))[0]).toMatchObject({
      action: "account.reset",
      target: "carl",
      before: { link: "old" },
      after: { link: "new" },
    });
  });

  test("hold a role in any number of clans, which acts on open sessions at once, and keep their password", async () => {
    const [one, two] = [(await dashboard.world.makeClan()).clan.clanId, (await dashboard.world.makeClan()).clan.clanId];
    const { cli } = dashboard;
    const gina = await dashboard.signedIn("gina", "owner", one);
    const seen = async (clanId: string) => (await gina.get(`/api/clans/${clanId}/members`)).status;
    expect([await seen(one), await seen(two)]).toEqual([200, 403]);
    const invited = await cli.json("account", "invite", "gina", "--clan", two, "--role", "viewer");
    expect(invited).toMatchObject({ exitCode: 1, answer: { error: { code: "account_taken" } } });
    expect(invited.answer.error.message).toContain(`account grant gina --clan ${two} --role viewer`);

    const granted = await cli.json("account", "grant", "Gina", "--clan", two, "--role", "viewer");
    expect(granted.answer.clans).toEqual([
      { clanId: one, role: "owner" },
      { clanId: two, role: "viewer" },
    ]);
    const create = () => gina.post(`/api/clans/${two}/members/m/membership`, {});
    expect([await seen(two), (await create()).status]).toEqual([200, 403]);
    await cli.json("account", "grant", "gina", "--clan", two, "--role", "owner");
    expect((await create()).status).toBe(200);
    expect((await cli.run("account", "revoke", "gina", "--clan", two)).stdout).toContain(
      `The clan ${two} has no owner`,
    );
    expect([await seen(one), await seen(two)]).toEqual([200, 403]);
    expect((await auditOf(two)).slice(0, 4)).toMatchObject([
      { action: "account.revoke", target: "gina", before: { role: "owner" }, after: null },
      { action: "member.add" },
      { action: "account.grant", before: { role: "viewer" }, after: { role: "owner" } },
      { action: "account.grant", before: null, after: { role: "viewer" } },
    ]);
  });

  test("that exist are invited again with advice that works: none for an operator, who may do everything", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    await dashboard.cli.json("account", "invite", "oona", "--operator");
    await dashboard.cli.json("account", "invite", "hal", "--clan", clanId, "--role", "owner");
    const advice = async (...args: string[]) => (await dashboard.cli.json("account", "invite", ...args)).answer.error;
    for (const args of [["--operator"], ["--clan", clanId, "--role", "viewer"]]) {
      const { code, message } = await advice("Oona", ...args);
      expect([code, message]).toEqual(["account_taken", expect.stringContaining("everything in all clans already")]);
      expect(message).not.toContain("account grant");
    }
    expect((await advice("hal", "--operator")).message).toContain("account grant hal --clan <clanId> --role <role>");
  });

  test.each([
    ["grant", ["ops", "--clan", "many-00", "--role", "viewer"], 1, "account_is_operator"],
    ["grant", ["nobody", "--clan", "many-00", "--role", "viewer"], 1, "account_not_found"],
    ["grant", ["ops", "--clan", "no-such-clan", "--role", "viewer"], 1, "clan_not_found"],
    ["grant", ["ops", "--clan", "many-00", "--role", "admin"], 2, "usage"],
    ["grant", ["ops"], 2, "usage"],
    ["revoke", ["nobody", "--clan", "many-00"], 1, "account_not_found"],
    ["revoke", ["ops", "--clan", "many-00"], 1, "grant_not_found"],
    ["revoke", ["ops"], 2, "usage"],
  ])("account %s %j exits with code %i, %s, and changes nothing", async (command, args, exitCode, code) => {
    if (!args.includes("no-such-clan")) await dashboard.world.clans.create(manyOf(0), { actor: "test", via: "cli" });
    const before = await listed("ops");
    const { answer, ...result } = await dashboard.cli.json("account", command, ...args);
    expect([result.exitCode, answer.error.code]).toEqual([exitCode, code]);
    expect(await listed("ops")).toEqual(before);
  });

  test("are created and recorded once by concurrent invitations with the same name", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    const roles = ["viewer", "owner", "viewer", "owner"];
    const answers = await Promise.all(roles.map((role) => invite("erna", { kind: "clan", clanId, role })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    const { clans } = await listed("erna");
    const records = (await auditOf(clanId)).filter(({ target }: { target: string }) => target === "erna");
    expect(records).toMatchObject([{ action: "account.invite", after: { clans } }]);
  });

  test("cannot include one's own account for a reset or removal", async () => {
    for (const act of ["reset", "removal"])
      expect((await operator.post(`/api/accounts/ops/${act}`)).body.code).toBe("conflict");
    expect((await operator.get("/api/me")).status).toBe(200);
  });
});

function manyOf(index: number) {
  const clanId = `many-${String(index).padStart(2, "0")}`;
  return { clanId, name: clanId, autoClan: false, ranks: [], xpFloor: 0n, xpCap: 1n, amountMax: 1 };
}
