import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectAnswer, expectProblem } from "../support/answers.ts";
import { makeClanCaller, until, type ClanCaller } from "../support/clan-caller.ts";
import { callerOf, type Reply } from "../support/http.ts";
import { checksumOf } from "../support/key-checksum.ts";
import { exchange, requestText } from "../support/raw-http.ts";
import { expectUnharmed } from "../support/unharmed.ts";
import { makeWorld, type World } from "../support/world.ts";

let world: World;
let port: number;
let clan: ClanCaller;
beforeAll(async () => {
  world = await makeWorld();
  ({ port } = await world.startApi());
  clan = await makeClanCaller(world, port);
});
afterAll(() => world.close());

type Headers = readonly (readonly [string, string])[];

/** An award by hand: headers may repeat and hold anything. */
function awardWith(headers: Headers, platformId = "bad"): Promise<Reply> {
  const target = `/v0/clans/${clan.clanId}/members/${platformId}/xp`;
  return exchange(port, requestText("POST", target, [["Content-Type", "application/json"], ...headers], '{"amount":0}'));
}

/** A key text with another secret, or of another id, whose checksum is right. */
function forge(parts: { keyId?: string; secret?: string }): string {
  const [, keyId = "", secret = ""] = clan.key.slice(0, -6).split("_");
  const body = `cxp_${parts.keyId ?? keyId}_${parts.secret ?? secret}`;
  return body + checksumOf(body);
}

describe("who calls is asked first", () => {
  afterEach(() => expectUnharmed(clan));

  const missing: [string, Headers][] = [
    ["no header", []],
    ["Authorization empty", [["Authorization", ""]]],
    ["Bearer without a key", [["Authorization", "Bearer"]]],
    ["Bearer and spaces", [["Authorization", "Bearer    "]]],
    ["api-key empty", [["api-key", ""]]],
    [
      "both empty",
      [
        ["Authorization", "Bearer"],
        ["api-key", ""],
      ],
    ],
  ];
  test.for(missing)("%s: 401 key_missing", async ([, headers]) => {
    expectProblem(await awardWith(headers), 401, "key_missing");
  });

  test("malformed and mistyped keys: 401 key_invalid", async () => {
    const { key } = clan;
    const bad = [
      "x",
      "null",
      "cxp",
      "cxp__",
      `"${key}"`,
      `<${key}>`,
      `${key}=`,
      `${key} ${key}`,
      `${key},${key}`,
      key.slice(0, -1),
      key.slice(1),
      `${key}A`,
      key.toUpperCase(),
      key.toLowerCase(),
      key.replace("cxp_", "cxq_"),
      key.replaceAll("_", "-"),
      `${key.slice(0, -6)}000000`,
      encodeURIComponent(`${key} `),
      `clé_${key}`,
      "A".repeat(5_000),
    ];
    for (const text of bad) expectProblem(await awardWith([["Authorization", `Bearer ${text}`]]), 401, "key_invalid");
  });

  test("a typo in any place of a key: 401 key_invalid", async () => {
    const { key } = clan;
    const typos = [...key].map((character, index) => key.slice(0, index) + (character === "a" ? "b" : "a") + key.slice(index + 1));
    const replies = await Promise.all(typos.map((typo) => clan.with(typo).post("/members/bad/xp", { amount: 1 })));
    for (const reply of replies) expectProblem(reply, 401, "key_invalid");
  });

  test("another scheme than Bearer: 401 key_invalid", async () => {
    for (const value of [`Basic ${clan.key}`, clan.key, `Token ${clan.key}`, `Bearer:${clan.key}`]) {
      expectProblem(await awardWith([["Authorization", value]]), 401, "key_invalid");
    }
  });

  test("an unknown key of the right form, and the wrong secret of a known one: the same 401 key_invalid", async () => {
    const unknown = expectProblem(await clan.with(forge({ keyId: "A".repeat(16) })).get(""), 401, "key_invalid");
    const wrong = expectProblem(await clan.with(forge({ secret: "0".repeat(33) })).get(""), 401, "key_invalid");
    expect({ ...unknown, requestId: "" }).toStrictEqual({ ...wrong, requestId: "" });
  });

  test("both headers, and different: 401 key_invalid, though each key is good", async () => {
    const { secret } = await world.makeKey(clan.clanId);
    const reply = await awardWith([
      ["Authorization", `Bearer ${clan.key}`],
      ["api-key", secret],
    ]);
    expectProblem(reply, 401, "key_invalid");
  });

  test("one header twice, and different: 401 key_invalid", async () => {
    const { secret } = await world.makeKey(clan.clanId);
    for (const [name, scheme] of [
      ["Authorization", "Bearer "],
      ["api-key", ""],
    ] as const) {
      const reply = await awardWith([
        [name, scheme + clan.key],
        [name, scheme + secret],
      ]);
      expectProblem(reply, 401, "key_invalid");
    }
  });

  const accepted: [string, (key: string) => Headers][] = [
    ["Authorization: Bearer", (key) => [["Authorization", `Bearer ${key}`]]],
    ["authorization: bearer", (key) => [["authorization", `bearer ${key}`]]],
    ["BEARER and more spaces", (key) => [["AUTHORIZATION", `BEARER   ${key}  `]]],
    ["api-key", (key) => [["api-key", key]]],
    ["API-Key", (key) => [["API-Key", key]]],
    [
      "both, and equal",
      (key) => [
        ["Authorization", `Bearer ${key}`],
        ["api-key", key],
      ],
    ],
    [
      "api-key beside an empty Authorization",
      (key) => [
        ["Authorization", ""],
        ["api-key", key],
      ],
    ],
    [
      "Authorization beside an empty api-key",
      (key) => [
        ["Authorization", `Bearer ${key}`],
        ["api-key", ""],
      ],
    ],
  ];
  test.for(accepted)("%s: let in", async ([, headers]) => {
    expectAnswer("apply-award", await awardWith(headers(clan.key), "good"));
  });
});

describe("a key and a path that disagree", () => {
  test("403 key_clan_mismatch, in the same words for a clan that exists, that does not, and that cannot; applied to neither", async () => {
    const [own, other] = [await makeClanCaller(world, port), await makeClanCaller(world, port)];
    const { batchId } = expectAnswer("submit-batch", await other.submit([], { prefer: "respond-async" }), 202);
    await other.award("m", { amount: 5 });
    const clanSegments = [
      other.clanId,
      "no-such-clan",
      "a.b",
      "c".repeat(65),
      "%00",
      "%zz",
      "%C3%A9",
      "%2e%2e%2f",
      own.clanId.toUpperCase(),
    ];
    const requests: [string, string, unknown][] = [
      ["POST", "/members/m/xp", { amount: 1 }],
      ["POST", "/xp", { awards: [{ platformId: "m", amount: 1 }] }],
      ["GET", "", undefined],
      ["GET", "/members", undefined],
      ["GET", "/members/m", undefined],
      ["GET", "/members/m/ledger", undefined],
      ["GET", `/batches/${batchId}`, undefined],
      ["DELETE", "/members/m", undefined],
      ["POST", "/members/m/xp", "not JSON"],
    ];
    for (const [method, path, body] of requests) {
      const problems = await Promise.all(
        clanSegments.map(async (segment) => {
          const reply = await callerOf(port, own.key).send(method, `/v0/clans/${segment}${path}`, { body });
          return { ...expectProblem(reply, 403, "key_clan_mismatch"), requestId: "" };
        }),
      );
      for (const problem of problems) expect(problem).toStrictEqual(problems[0]);
    }
    expect(expectAnswer("read-member", await other.get("/members/m")).xp).toBe("5");
    expect(expectAnswer("list-members", await own.get("/members")).members).toStrictEqual([]);
  });

  test("a clan's name in percent-encoding is the same clan", async () => {
    const encoded = [...clan.clanId].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");
    expectAnswer("read-clan", await callerOf(port, clan.key).get(`/v0/clans/${encoded}`));
  });
});

describe("a key's life", () => {
  test("revoked: 401 key_revoked within 1 s on every API, also with Redis away; the wrong secret still learns nothing", async () => {
    const [second, lonely] = await Promise.all([world.startApi(), world.startApi({ config: { redisUrl: "redis://127.0.0.1:1" } })]);
    const own = await makeClanCaller(world, port);
    const { keyId, secret } = await world.makeKey(own.clanId);
    const callers = [port, second.port, lonely.port].map((at) => own.on(at).with(secret));
    for (const caller of callers) expectAnswer("read-clan", await caller.get(""));

    await world.keys.revoke(keyId, new Date());
    const revokedAtMs = performance.now();
    await Promise.all(callers.map((caller) => until(async () => (await caller.get("")).status !== 200)));
    expect(performance.now() - revokedAtMs).toBeLessThan(1_000);
    for (const caller of callers) expectProblem(await caller.get(""), 401, "key_revoked");
    expectProblem(await own.with(forge({ keyId, secret: "0".repeat(33) })).get(""), 401, "key_invalid");
    expectAnswer("read-clan", await own.get(""));
  });

  test("expired: 401 key_expired; the wrong secret learns nothing of it", async () => {
    const { keyId, secret } = await world.makeKey(clan.clanId, undefined, new Date(Date.now() - 1));
    expectProblem(await clan.with(secret).get(""), 401, "key_expired");
    expectProblem(await clan.with(forge({ keyId, secret: "1".repeat(33) })).get(""), 401, "key_invalid");
  });

  test("bounded: let in before its end, 401 key_expired after it", async () => {
    const own = await makeClanCaller(world, port);
    const { secret } = await world.makeKey(own.clanId, undefined, new Date(Date.now() + 400));
    expectAnswer("read-clan", await own.with(secret).get(""));
    await until(async () => (await own.with(secret).get("")).status !== 200);
    expectProblem(await own.with(secret).get(""), 401, "key_expired");
  });

  test("rotated: both keys are let in during the grace, the old one is 401 key_expired after it", async () => {
    const own = await makeClanCaller(world, port);
    const old = await world.makeKey(own.clanId);
    const next = await world.rotateKey(old.keyId, 600);
    expectAnswer("read-clan", await own.with(old.secret).get(""));
    expectAnswer("read-clan", await own.with(next.secret).get(""));
    await until(async () => (await own.with(old.secret).get("")).status !== 200);
    expectProblem(await own.with(old.secret).get(""), 401, "key_expired");
    expectAnswer("read-clan", await own.with(next.secret).get(""));
  });

  test("a clan has at most 5 live keys; one in its grace does not count", async () => {
    const own = await makeClanCaller(world, port);
    const [second] = [await world.makeKey(own.clanId), await world.makeKey(own.clanId), await world.makeKey(own.clanId)];
    await world.makeKey(own.clanId);
    await expect(world.makeKey(own.clanId)).rejects.toThrow(/at most 5/);
    await world.rotateKey(second.keyId, 60_000);
    await expect(world.makeKey(own.clanId)).rejects.toThrow(/at most 5/);
    await world.keys.revoke(second.keyId, new Date());
    await expect(world.makeKey(own.clanId)).rejects.toThrow(/at most 5/);
    expectAnswer("read-clan", await own.get(""));
  });

  test("its last use is written down by the time its API has ended", async () => {
    const passing = await world.startApi();
    const own = await makeClanCaller(world, passing.port);
    const { keyId, secret } = await world.makeKey(own.clanId);
    const beforeMs = Date.now();
    expectAnswer("read-clan", await own.with(secret).get(""));
    await passing.close();
    expect((await world.keys.read(keyId))?.lastUsedAt?.getTime()).toBeGreaterThanOrEqual(beforeMs);
  });
});

describe("a key's text", () => {
  test("is cxp_<keyId>_<secret><checksum>: base62, at least 190 random bits, the CRC-32 of all before it in 6 characters", async () => {
    const own = await makeClanCaller(world, port);
    const issued = [own.key, ...(await Promise.all(Array.from({ length: 4 }, async () => (await world.makeKey(own.clanId)).secret)))];
    for (const text of issued) {
      const [, keyId = "", secret = "", checksum] = /^cxp_([0-9A-Za-z]+)_([0-9A-Za-z]+)([0-9A-Za-z]{6})$/.exec(text) ?? [];
      expect(checksum).toBe(checksumOf(`cxp_${keyId}_${secret}`));
      expect(secret.length * Math.log2(62)).toBeGreaterThanOrEqual(190);
    }
    expect(new Set(issued).size).toBe(issued.length);
  });

  test("is kept nowhere: only its SHA-256", async () => {
    const own = await makeClanCaller(world, port);
    const { keyId, secret } = await world.makeKey(own.clanId);
    const kept = await world.keys.read(keyId);
    expect(kept?.hash).toBe(createHash("sha256").update(secret).digest("base64url"));
    const documents = await world.database.db().collection("keys").find().toArray();
    expect(JSON.stringify(documents)).not.toContain(secret.split("_")[2]?.slice(0, 33));
  });
});
