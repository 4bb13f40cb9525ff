import { afterEach, describe, expect, test } from "vitest";
import { startApi } from "../../apps/api/compose.ts";
import { expectAnswer, expectProblem } from "../support/answers.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { callerOf, type Reply } from "../support/http.ts";
import { forgeKey } from "../support/key-checksum.ts";
import { exchange, requestText } from "../support/raw-http.ts";
import { expectUnharmed } from "../support/unharmed.ts";
import { testLog } from "../support/world.ts";
import { useApi } from "../support/use-api.ts";

const { world, port, clan } = await useApi();

type Headers = readonly (readonly [string, string])[];

/** An award as raw HTTP: headers may be repeated and contain anything. */
function awardWith(headers: Headers, platformId = "bad"): Promise<Reply> {
  const target = `/v0/clans/${clan.clanId}/members/${platformId}/xp`;
  return exchange(
    port,
    requestText("POST", target, [["Content-Type", "application/json"], ...headers], '{"amount":0}'),
  );
}

describe("authentication precedes all other checks", () => {
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
    const typos = [...key].map(
      (character, index) => key.slice(0, index) + (character === "a" ? "b" : "a") + key.slice(index + 1),
    );
    const replies = await Promise.all(typos.map((typo) => clan.with(typo).post("/members/bad/xp", { amount: 1 })));
    for (const reply of replies) expectProblem(reply, 401, "key_invalid");
  });

  test("a mistyped key is rejected without a read, so also while MongoDB is unavailable; a well-formed one is 503", async () => {
    const config = { ...world.config, mongoUrl: "mongodb://127.0.0.1:1/nobody" };
    const alone = await startApi({ config, log: testLog });
    try {
      const typo = clan.key.slice(0, -1) + (clan.key.endsWith("a") ? "b" : "a");
      expectProblem(await clan.on(alone.port).with(typo).get(""), 401, "key_invalid");
      const reply = await clan.on(alone.port).get("");
      expectProblem(reply, 503, "unavailable");
      expect(reply.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    } finally {
      await alone.close();
    }
  });

  test("another scheme than Bearer: 401 key_invalid", async () => {
    for (const value of [`Basic ${clan.key}`, clan.key, `Token ${clan.key}`, `Bearer:${clan.key}`]) {
      expectProblem(await awardWith([["Authorization", value]]), 401, "key_invalid");
    }
  });

  test("an unknown key of the right form, and the wrong secret of a known one: the same 401 key_invalid", async () => {
    const unknown = expectProblem(
      await clan.with(forgeKey(clan.key, { keyId: "A".repeat(16) })).get(""),
      401,
      "key_invalid",
    );
    const wrong = expectProblem(
      await clan.with(forgeKey(clan.key, { secret: "0".repeat(33) })).get(""),
      401,
      "key_invalid",
    );
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
  test.for(accepted)("%s: accepted", async ([, headers]) => {
    expectAnswer("apply-award", await awardWith(headers(clan.key), "good"));
  });
});

describe("a key of another clan than that of the path", () => {
  test("403 key_clan_mismatch, with the same text for an existing, a missing and an impossible clan; nothing is applied", async () => {
    const [own, other] = [await makeClanCaller(world, port), await makeClanCaller(world, port)];
    const { batchId } = expectAnswer(
      "submit-batch",
      await other.submit([{ platformId: "b", amount: 0 }], { prefer: "respond-async" }),
      202,
    );
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
