import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import type { Reply } from "../support/http.ts";
import { exchange, requestText } from "../support/raw-http.ts";
import { expectUnharmed } from "../support/unharmed.ts";
import { useApi } from "../support/use-api.ts";

/** Encoded and raw, of every kind that once broke a server. */
const evil = [
  "%",
  "%zz",
  "%2",
  "%00",
  "a%00b",
  "%ff",
  "%C3",
  "%ED%A0%80",
  "%C0%AE",
  "%0d%0aX-Injected:%201",
  "%20",
  "a%20b",
  "%09",
  "a+b",
  "a%2Fb",
  "a%2fb",
  "..%2f..%2fkeys",
  "%2e%2e%2fkeys",
  "a%5Cb",
  "a%3Fb",
  "a%23b",
  "a%25b",
  "%2525",
  "a;b",
  "a,b",
  "a=b",
  "a&b",
  "a'b",
  "a~b",
  "a!b",
  "a*b",
  "(a)",
  "$where",
  "$ne",
  "{a}",
  "%7B%22$gt%22:%22%22%7D",
  "[a]",
  "%C3%A9",
  "%F0%9F%98%80",
  "%E2%80%AEabc",
  "a".repeat(65),
  "a".repeat(5_000),
  "%61".repeat(65),
];

const folded: [string, string, number][] = [
  // What URL rules fold is whatever it folds to: another path, which answers for itself.
  [".", "/members/xp: no such method", 405],
  ["%2e", "/members/xp: no such method", 405],
  ["..", "/xp: a batch without awards", 400],
  ["%2E%2e", "/xp: a batch without awards", 400],
  [".%2e", "/xp: a batch without awards", 400],
  ["a/..", "/members/xp: no such method", 405],
  ["..%2f", "an invalid platformId, because %2f is not a separator", 400],
];

/** Ids that only look evil. */
const good = [
  "0",
  "123",
  "a".repeat(64),
  "__proto__",
  "constructor",
  "toString",
  "...",
  ".a",
  "..a",
  "-",
  "_",
  "|",
  "%7C",
  "a:b@c|d-e.f_g",
  "a%3Ab%40c",
  "null",
  "undefined",
  "NaN",
  "xp",
  "ledger",
  "%78%70",
];

const { world, port, clan } = await useApi();

/** The path exactly as written: client libraries would fold and encode it. */
function send(caller: ClanCaller, method: "GET" | "POST", path: string): Promise<Reply> {
  const headers = [["Authorization", `Bearer ${caller.key}`] as const, ["Content-Type", "application/json"] as const];
  return exchange(
    port,
    requestText(method, `/v0/clans/${caller.clanId}${path}`, headers, method === "POST" ? '{"amount":0}' : ""),
  );
}

describe("a malicious ID in a path", () => {
  test.for(evil)("is rejected with 400 invalid_request and changes nothing: platformId %s", async (platformId) => {
    for (const [method, rest] of [
      ["POST", "/xp"],
      ["GET", ""],
      ["GET", "/ledger"],
    ] as const) {
      expectProblem(await send(clan, method, `/members/${platformId}${rest}`), 400, "invalid_request");
    }
    await expectUnharmed(clan);
  });

  test.for(folded)("is normalized before it is matched: %s addresses %s (%d)", async ([platformId, , status]) => {
    expect((await send(clan, "POST", `/members/${platformId}/xp`)).status).toBe(status);
    await expectUnharmed(clan);
  });

  test("is rejected with 403 if the path is normalized to that of another clan", async () => {
    expectProblem(await send(clan, "GET", "/../other"), 403, "key_clan_mismatch");
    expectProblem(await send(clan, "GET", "/%2e%2e/other/members"), 403, "key_clan_mismatch");
  });

  test("is accepted if it is valid, and names exactly its own member", async () => {
    const own = await makeClanCaller(world, port);
    for (const platformId of good) {
      const { platformId: answered } = expectResponse(
        "apply-award",
        await send(own, "POST", `/members/${platformId}/xp`),
      );
      expect(answered).toBe(decodeURIComponent(platformId));
      expect(expectResponse("read-member", await send(own, "GET", `/members/${platformId}`)).platformId).toBe(answered);
      const { entries } = expectResponse("read-ledger", await send(own, "GET", `/members/${platformId}/ledger`));
      expect(entries.length).toBe(answered === "|" || answered === "xp" ? entries.length : 1);
    }
    const { members } = expectResponse("list-members", await own.get("/members?sort=platformId"));
    expect(members.map((member: { platformId: string }) => member.platformId)).toStrictEqual(
      [...new Set(good.map(decodeURIComponent))].toSorted(),
    );
  });

  test("is rejected with 400 if a batch ID cannot be decoded, otherwise with 404 batch_not_found", async () => {
    for (const batchId of ["%", "%zz", "%ff", "%C3"])
      expectProblem(await send(clan, "GET", `/batches/${batchId}`), 400, "invalid_request");
    for (const batchId of [
      "x",
      "%00",
      "__proto__",
      "$ne",
      "%7B%22$gt%22:%22%22%7D",
      "b".repeat(5_000),
      "%F0%9F%98%80",
      "bat_0",
      "a%2Fb",
    ]) {
      expectProblem(await send(clan, "GET", `/batches/${batchId}`), 404, "batch_not_found");
    }
  });
});
