// What operators see and change of all clans and accounts. The queue: queue.test.ts; roles: access.test.ts.
import { describe, expect, test } from "vitest";
import { dashboardEndpoints } from "#contract/dashboard/endpoints.ts";
import type { DashboardEndpoint } from "#contract/dashboard/endpoint.ts";
import { makeVisitor, PASSWORD, useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();
const operator = await dashboard.signedIn("ops", "operator");

const auditOf = async (clanId: string) => (await operator.get(`/api/clans/${clanId}/audit`)).body.records;

test("every endpoint of a clan returns 404 to an operator if the clan does not exist", async () => {
  const all = Object.entries<DashboardEndpoint>(dashboardEndpoints);
  const ofClans = all.filter(([, { path }]) => path.includes("{clanId}"));
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

  test("are created once, with Guest as their only rank and an audit record", async () => {
    const clan = { clanId: "rovers", name: "The Rovers", autoClan: true };
    const created = (await create(clan)).body;
    const bounds = { xpFloor: "0", xpCap: "9223372036854775807", amountMax: 1_000_000, xpPerDay: null };
    const ranks = [{ name: "Guest", kind: "GUEST" }];
    const moderatorBounds = { xpPerAward: 1_000, xpPerDay: 10_000 };
    expect(created).toEqual({ ...clan, ...bounds, ranks, awardEvents: false, moderatorBounds });
    const again = (await create({ clanId: "rovers", name: "Others", autoClan: false })).body;
    expect(again).toMatchObject({ code: "conflict", errors: [{ pointer: "/clanId" }] });
    const { clans } = (await operator.get("/api/me")).body;
    expect(clans).toContainEqual({ clanId: "rovers", name: "The Rovers", role: "owner" });
    const record = { actor: "ops", via: "dashboard", action: "clan.create", target: "rovers" };
    expect(await auditOf("rovers")).toMatchObject([record]);
    const found = { value: 0, accuracy: "exact" };
    expect((await operator.get("/api/clans/rovers/members")).body).toEqual({ members: [], nextCursor: null, found });
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
    expect((await operator.get("/api/clans?search=fine")).body.clans).toEqual([]);
  });

  test("are found by a part of their ID or name, ignoring case, with patterns as literal text", async () => {
    const found = async (search: string): Promise<string[]> => {
      const { body } = await operator.get(`/api/clans?search=${encodeURIComponent(search)}`);
      return body.clans.map(({ clanId }: { clanId: string }) => clanId);
    };
    await create({ clanId: "Search-1", name: "Café (North)", autoClan: false });
    await create({ clanId: "search-2", name: "South", autoClan: false });
    expect(await found("SEARCH-")).toEqual(["Search-1", "search-2"]);
    expect(await found("(north)")).toEqual(["Search-1"]);
    for (const nothing of ["search-.", "^search", "Café [N]", "\\"]) expect(await found(nothing)).toEqual([]);
    expect((await operator.get("/api/clans?search=%00")).status).toBe(400);
  });

  test("change only in the given settings, and not if the minimum exceeds the maximum", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    const change = (body: object) => operator.send("PATCH", `/api/clans/${clanId}`, body);
    const changed = await change({ name: "Renamed", xpFloor: null, amountMax: 5, xpPerDay: 900 });
    const settings = { name: "Renamed", autoClan: true, xpFloor: null, amountMax: 5, xpPerDay: "900" };
    expect(changed.body).toMatchObject({ ...settings, xpCap: "9223372036854775807" });
    expect((await change({ xpCap: "-1" })).body).toMatchObject({ ...settings, xpCap: "-1" });
    expect((await change({ xpFloor: "0" })).body.code).toBe("conflict");
    const numbers = [{ xpCap: "1e3" }, { xpCap: "9223372036854775808" }, { amountMax: 0 }, { amountMax: 1.5 }];
    for (const wrong of [{}, ...numbers, { xpPerDay: 0 }, { name: "" }, { id: 1 }])
      expect([wrong, (await change(wrong)).status]).toEqual([wrong, 400]);
    const actions = (await auditOf(clanId)).map(({ action }: { action: string }) => action);
    expect(actions).toEqual(["clan.set", "clan.set", "key.create", "clan.create"]);
  });
});

describe("the accounts of an operator", () => {
  const invite = (name: string, may: object) => operator.post("/api/accounts", { name, may });
  const listed = async (name: string) =>
    (await operator.get("/api/accounts")).body.accounts.find((account: { name: string }) => account.name === name);

  test("are invited, reset and removed with an audit record, and a link works once", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    const may = { kind: "clan", clanId, role: "viewer" };
    const { body: invited } = await invite("bob", may);
    const secret = { token: expect.stringMatching(/^\w{40}$/), expiresAt: expect.any(String) };
    expect(invited).toEqual({ name: "bob", ...secret });
    const clans = [{ clanId, role: "viewer" }];
    expect(await listed("bob")).toEqual({ name: "bob", operator: false, clans, link: "open", lastSignInAt: null });
    expect((await invite("bob", may)).body.errors).toMatchObject([{ pointer: "/name" }]);
    expect((await invite("eric", { ...may, clanId: "no-such-clan" })).status).toBe(404);
    for (const kind of ["clan", "operator"]) expect((await invite("bob2", { kind, clanId })).status).toBe(400);
    expect((await invite("Bob Smith", may)).status).toBe(400);

    const bob = makeVisitor(dashboard.url);
    const use = ({ token }: any, visitor = makeVisitor(dashboard.url)) =>
      visitor.post("/api/link/use", { token, password: PASSWORD });
    expect((await use(invited, bob)).status).toBe(200);
    expect((await bob.get(`/api/clans/${clanId}/members`)).status).toBe(200);
    expect((await listed("bob")).link).toBe("none");
    const reset = await operator.post("/api/accounts/bob/reset");
    expect((await bob.get("/api/me")).status).toBe(401);
    expect((await use(reset.body)).status).toBe(200);
    expect((await operator.post("/api/accounts/bob/removal")).body).toEqual({ done: true });
    expect((await operator.post("/api/accounts/bob/removal")).status).toBe(404);
    expect(await listed("bob")).toBeUndefined();
    await dashboard.cli.json("account", "invite", "carl", "--clan", clanId, "--role", "owner");
    await dashboard.cli.json("account", "reset", "carl");
    const ofCli = { via: "cli", target: "carl" };
    const ofOps = { via: "dashboard", actor: "ops", target: "bob" };
    const records = (await auditOf(clanId)).filter(({ action }: { action: string }) => action.startsWith("account."));
    expect(records.filter(({ actor }: { actor: string }) => actor !== "bob")).toMatchObject([
      { ...ofCli, action: "account.reset", before: { link: "old" }, after: { link: "new" } },
      { ...ofCli, action: "account.invite", before: null },
      { ...ofOps, action: "account.remove" },
      { ...ofOps, action: "account.reset" },
      { ...ofOps, action: "account.invite" },
    ]);
  });

  test("hold a role in any number of clans, which acts on open sessions at once, and keep their password", async () => {
    const [one, two] = [(await dashboard.world.makeClan()).clan.clanId, (await dashboard.world.makeClan()).clan.clanId];
    const { cli } = dashboard;
    const gina = await dashboard.signedIn("gina", "owner", one);
    const seen = async (clanId: string) => (await gina.get(`/api/clans/${clanId}/members`)).status;
    expect([await seen(one), await seen(two)]).toEqual([200, 403]);
    const granted = await cli.json("account", "grant", "Gina", "--clan", two, "--role", "viewer");
    expect(granted.answer.clans).toEqual([
      { clanId: one, role: "owner" },
      { clanId: two, role: "viewer" },
    ]);
    const create = () => gina.post(`/api/clans/${two}/members/m/membership`, {});
    expect([await seen(two), (await create()).status]).toEqual([200, 403]);
    await cli.json("account", "grant", "gina", "--clan", two, "--role", "owner");
    expect((await create()).status).toBe(200);
    const { stdout } = await cli.run("account", "revoke", "gina", "--clan", two);
    expect(stdout).toContain(`The clan ${two} has no owner`);
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
    const again = (...args: string[]) => dashboard.cli.json("account", "invite", ...args);
    const ofClan = ["--clan", clanId, "--role", "viewer"];
    for (const args of [["--operator"], ofClan]) {
      const { exitCode, answer } = await again("Oona", ...args);
      expect([exitCode, answer.error.code]).toEqual([1, "account_taken"]);
      expect(answer.error.message).toMatch(/^(?!.*account grant).*everything in all clans already/);
    }
    const message = async (...args: string[]) => (await again(...args)).answer.error.message;
    expect(await message("hal", "--operator")).toContain("account grant hal --clan <clanId> --role <role>");
    expect(await message("hal", ...ofClan)).toContain(`account grant hal --clan ${clanId} --role viewer`);
  });

  test("are neither granted nor revoked a role by a command that is wrong", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    const before = await listed("ops");
    const viewer = ["--role", "viewer"];
    for (const [command, args, exitCode, code] of [
      ["grant", ["ops", "--clan", clanId, ...viewer], 1, "account_is_operator"],
      ["grant", ["nobody", "--clan", clanId, ...viewer], 1, "account_not_found"],
      ["grant", ["ops", "--clan", "no-such-clan", ...viewer], 1, "clan_not_found"],
      ["grant", ["ops", "--clan", clanId, "--role", "admin"], 2, "usage"],
      ["grant", ["ops"], 2, "usage"],
      ["revoke", ["nobody", "--clan", clanId], 1, "account_not_found"],
      ["revoke", ["ops", "--clan", clanId], 1, "grant_not_found"],
      ["revoke", ["ops"], 2, "usage"],
    ] as const) {
      const { answer, ...result } = await dashboard.cli.json("account", command, ...args);
      expect([command, args, result.exitCode, answer.error.code]).toEqual([command, args, exitCode, code]);
    }
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
