import { afterEach, describe, expect, test } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { startApi } from "../../apps/api/compose.ts";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { callerOf, type Reply } from "../support/http.ts";
import { forgeKey } from "../support/key-checksum.ts";
import { bearer, exchange, JSON_TYPE, requestText, type Header } from "../support/raw-http.ts";
import { expectUnharmed } from "../support/unharmed.ts";
import { testLog } from "../support/world.ts";
import { useApi } from "../support/use-api.ts";

const { world, port, clan } = await useApi();

type Headers = readonly Header[];
const EMPTY: Header = ["Authorization", ""];
const apiKey = (key: string): Header => ["api-key", key];

/** An award as raw HTTP: headers may be repeated and contain anything. */
function awardWith(headers: Headers, platformId = "bad"): Promise<Reply> {
  const target = `/v0/clans/${clan.clanId}/members/${platformId}/xp`;
  return exchange(port, requestText("POST", target, [JSON_TYPE, ...headers], '{"amount":0}'));
}

describe("authentication precedes all other checks", () => {
  afterEach(() => expectUnharmed(clan));

  const missing: [string, Headers][] = [
    ["no header", []],
    ["Authorization empty", [EMPTY]],
    ["Bearer without a key", [["Authorization", "Bearer"]]],
    ["Bearer and spaces", [["Authorization", "Bearer    "]]],
    ["api-key empty", [apiKey("")]],
    ["both empty", [EMPTY, apiKey("")]],
  ];
  test.for(missing)("and returns 401 key_missing for: %s", async ([, headers]) => {
    expectProblem(await awardWith(headers), 401, "key_missing");
  });

  test("and returns 401 key_invalid for malformed and mistyped keys", async () => {
    const { key } = clan;
    const malformed = ["x", "null", "cxp", "cxp__", `"${key}"`, `<${key}>`, `clé_${key}`, "A".repeat(5_000)];
    const longer = [`${key}=`, `${key}A`, `${key} ${key}`, `${key},${key}`, encodeURIComponent(`${key} `)];
    const mistyped = [key.slice(0, -1), key.slice(1), key.toUpperCase(), key.replaceAll("_", "-")];
    const bad = [...malformed, ...longer, ...mistyped, `${key.slice(0, -6)}000000`];
    for (const text of bad) expectProblem(await awardWith([["Authorization", `Bearer ${text}`]]), 401, "key_invalid");
  });

  test("and rejects a mistyped key without reading MongoDB, while a well-formed key is 503 during an outage", async () => {
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

  test("and returns 401 key_invalid for a scheme other than Bearer", async () => {
    for (const value of [`Basic ${clan.key}`, clan.key, `Token ${clan.key}`, `Bearer:${clan.key}`]) {
      expectProblem(await awardWith([["Authorization", value]]), 401, "key_invalid");
    }
  });

  test("and returns the same 401 key_invalid for an unknown key and for a wrong secret of a known key", async () => {
    const keys = [forgeKey(clan.key, { keyId: "A".repeat(16) }), forgeKey(clan.key, { secret: "0".repeat(33) })];
    const replies = await Promise.all(keys.map((key) => clan.with(key).get("")));
    const [unknown, wrong] = replies.map((reply) => ({ ...expectProblem(reply, 401, "key_invalid"), requestId: "" }));
    expect(unknown).toStrictEqual(wrong);
  });

  test("and returns 401 key_invalid if two headers contain different keys, even if both are valid", async () => {
    const { secret } = await world.makeKey(clan.clanId);
    const pairs = [
      [bearer(clan), apiKey(secret)],
      [bearer(clan), bearer({ key: secret })],
      [apiKey(clan.key), apiKey(secret)],
    ];
    for (const headers of pairs) expectProblem(await awardWith(headers), 401, "key_invalid");
  });

  const { key: own } = clan;
  const accepted: [string, Headers][] = [
    ["Authorization: Bearer", [bearer(clan)]],
    ["authorization: bearer", [["authorization", `bearer ${own}`]]],
    ["BEARER and more spaces", [["AUTHORIZATION", `BEARER   ${own}  `]]],
    ["api-key", [apiKey(own)]],
    ["API-Key", [["API-Key", own]]],
    ["both, and equal", [bearer(clan), apiKey(own)]],
    ["api-key beside an empty Authorization", [EMPTY, apiKey(own)]],
    ["Authorization beside an empty api-key", [bearer(clan), apiKey("")]],
  ];
  test.for(accepted)("and accepts a valid key in: %s", async ([, headers]) => {
    expectResponse("apply-award", await awardWith(headers, "good"));
  });
});

describe("an API key of a clan other than that of the path", () => {
  test("returns 403 key_clan_mismatch with the same text for existing, missing and invalid clans, and applies nothing", async () => {
    const [own, other] = [await makeClanCaller(world, port), await makeClanCaller(world, port)];
    const accepted = await other.submit([{ platformId: "b", amount: 0 }], { prefer: "respond-async" });
    const { batchId } = expectResponse("submit-batch", accepted, 202);
    await other.award("m", { amount: 5 });
    const malformed = ["a.b", "c".repeat(65), "%00", "%zz", "%C3%A9", "%2e%2e%2f"];
    const clanSegments = [other.clanId, "no-such-clan", own.clanId.toUpperCase(), ...malformed];
    const requests = Object.values(endpoints).map(({ method, path }) => [
      method,
      path
        .slice("/v0/clans/{clanId}".length)
        .replace("{batchId}", batchId)
        .replaceAll(/\{\w+\}/g, "m"),
    ]);
    requests.push(["DELETE", "/members/m"]);
    for (const [method = "", path = ""] of requests) {
      const problems = await Promise.all(
        clanSegments.map(async (segment) => {
          const body = method === "POST" ? "not JSON" : undefined;
          const reply = await callerOf(port, own.key).send(method, `/v0/clans/${segment}${path}`, { body });
          return { ...expectProblem(reply, 403, "key_clan_mismatch"), requestId: "" };
        }),
      );
      for (const problem of problems) expect(problem).toStrictEqual(problems[0]);
      expectProblem(await own.with(null).send(method, path), 401, "key_missing");
    }
    expect(await other.xpOf("m")).toBe("5");
    expect(expectResponse("list-members", await own.get("/members")).members).toStrictEqual([]);
  });

  test("is compared with the percent-decoded clan ID", async () => {
    const encoded = [...clan.clanId].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");
    expectResponse("read-clan", await callerOf(port, clan.key).get(`/v0/clans/${encoded}`));
  });
});
