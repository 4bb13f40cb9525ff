// Texts that mean something to MongoDB, Redis, Lua, JavaScript, a log or a header are texts here, and nothing else.
import { Redis } from "ioredis";
import { Writable } from "node:stream";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { redisNamespace } from "#redis/namespace.ts";
import { makeFailureLog } from "#process/failure-log.ts";
import { AppError } from "#kernel/app-error.ts";
import { expectResponse, expectProblem, isReplayed } from "../support/responses.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { callerOf } from "../support/http.ts";
import { bearer, exchange, requestText } from "../support/raw-http.ts";
import { expectUnharmed } from "../support/unharmed.ts";
import { useApi } from "../support/use-api.ts";

const { world, port, clan } = await useApi({ worker: true });

const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "$where", "$set", "xp", "a.b", "seq"];

describe("an operator or prototype", () => {
  test("as the name of a field is named in the error and changes no prototype", async () => {
    for (const name of NAMES)
      for (const body of [`{"amount":1,"${name}":{"amount":5}}`, `{"amount":1,"source":{"${name}":{"placeId":"x"}}}`]) {
        const problem = expectProblem(await clan.post("/members/bad/xp", body), 400, "invalid_request");
        expect(problem.errors?.map(({ pointer }) => pointer.split("/").at(-1))).toStrictEqual([name]);
      }
    expect(({} as Record<string, unknown>)["amount"]).toBeUndefined();
    await expectUnharmed(clan);
  });

  test("as a platformId is an ordinary platformId", async () => {
    const own = await makeClanCaller(world, port);
    for (const platformId of ["__proto__", "constructor", "toString", "valueOf"]) {
      const award = () => own.award(platformId, { amount: 1 }, { "idempotency-key": platformId });
      expect((await award()).body).toMatchObject({ platformId, xp: "1" });
      expect(isReplayed(await award())).toBe(true);
    }
    const answer = expectResponse("submit-batch", await own.submit([{ platformId: "__proto__", amount: 1 }]));
    expect(answer.results[0]).toMatchObject({ platformId: "__proto__", xp: "2" });
  });
});

describe("in Redis and Lua,", () => {
  test("IDs and keys with every permitted character do not collide, and all names have the installation's prefix", async () => {
    const own = await makeClanCaller(world, port);
    const ids = ["a:b", "a|b", "@x", ":", "::", "a:b:c", "KEYS", "-", "--", "clanxp:lock"];
    for (const platformId of ids)
      expectResponse("apply-award", await own.award(encodeURIComponent(platformId), { amount: 1 }));
    for (const platformId of ids)
      expect((await own.get(`/members/${encodeURIComponent(platformId)}`)).body.xp).toBe("1");
    for (const key of ["{other}:x", "}{", "*", "a:b", "') redis.call('flushall') --", '"\\"']) {
      const sent = key.includes(" ") || key.startsWith('"') ? `"${key.replace(/["\\]/g, "\\$&")}"` : key;
      expect((await own.award("m", { amount: 1 }, { "idempotency-key": sent })).status).toBe(200);
      expect((await own.submit([], { "idempotency-key": sent })).status).toBe(200);
    }
    const redis = new Redis(world.redisUrl);
    try {
      const names = await redis.keys("*");
      // Other suites have their own worlds in this Redis: each name belongs to one of them.
      expect(names.filter((name) => !/^\{clanxp:[^{}]+\}/.test(name))).toStrictEqual([]);
      expect(names.some((name) => name.startsWith(redisNamespace(world.mongoUrl)))).toBe(true);
    } finally {
      redis.disconnect();
    }
  });
});

describe("in headers and logs,", () => {
  const LINE_ENDS = ["%0d%0aX-Injected:%201", "%0aX-Injected:1", "%0d", "%E5%98%8A%E5%98%8DX-Injected:1"];

  test("line ends in a path never become a header, even if a header contains the path", async () => {
    for (const end of LINE_ENDS) {
      for (const target of [
        `/v0/clans/${clan.clanId}/members/a${end}/xp`,
        `/v0/clans/x${end}/xp`,
        `/${end}`,
        `/v0/clans/x"${end},<y>;z/xp`,
      ]) {
        const reply = await exchange(port, requestText("POST", target, [bearer(clan)]));
        expect(reply.status).toBeGreaterThanOrEqual(400);
        expect(reply.status).toBeLessThan(500);
        expect(reply.headers.get("x-injected")).toBeNull();
        expect(reply.headers.get("link") ?? "").toMatch(/^(<[^<>"\s]*>; rel="[a-z-]+"(; type="[a-z/]+")?(, )?)*$/);
      }
    }
  });

  test("request data never determines the headers of a response", async () => {
    const reply = await callerOf(port, clan.key).get(`/v0/clans/${clan.clanId}`, {
      "request-id": "mine",
      "x-request-id": "mine",
      origin: "https://evil.example",
      "x-forwarded-host": "evil.example",
      "idempotency-replayed": "true",
    });
    expect(JSON.stringify([...reply.headers])).not.toMatch(/mine|evil|replayed|access-control/);
  });

  test("a log line is one line of JSON, whatever the error contains", () => {
    const lines: string[] = [];
    const log = pino(new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) }));
    const cause = new Error('x\r\n{"level":60,"msg":"forged"}\u2028\u001b[31m');
    makeFailureLog({ clock: { now: () => new Date(), monotonicMs: () => 0, agingMs: () => 0 }, log }).note(
      new AppError("unavailable", "a\nb", { cause }),
    );
    expect(lines).toHaveLength(1);
    for (const character of ["\r", "\n", "\u001b"]) expect(lines[0]?.trimEnd()).not.toContain(character);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ msg: "request.unavailable" });
  });
});

describe("security headers", () => {
  test("are in every response of the API, with any status", async () => {
    const anyone = callerOf(port, null);
    const replies = [
      await clan.get(""),
      await clan.submit([{ platformId: "b", amount: 0 }], { prefer: "respond-async" }),
      await clan.award("bad", {}),
      await clan.post("/xp", "nonsense"),
      await anyone.get(`/v0/clans/${clan.clanId}`),
      await callerOf(port, clan.key).get("/v0/clans/other"),
      await anyone.get("/nowhere"),
      await clan.send("DELETE", ""),
      await clan.send("OPTIONS", ""),
      await clan.post("/members/bad/xp", " ".repeat(300_000)),
      await clan.post("/members/bad/xp", "x", { "content-type": "text/plain" }),
    ];
    expect(new Set(replies.map(({ status }) => status)).size).toBeGreaterThan(7);
    for (const { headers } of replies) {
      expect(Object.fromEntries(headers)).toMatchObject({
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
      });
      for (const name of ["x-powered-by", "server", "access-control-allow-origin", "set-cookie", "etag"])
        expect(headers.has(name)).toBe(false);
    }
  });

  test("are in every response of the ops port", async () => {
    const { opsPort } = await world.startApi();
    for (const path of ["livez", "readyz", "metrics", "nowhere"]) {
      const { headers } = await fetch(`http://127.0.0.1:${opsPort}/${path}`);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });
});
