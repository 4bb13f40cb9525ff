import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import type { Reply } from "../support/http.ts";
import { bearer, exchange, JSON_TYPE, requestText } from "../support/raw-http.ts";
import { expectUnharmed } from "../support/unharmed.ts";
import { useApi } from "../support/use-api.ts";

/** Encoded and raw, of every kind that once broke a server. */
const evil = {
  undecodable: ["%", "%zz", "%2", "%ff", "%ED%A0%80", "%C0%AE"],
  "decoded twice": ["a%2Fb", "..%2f..%2fkeys", "a%3Fb", "a%25b", "%2525"],
  "of other characters": [
    "%00",
    "%0d%0aX-Injected:%201",
    "a%20b",
    "a+b",
    "a;b",
    "[a]",
    "{a}",
    "$where",
    "%E2%80%AEabc",
  ],
  "too long": ["a".repeat(65), "a".repeat(5_000), "%61".repeat(65)],
};

const folded: [string, string, number][] = [
  // What URL rules fold is whatever it folds to: another path, which answers for itself.
  ["%2e", "/members/xp: no such method", 405],
  [".%2e", "/xp: a batch without awards", 400],
  ["a/..", "/members/xp: no such method", 405],
  ["..%2f", "an invalid platformId, because %2f is not a separator", 400],
];

/** Ids that only look evil. */
const plain = ["0", "a".repeat(64), "__proto__", "constructor", "...", "..a", "a:b@c|d-e.f_g", "null", "ledger"];
const encoded = ["%7C", "a%3Ab%40c", "%78%70"];

const { world, port, clan } = await useApi();

/** The path exactly as written: client libraries would fold and encode it. */
function send(caller: ClanCaller, method: "GET" | "POST", path: string): Promise<Reply> {
  const [target, body] = [`/v0/clans/${caller.clanId}${path}`, method === "POST" ? '{"amount":0}' : ""];
  return exchange(port, requestText(method, target, [bearer(caller), JSON_TYPE], body));
}

describe("a malicious ID in a path", () => {
  test.for(Object.entries(evil))("is rejected with 400 invalid_request and changes nothing: %s", async ([, ids]) => {
    for (const platformId of ids) {
      const path = `/members/${platformId}`;
      expectProblem(await send(clan, "POST", `${path}/xp`), 400, "invalid_request");
      for (const rest of ["", "/ledger"]) expectProblem(await send(clan, "GET", path + rest), 400, "invalid_request");
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
    const ids = [...plain, ...encoded];
    for (const platformId of ids) {
      const award = await send(own, "POST", `/members/${platformId}/xp`);
      const { platformId: answered } = expectResponse("apply-award", award);
      expect(answered).toBe(decodeURIComponent(platformId));
      expect(expectResponse("read-member", await send(own, "GET", `/members/${platformId}`)).platformId).toBe(answered);
      const { entries } = expectResponse("read-ledger", await send(own, "GET", `/members/${platformId}/ledger`));
      expect(entries).toHaveLength(1);
    }
    const { members } = expectResponse("list-members", await own.get("/members?sort=platformId"));
    expect(members.map((member: { platformId: string }) => member.platformId)).toStrictEqual(
      ids.map(decodeURIComponent).toSorted(),
    );
  });

  test("is rejected with 400 if a batch ID cannot be decoded, otherwise with 404 batch_not_found", async () => {
    for (const batchId of ["%", "%zz", "%ff", "%C3"])
      expectProblem(await send(clan, "GET", `/batches/${batchId}`), 400, "invalid_request");
    for (const batchId of ["x", "%00", "__proto__", "$ne", "b".repeat(5_000), "%F0%9F%98%80", "bat_0", "a%2Fb"])
      expectProblem(await send(clan, "GET", `/batches/${batchId}`), 404, "batch_not_found");
  });
});
