// Who gets in, for how long, and what a session is worth.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { PERSON_HEADER } from "#contract/dashboard/person-header.ts";
import { root } from "../../../scripts/paths.js";
import { makeVisitor, PASSWORD, tokenIn, useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();
const { clanId } = (await dashboard.world.makeClan()).clan;
let people = 0;

const newName = (): string => `person-${(people += 1)}`;
async function invited(name = newName()): Promise<{ name: string; token: string }> {
  const { answer } = await dashboard.cli.json("account", "invite", name, "--clan", clanId, "--role", "owner");
  return { name, token: tokenIn(answer) };
}
async function newOwner(name = newName()) {
  return { name, visitor: await dashboard.signedIn(name, "owner", clanId) };
}
async function ownerByLink(name = newName()) {
  const { token } = await invited(name);
  const visitor = makeVisitor(dashboard.url);
  expect((await use(token, visitor)).status).toBe(200);
  return { name, visitor };
}
const use = (token: string, visitor = makeVisitor(dashboard.url)) =>
  visitor.post("/api/link/use", { token, password: PASSWORD });
const look = async (token: string) => (await makeVisitor(dashboard.url).post("/api/link/look", { token })).body;
/** What a browser with this cookie may read. */
const meWith = (cookie = "", url = dashboard.url) => makeVisitor(url).send("GET", "/api/me", undefined, { cookie });

describe("a sign-in link", () => {
  test("works once, even if it is opened twice at the same time, and only with a long enough password", async () => {
    const { name, token } = await invited();
    expect(await look(token)).toEqual({ kind: "set-password", accountName: name });
    for (const body of [{ token, password: "short" }, { token }])
      expect((await makeVisitor(dashboard.url).post("/api/link/use", body)).body.code).toBe("invalid_request");
    const answers = await Promise.all([use(token), use(token)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    expect((await look(token)).code).toBe("link_invalid");
  });

  test("expires after 72 hours, and is replaced by a newer one", async () => {
    const old = await invited();
    const { answer } = await dashboard.cli.json("account", "reset", old.name);
    expect(Date.parse(answer.linkExpiresAt) - Date.now()).toBeGreaterThan(71.9 * 3_600_000);
    expect(Date.parse(answer.linkExpiresAt) - Date.now()).toBeLessThanOrEqual(72 * 3_600_000);
    expect((await look(old.token)).code).toBe("link_invalid");

    const { accounts } = dashboard.world.database.stored;
    await accounts.updateOne({ _id: old.name }, { $set: { "link.expiresAt": new Date() } });
    expect((await look(tokenIn(answer))).code).toBe("link_invalid");
    expect((await use(tokenIn(answer))).status).toBe(404);
  });

  test("works again after a sign-in that could not be completed", async () => {
    const { name, token } = await invited();
    expect((await dashboard.withoutSessionsOf(name, () => use(token))).status).toBe(503);
    expect((await use(token)).status).toBe(200);
  });

  test("is printed by npm start for the demo clan, but never one that sets a password", async () => {
    await dashboard.world.makeClan({ clanId: "demo" });
    const env = { MONGO_URL: dashboard.world.mongoUrl };
    const run = promisify(execFile);
    const demoLink = async (...args: string[]) =>
      (await run(process.execPath, ["apps/cli/demo-link.ts", ...args], { cwd: root, env })).stdout.trim();
    const link = await demoLink("create");
    expect((await look(link)).kind).toBe("sign-in");
    const listed = async () => (await dashboard.cli.run("account", "list")).stdout;
    expect(await listed()).toMatch(/^demo-owner .* invited +never$/m);
    const owner = makeVisitor(dashboard.url);
    await use(link, owner);
    expect(await listed()).toMatch(/^demo-owner .* active, by link +\d{4}-/m);
    await owner.post("/api/sign-out");
    expect(await listed()).toMatch(/^demo-owner .* link expired +\d{4}-/m);
    const { answer } = await dashboard.cli.json("account", "reset", "demo-owner");
    expect(await demoLink()).toBe("");
    expect((await look(tokenIn(answer))).kind).toBe("set-password");
  });

  test("is stored only as a digest, as are sessions and passwords", async () => {
    const { name, token } = await invited();
    const visitor = makeVisitor(dashboard.url);
    const stored = async (): Promise<string> => {
      const collections = await dashboard.world.database.db().collections();
      return JSON.stringify(await Promise.all(collections.map((one) => one.find().toArray())), bigints);
    };
    expect(await stored()).not.toContain(token);
    await use(token, visitor);
    const session = visitor.cookie()?.split("=")[1] ?? "";
    expect(session).toHaveLength(40);
    const everything = await stored();
    expect(everything).toContain(name);
    for (const secret of [token, session, PASSWORD]) expect(everything).not.toContain(secret);
    expect(everything).toContain("$argon2id$v=19$");
  });
});

describe("a session of the dashboard", () => {
  test("uses a cookie that scripts and other sites cannot use, bound to host and TLS if it uses HTTPS", async () => {
    const [cookie = ""] = (await use((await invited()).token)).headers.getSetCookie();
    expect(cookie).toMatch(/^clanxp-\d+=\w{40};/);
    for (const attribute of ["HttpOnly", "SameSite=Strict", "Path=/"]) expect(cookie.split("; ")).toContain(attribute);
    expect(cookie).not.toContain("Domain");

    const origin = "https://clans.example";
    const url = await dashboard.startAnother({ changes: { dashboardUrl: origin } });
    const sent = { token: (await invited()).token, password: PASSWORD };
    const { headers } = await makeVisitor(url).send("POST", "/api/link/use", sent, { origin });
    const [secure = ""] = headers.getSetCookie();
    expect(secure).toMatch(/^__Host-clanxp=\w{40};/);
    expect(secure.split("; ")).toContain("Secure");
    expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
  });

  test("is created anew at each sign-in: a cookie that was set before is not used, and an earlier session ends", async () => {
    const sent = { token: (await invited()).token, password: PASSWORD };
    const planted = { cookie: `clanxp-${new URL(dashboard.url).port}=${"a".repeat(40)}` };
    const { headers } = await makeVisitor(dashboard.url).send("POST", "/api/link/use", sent, planted);
    expect(headers.getSetCookie().join()).not.toContain("a".repeat(40));
    expect((await meWith(planted.cookie)).status).toBe(401);

    const { name, visitor } = await newOwner();
    const before = visitor.cookie() ?? "";
    expect((await visitor.post("/api/sign-in", { name, password: PASSWORD })).status).toBe(200);
    expect(visitor.cookie()).not.toBe(before);
    expect((await meWith(before)).status).toBe(401);
  });

  test("has a cookie for each port, so that two dashboards on one host do not end each other's sessions", async () => {
    const other = await dashboard.startAnother();
    const [here, there] = [await newOwner(), await newOwner()];
    const visitor = makeVisitor(other);
    expect((await visitor.post("/api/sign-in", { name: there.name, password: PASSWORD })).status).toBe(200);
    // What a browser holds for the host, it sends to both.
    const all = `${here.visitor.cookies()}; ${visitor.cookies()}`;
    // A process of the same installation on another port takes the session that it finds.
    expect((await meWith(here.visitor.cookie(), other)).body.name).toBe(here.name);
    expect((await meWith(all)).body.name).toBe(here.name);
    expect((await meWith(all, other)).body.name).toBe(there.name);
  });

  test("ends immediately on every process by sign-out, a new password, a reset or a removal", async () => {
    const other = await dashboard.startAnother();
    const statusOn = async (cookie = "") => (await meWith(cookie, other)).status;

    const { visitor: signsOut } = await newOwner();
    const outCookie = signsOut.cookie();
    expect(await statusOn(outCookie)).toBe(200);
    await signsOut.post("/api/sign-out");
    expect(await statusOn(outCookie)).toBe(401);

    const { name, visitor } = await newOwner();
    const before = visitor.cookie();
    const password = `${PASSWORD} 2`;
    const change = (current: string) => visitor.post("/api/me/password", { current, password });
    expect((await change("something else")).body.errors).toMatchObject([{ pointer: "/current" }]);
    expect((await change(PASSWORD)).status).toBe(200);
    expect([await statusOn(before), await statusOn(visitor.cookie())]).toEqual([401, 200]);

    await dashboard.cli.json("account", "reset", name);
    expect(await statusOn(visitor.cookie())).toBe(401);
    expect((await makeVisitor(dashboard.url).post("/api/sign-in", { name, password })).status).toBe(401);

    const { name: gone, visitor: removed } = await newOwner();
    await dashboard.cli.json("account", "remove", gone);
    expect(await statusOn(removed.cookie())).toBe(401);
    // Not even an account of the same name brings it back.
    await ownerByLink(gone);
    expect(await statusOn(removed.cookie())).toBe(401);
  });

  test("expires 12 hours after a person's last act, which no page does by itself, and 7 days after sign-in", async () => {
    const { name, visitor } = await newOwner();
    const { sessions } = dashboard.world.database.stored;
    const set = (facts: object) => sessions.updateOne({ accountName: name }, { $set: facts });
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    const hoursLeft = async () =>
      (((await sessions.findOne({ accountName: name }))?.expiresAt.getTime() ?? 0) - Date.now()) / 3_600_000;
    const act = () => visitor.send("GET", "/api/me", undefined, { [PERSON_HEADER]: "active" });
    expect(await hoursLeft()).toBeCloseTo(12, 1);

    const unused = () => set({ seenAt: inHours(-1), expiresAt: inHours(11) });
    await unused();
    for (const path of ["/api/me", `/api/clans/${clanId}/overview`]) expect((await visitor.get(path)).status).toBe(200);
    expect(await hoursLeft()).toBeCloseTo(11, 1);
    expect((await act()).status).toBe(200);
    expect(await hoursLeft()).toBeCloseTo(12, 1);
    await unused();
    await visitor.post(`/api/clans/${clanId}/keys`, { name: "used", scopes: ["read"], expiresAt: null });
    expect(await hoursLeft()).toBeCloseTo(12, 1);

    // In use for nearly 7 days: what is left is the rest of them.
    await set({ createdAt: inHours(1 - 7 * 24), seenAt: inHours(-1) });
    expect((await act()).status).toBe(200);
    expect(await hoursLeft()).toBeCloseTo(1, 1);
    await set({ expiresAt: new Date() });
    expect((await visitor.get("/api/me")).body.code).toBe("signed_out");
  });
});

describe("while some operations of MongoDB fail,", () => {
  const ENDED = /sessions (?:have ended|of the account no longer work)/;

  test("a password is not set if the session cannot be stored, and the response says so", async () => {
    const { name, visitor } = await newOwner();
    const change = { current: PASSWORD, password: `${PASSWORD} 2` };
    const failed = await dashboard.withoutSessionsOf(name, () => visitor.post("/api/me/password", change));
    expect(failed).toMatchObject({ status: 503, body: { detail: expect.stringContaining("Nothing was changed") } });
    expect((await visitor.get("/api/me")).status).toBe(200);
    expect((await makeVisitor(dashboard.url).post("/api/sign-in", { name, password: PASSWORD })).status).toBe(200);
    expect((await visitor.post("/api/me/password", change)).status).toBe(200);
  });

  test("reset and remove end sessions that cannot be deleted, and report it", async () => {
    const [reset, removed] = [await newOwner(), await newOwner()];
    await dashboard.withSessionsReadOnly(async () => {
      for (const [command, { name, visitor }] of [["reset", reset] as const, ["remove", removed] as const]) {
        expect((await visitor.get("/api/me")).status).toBe(200);
        const { exitCode, stdout } = await dashboard.cli.run("account", command, name);
        expect([exitCode, stdout]).toEqual([0, expect.stringMatching(ENDED)]);
        expect((await visitor.get("/api/me")).status).toBe(401);
      }
    });
  });

  test("a sign-out that fails keeps the cookie, so that the person can sign out again", async () => {
    const { visitor } = await newOwner();
    await dashboard.withSessionsReadOnly(async () => {
      const failed = await visitor.post("/api/sign-out");
      expect([failed.status, failed.headers.getSetCookie()]).toEqual([503, []]);
      expect((await visitor.get("/api/me")).status).toBe(200);
    });
    const cookie = visitor.cookie();
    expect((await visitor.post("/api/sign-out")).status).toBe(200);
    expect((await meWith(cookie)).status).toBe(401);
  });
});

describe("a password of the dashboard", () => {
  test("leaves an audit record each time it is set, and none if it was not set", async () => {
    const { name, visitor } = await ownerByLink();
    const second = `${PASSWORD} 2`;
    expect((await visitor.post("/api/me/password", { current: second, password: second })).status).toBe(400);
    expect((await visitor.post("/api/me/password", { current: PASSWORD, password: second })).status).toBe(200);
    const { answer } = await dashboard.cli.json("audit", "list", "--actor", name);
    const record = { action: "password.set", via: "dashboard", actor: name, target: name, clanId: null };
    expect(answer.records).toMatchObject([
      { ...record, before: { password: "old" }, after: { password: "new" } },
      { ...record, before: { password: "none" }, after: { password: "new" } },
    ]);
    expect(JSON.stringify(answer)).not.toMatch(/argon2|correct horse/);
  });

  test("is not set if its audit record cannot be stored", async () => {
    const { name, token } = await invited();
    const accept = (validator: object) => dashboard.world.database.db().command({ collMod: "audit", validator });
    await accept({ target: { $ne: name } });
    expect((await use(token)).status).toBe(503);
    await accept({});
    expect((await use(token)).status).toBe(200);
  });
});

function bigints(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
