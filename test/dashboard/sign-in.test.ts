// Who gets in, for how long, and what a session is worth.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDashboardWorld, makeVisitor, PASSWORD, tokenIn, type DashboardWorld } from "./dashboard-world.ts";

let dashboard: DashboardWorld;
let clanId: string;
let people = 0;
beforeAll(async () => {
  dashboard = await makeDashboardWorld();
  clanId = (await dashboard.world.makeClan()).clan.clanId;
});
afterAll(() => dashboard.close());

const newName = (): string => `person-${(people += 1)}`;
async function invited(name = newName()): Promise<{ name: string; token: string }> {
  const { answer } = await dashboard.cli.json("account", "invite", name, "--clan", clanId, "--role", "owner");
  return { name, token: tokenIn(answer) };
}
async function newOwner(name = newName()) {
  return { name, visitor: await dashboard.signedIn(name, "--clan", clanId, "--role", "owner") };
}

describe("a link", () => {
  test("works once, also when it is opened twice at the same time, and only with a long enough password", async () => {
    const { name, token } = await invited();
    const visitors = [makeVisitor(dashboard.url), makeVisitor(dashboard.url)] as const;
    expect((await visitors[0].post("/api/link/look", { token })).body).toEqual({ kind: "set-password", accountName: name });
    expect((await visitors[0].post("/api/link/use", { token, password: "short" })).status).toBe(400);
    expect((await visitors[0].post("/api/link/use", { token })).body.code).toBe("invalid_request");

    const answers = await Promise.all(visitors.map((visitor) => visitor.post("/api/link/use", { token, password: PASSWORD })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    expect((await makeVisitor(dashboard.url).post("/api/link/look", { token })).body.code).toBe("link_invalid");
  });

  test("expires after 72 hours, and is replaced by a newer one", async () => {
    const old = await invited();
    const { answer } = await dashboard.cli.json("account", "reset", old.name);
    expect(Date.parse(answer.linkExpiresAt) - Date.now()).toBeGreaterThan(71.9 * 3_600_000);
    expect(Date.parse(answer.linkExpiresAt) - Date.now()).toBeLessThanOrEqual(72 * 3_600_000);
    expect((await makeVisitor(dashboard.url).post("/api/link/look", { token: old.token })).status).toBe(404);

    await dashboard.world.database.models.accounts.updateOne({ _id: old.name }, { $set: { "link.expiresAt": new Date() } });
    expect((await makeVisitor(dashboard.url).post("/api/link/look", { token: tokenIn(answer) })).status).toBe(404);
    expect((await makeVisitor(dashboard.url).post("/api/link/use", { token: tokenIn(answer), password: PASSWORD })).status).toBe(404);
  });

  test("is stored as a digest only, as are session and password", async () => {
    const { name, token } = await invited();
    const visitor = makeVisitor(dashboard.url);
    const stored = async (): Promise<string> => {
      const collections = await dashboard.world.database.db().collections();
      return JSON.stringify(await Promise.all(collections.map((one) => one.find().toArray())), bigints);
    };
    expect(await stored()).not.toContain(token);
    await visitor.post("/api/link/use", { token, password: PASSWORD });
    const session = visitor.cookie()?.split("=")[1] ?? "";
    expect(session).toHaveLength(40);
    const everything = await stored();
    expect(everything).toContain(name);
    for (const secret of [token, session, PASSWORD]) expect(everything).not.toContain(secret);
    expect(everything).toContain("$argon2id$v=19$");
  });
});

describe("a session", () => {
  test("is carried by a cookie that scripts and other sites cannot use", async () => {
    const { token } = await invited();
    const used = await makeVisitor(dashboard.url).post("/api/link/use", { token, password: PASSWORD });
    const [cookie = ""] = used.headers.getSetCookie();
    expect(cookie).toMatch(/^clanxp=\w{40};/);
    for (const attribute of ["HttpOnly", "SameSite=Strict", "Path=/"]) expect(cookie.split("; ")).toContain(attribute);
    expect(cookie).not.toContain("Domain");
  });

  test("is bound to host and TLS where people come by HTTPS", async () => {
    const url = await dashboard.startAnother({ changes: { dashboardUrl: "https://clans.example" } });
    const { token } = await invited();
    const sent = { token, password: PASSWORD };
    const used = await makeVisitor(url).send("POST", "/api/link/use", sent, { origin: "https://clans.example" });
    const [cookie = ""] = used.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-clanxp=\w{40};/);
    expect(cookie.split("; ")).toContain("Secure");
    expect(used.headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
  });

  test("is a new one after each sign-in: a cookie planted before is never taken over", async () => {
    const { token } = await invited();
    const planted = `clanxp=${"a".repeat(40)}`;
    const used = await makeVisitor(dashboard.url).send("POST", "/api/link/use", { token, password: PASSWORD }, { cookie: planted });
    expect(used.headers.getSetCookie().at(-1)).not.toContain("a".repeat(40));
    expect((await makeVisitor(dashboard.url).send("GET", "/api/me", undefined, { cookie: planted })).status).toBe(401);
  });

  test("ends at once by sign-out, a new password, reset and remove, on every process", async () => {
    const other = await dashboard.startAnother();
    const statusOn = async (cookie = "") => (await makeVisitor(other).send("GET", "/api/me", undefined, { cookie })).status;

    const { visitor: signsOut } = await newOwner();
    const outCookie = signsOut.cookie();
    expect(await statusOn(outCookie)).toBe(200);
    await signsOut.post("/api/sign-out");
    expect(await statusOn(outCookie)).toBe(401);

    const { name, visitor } = await newOwner();
    const before = visitor.cookie();
    const wrong = await visitor.post("/api/me/password", { current: "something else", password: `${PASSWORD} 2` });
    expect(wrong.body.errors).toEqual([{ pointer: "/current", detail: expect.any(String) }]);
    expect((await visitor.post("/api/me/password", { current: PASSWORD, password: `${PASSWORD} 2` })).status).toBe(200);
    expect([await statusOn(before), await statusOn(visitor.cookie())]).toEqual([401, 200]);

    await dashboard.cli.json("account", "reset", name);
    expect(await statusOn(visitor.cookie())).toBe(401);
    expect((await makeVisitor(dashboard.url).post("/api/sign-in", { name, password: `${PASSWORD} 2` })).status).toBe(401);

    const { name: gone, visitor: removed } = await newOwner();
    await dashboard.cli.json("account", "remove", gone);
    expect(await statusOn(removed.cookie())).toBe(401);
    // Not even an account of the same name brings it back.
    await newOwner(gone);
    expect(await statusOn(removed.cookie())).toBe(401);
  });

  test("expires 12 hours after its last use, and 7 days after sign-in however much it is used", async () => {
    const { name, visitor } = await newOwner();
    const { sessions } = dashboard.world.database.models;
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const expiresIn = async () => ((await sessions.findOne({ accountName: name }).lean())?.expiresAt.getTime() ?? 0) - Date.now();
    expect((await expiresIn()) / 3_600_000).toBeCloseTo(12, 1);

    // In use for nearly 7 days: what is left is the rest of them.
    await sessions.updateOne({ accountName: name }, { $set: { createdAt: hoursAgo(7 * 24 - 1), seenAt: hoursAgo(1) } });
    expect((await visitor.get("/api/me")).status).toBe(200);
    expect((await expiresIn()) / 3_600_000).toBeCloseTo(1, 1);

    await sessions.updateOne({ accountName: name }, { $set: { expiresAt: new Date() } });
    expect((await visitor.get("/api/me")).body.code).toBe("signed_out");
  });
});

describe("sign-in", () => {
  test("answers alike for an account that does not exist, and is limited alike", async () => {
    const limited = await dashboard.startAnother({ signInRates: { perAccount: 3, perAddress: 1_000, windowMs: 60_000 } });
    const { name } = await newOwner();
    const answersFor = async (account: string) => {
      const answers = [];
      for (let tries = 0; tries < 4; tries += 1) {
        const { status, body } = await makeVisitor(limited).post("/api/sign-in", { name: account, password: "wrong password" });
        answers.push({ status, code: body.code, detail: body.detail });
      }
      return answers;
    };
    const known = await answersFor(name);
    expect(known.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    expect(await answersFor("nobody-of-that-name")).toEqual(known);
    // Not even the right password gets in while the account is limited.
    const right = await makeVisitor(limited).post("/api/sign-in", { name, password: PASSWORD });
    expect(right.status).toBe(429);
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("is limited for each address, whatever accounts it tries, and a success forgives the account's misses", async () => {
    const { name } = await newOwner();
    const forgiving = await dashboard.startAnother({ signInRates: { perAccount: 2, perAddress: 1_000, windowMs: 60_000 } });
    for (let round = 0; round < 3; round += 1) {
      expect((await makeVisitor(forgiving).post("/api/sign-in", { name, password: "wrong password" })).status).toBe(401);
      expect((await makeVisitor(forgiving).post("/api/sign-in", { name, password: PASSWORD })).status).toBe(200);
    }
    await dashboard.world.database.models.attempts.deleteMany({});
    const strict = await dashboard.startAnother({ signInRates: { perAccount: 1_000, perAddress: 3, windowMs: 60_000 } });
    const statuses = [];
    for (const account of ["one", "two", "three", "four"]) {
      statuses.push((await makeVisitor(strict).post("/api/sign-in", { name: account, password: "wrong password" })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
    await dashboard.world.database.models.attempts.deleteMany({});
  });
});

function bigints(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
