import { gzipSync } from "node:zlib";
import { describe, test } from "vitest";
import { expectAnswer, expectProblem } from "../support/answers.ts";
import { exchange, requestText } from "../support/raw-http.ts";
import { expectUnharmed } from "../support/unharmed.ts";
import { useApi } from "../support/use-api.ts";

describe("only JSON in UTF-8, as declared, is read", async () => {
  const { port, clan } = await useApi();

  const refused = [
    "",
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/octet-stream",
    "application/jsonx",
    "application/json-patch+json",
    "application/problem+json",
    "application/vnd.api+json",
    "application/*",
    "*/*",
    "json",
    "application/json, text/plain",
    "application/json; charset=iso-8859-1",
    'application/json; charset="iso-8859-1"',
    "application/json; charset=utf-16",
    "application/json; charset=us-ascii",
    "application/json; charset=utf-7",
    "application/json; charset=",
    "application/json; charset=utf-8; charset=utf-16",
    "application/json; profile=x; CHARSET=latin1",
    "application/json charset=utf-8",
  ];
  test.for(refused)("Content-Type: %s: 415 unsupported_media_type", async (type) => {
    for (const path of ["/members/bad/xp", "/xp"]) {
      expectProblem(
        await clan.send("POST", path, { body: '{"amount":1,"awards":[]}', headers: { "content-type": type } }),
        415,
        "unsupported_media_type",
      );
    }
    await expectUnharmed(clan);
  });

  test("no Content-Type: 415, with a body and without", async () => {
    const target = `/v0/clans/${clan.clanId}/members/bad/xp`;
    for (const body of ['{"amount":1}', ""]) {
      const reply = await exchange(port, requestText("POST", target, [["Authorization", `Bearer ${clan.key}`]], body));
      expectProblem(reply, 415, "unsupported_media_type");
    }
    await expectUnharmed(clan);
  });

  const twice: [string, [string, string], number][] = [
    ["another charset", ["application/json", "application/json; charset=utf-16"], 415],
    ["another type", ["application/json", "text/plain"], 415],
    ["another type first", ["text/plain", "application/json"], 415],
    ["nothing", ["application/json", ""], 415],
    ["the same", ["application/json", "application/json"], 200],
  ];
  test.for(twice)("Content-Type twice, with %s: every one counts", async ([, types, status]) => {
    const target = `/v0/clans/${clan.clanId}/members/good/xp`;
    const headers: [string, string][] = [["Authorization", `Bearer ${clan.key}`]];
    for (const type of types) headers.push(["Content-Type", type]);
    const reply = await exchange(port, requestText("POST", target, headers, '{"amount":0}'));
    if (status === 200) expectAnswer("apply-award", reply);
    else expectProblem(reply, status, "unsupported_media_type");
  });

  test.for(["gzip", "br", "deflate", "zstd", "GZIP", "gzip, identity", "identity, gzip", "x-unknown"])(
    "Content-Encoding: %s: 415 unsupported_media_type",
    async (encoding) => {
      const body = encoding.toLowerCase() === "gzip" ? gzipSync('{"amount":1}') : '{"amount":1}';
      const reply = await clan.send("POST", "/members/bad/xp", { body, headers: { "content-encoding": encoding } });
      expectProblem(reply, 415, "unsupported_media_type");
      await expectUnharmed(clan);
    },
  );

  const read = [
    "application/json",
    "APPLICATION/JSON",
    "Application/Json;Charset=UTF-8",
    "application/json;charset=utf-8",
    'application/json; charset="utf-8"',
    "application/json ; charset=utf-8",
    "application/json;",
    'application/json; profile="https://example.org/a;b"',
    "application/json; odata.metadata=minimal; charset=utf-8",
  ];
  test.for(read)("Content-Type: %s is read", async (type) => {
    expectAnswer("apply-award", await clan.post("/members/good/xp", { amount: 0 }, { "content-type": type }));
  });

  test("Content-Encoding: identity is read", async () => {
    expectAnswer("apply-award", await clan.post("/members/good/xp", { amount: 0 }, { "content-encoding": "identity" }));
  });
});
