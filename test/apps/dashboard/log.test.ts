// What an operator reads in the log of the dashboard's process: which requests it rejected and for whom; never what is
// secret.
import { afterAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { startProcess } from "../../support/processes.ts";
import { makeVisitor, PASSWORD, tokenIn, useDashboard } from "./dashboard-world.ts";

vi.setConfig({ testTimeout: 60_000 });

/** Typed where a password, a name or a token belongs. */
const TYPED = "Kanarienvogel7f3a";
const Line = z.looseObject({ msg: z.string(), code: z.string().optional(), requestId: z.string().optional() });

const dashboard = await useDashboard();
const { mongoUrl: MONGO_URL, redisUrl: REDIS_URL } = dashboard.world;
const started = startProcess("dashboard", { MONGO_URL, REDIS_URL, LOG_LEVEL: "trace" });
afterAll(() => started.stop());

test("the dashboard logs 401, 403, 429 and 503 with the request ID, but no secret, not even at trace level", async () => {
  const { clanId } = (await dashboard.world.makeClan()).clan;
  const other = (await dashboard.world.makeClan()).clan.clanId;
  const url = `http://127.0.0.1:${(await started.ready()).port}`;
  const { answer } = await dashboard.cli.json("account", "invite", "ada", "--clan", clanId, "--role", "owner");
  const [ada, nobody] = [makeVisitor(url), makeVisitor(url)];
  expect((await ada.post("/api/link/use", { token: tokenIn(answer), password: PASSWORD })).status).toBe(200);
  const created = await ada.post(`/api/clans/${clanId}/keys`, { name: "game", scopes: ["read"], expiresAt: null });
  expect(created.status).toBe(200);

  const signIn = (name: string, password: string) => nobody.post("/api/sign-in", { name, password });
  const unavailable = await dashboard.withoutSessionsOf("ada", () => signIn("ada", PASSWORD));
  expect(unavailable.status).toBe(503);
  const sign_in_failed = await signIn(TYPED, TYPED);
  // As many as are permitted.
  for (let times = 0; times < 10; times += 1) await signIn("ada", TYPED);
  const rejected = {
    signed_out: await nobody.get(`/api/clans/${clanId}/keys`),
    forbidden: await ada.get(`/api/clans/${other}/keys`),
    cross_origin: await ada.send("POST", `/api/clans/${clanId}/keys`, {}, { origin: "https://evil.example" }),
    sign_in_failed,
    rate_limited: await signIn("ada", TYPED),
  };
  expect((await nobody.post("/api/link/look", { token: TYPED })).status).toBe(404);

  expect(await started.stop()).toBe(0);
  const printed = started.output().split("\n").filter(Boolean);
  const lines = printed.map((line) => Line.parse(JSON.parse(line)));
  const first = (wanted: string) => lines.find(({ msg, code }) => msg === "request.rejected" && code === wanted);
  for (const [code, { status, body, headers }] of Object.entries(rejected)) {
    expect([code, body.code, [401, 403, 429].includes(status)]).toEqual([code, code, true]);
    expect(first(code)).toMatchObject({ level: 30, requestId: headers.get("request-id") });
  }
  const facts = { account: "ada", clanId: other, method: "GET", route: "list-keys" };
  expect(first("forbidden")).toMatchObject({ ...facts, address: expect.stringMatching(/127\.0\.0\.1$/) });
  expect(first("sign_in_failed")).toMatchObject({ account: null, clanId: null, route: "sign-in" });
  const failure = lines.find(({ msg }) => msg === "request.unavailable");
  expect(failure).toMatchObject({ level: 40, requestId: unavailable.headers.get("request-id") });
  const secrets = [TYPED, PASSWORD, tokenIn(answer), created.body.secret.slice(-39), ada.cookie()?.split("=")[1]];
  for (const secret of secrets) expect(started.output()).not.toContain(secret);
});
