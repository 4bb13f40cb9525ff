import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import type { Reply } from "../support/http.ts";
import { bearer, exchange, JSON_TYPE, requestText, type Header } from "../support/raw-http.ts";
import { expectUnharmed } from "../support/unharmed.ts";
import { useApi } from "../support/use-api.ts";

describe("Idempotency-Key, 1 to 255 printable ASCII characters, bare or as a quoted structured string", async () => {
  const { world, port, clan } = await useApi();
  /** All its awards with a key are rejected. */
  const rejectedClan = await makeClanCaller(world, port);

  /** Raw bytes: `\xe9` is sent as one byte. */
  function send(to: ClanCaller, path: string, body: string, keys: readonly string[]): Promise<Reply> {
    const headers = [bearer(to), JSON_TYPE, ...keys.map((key): Header => ["Idempotency-Key", key])];
    return exchange(port, Buffer.from(requestText("POST", `/v0/clans/${to.clanId}${path}`, headers, body), "latin1"));
  }
  const award = (platformId: string, key: string): Promise<Reply> =>
    send(clan, `/members/${platformId}/xp`, '{"amount":1}', [key]);

  const rejected: [string, string[]][] = [
    ["empty", [""]],
    ["white space", ["   "]],
    ["256 characters", ["k".repeat(256)]],
    ["a space, bare", ["a b"]],
    ["a tab, bare", ["a\tb"]],
    ["a byte that is not ASCII", ["caf\xe9"]],
    ["UTF-8", ["caf\xc3\xa9"]],
    ["quotes around nothing", ['""']],
    ["256 characters in quotes", [`"${"k".repeat(256)}"`]],
    ["256 characters, escapes counted once", [`"${"k".repeat(255)}\\""`]],
    ["no closing quote", ['"key']],
    ["an escaped closing quote", ['"key\\"']],
    ["text after the quotes", ['"key"x']],
    ["a parameter after the quotes", ['"key";p=1']],
    ["a list of strings", ['"a", "b"']],
    ["a quote inside the quotes", ['"a"b"']],
    ["an escape of another character", [String.raw`"a\n"`]],
    ["a byte that is not ASCII inside the quotes", ['"caf\xe9"']],
    ["the header twice", ["a", "b"]],
    ["the header twice, the same", ["a", "a"]],
  ];
  test.for(rejected)("is rejected with 400 invalid_request and changes nothing: %s", async ([, keys]) => {
    expectProblem(await send(rejectedClan, "/members/bad/xp", '{"amount":1}', keys), 400, "invalid_request");
    const batch = await send(rejectedClan, "/xp", '{"awards":[{"platformId":"bad","amount":1}]}', keys);
    expectProblem(batch, 400, "invalid_request");
    await expectUnharmed(rejectedClan);
  });

  const accepted: [string, string, string][] = [
    ["one character", "k", '"k"'],
    ["255 characters", "k".repeat(255), `"${"k".repeat(255)}"`],
    ["every printable character but space", printable(0x21), `"${printable(0x21).replace(/["\\]/g, "\\$&")}"`],
    ["a quote inside", 'a"b', String.raw`"a\"b"`],
    ["a backslash inside", String.raw`a\b`, String.raw`"a\\b"`],
    ["a comma and a semicolon", "a,b;c=d", '"a,b;c=d"'],
    ["the form of a batch's derived key", "bat_0/0", '"bat_0/0"'],
    ["the form of an internal key of an award without one", "-x", '"-x"'],
    ["a name of an object property", "__proto__", '"__proto__"'],
  ];
  test.for(accepted)("is accepted, and is the same key in quotes: %s", async ([, bare, quoted]) => {
    const platformId = `m${crypto.randomUUID()}`;
    const [first, again] = [await award(platformId, bare), await award(platformId, quoted)];
    expect(expectResponse("apply-award", again)).toStrictEqual(expectResponse("apply-award", first));
    expect([first, again].map((reply) => reply.headers.get("idempotency-replayed"))).toStrictEqual([null, "true"]);
  });

  const significant: [string, string[], string[]][] = [
    ["with the spaces inside its quotes", ['"a b"', '"a  b"', '" a b "', '"a b"'], ["1", "2", "3", "1"]],
    ["without the white space around it", ["  k\t", "k"], ["1", "1"]],
    ["in upper or lower case", ["Key", "key"], ["1", "2"]],
  ];
  test.for(significant)("is compared %s", async ([name, keys, xp]) => {
    const replies: Reply[] = [];
    for (const key of keys) replies.push(await award(name.replaceAll(" ", "-"), key));
    expect(replies.map((reply) => expectResponse("apply-award", reply).xp)).toStrictEqual(xp);
  });

  test("is ignored by a read", async () => {
    expectResponse("read-clan", await clan.get("", { "idempotency-key": '"' }));
  });
});

function printable(from: number): string {
  return Array.from({ length: 0x7f - from }, (_, index) => String.fromCharCode(from + index)).join("");
}
