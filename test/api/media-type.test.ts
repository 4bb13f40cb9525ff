import { gzipSync } from "node:zlib";
import { describe, test } from "vitest";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { exchange, requestText } from "../support/raw-http.ts";
import { expectUnharmed } from "../support/unharmed.ts";
import { useApi } from "../support/use-api.ts";

describe("a request body is read only if it is declared as JSON in UTF-8", async () => {
  const { port, clan } = await useApi();

  const rejected = [
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
  test.for(rejected)("and is rejected with 415 unsupported_media_type for Content-Type: %s", async (type) => {
    for (const path of ["/members/bad/xp", "/xp"]) {
      expectProblem(
        await clan.send("POST", path, { body: '{"amount":1,"awards":[]}', headers: { "content-type": type } }),
        415,
        "unsupported_media_type",
      );
    }
    await expectUnharmed(clan);
  });

  test("and is rejected with 415 if Content-Type is missing, even if the body is empty", async () => {
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
  test.for(twice)("and every Content-Type header is checked: JSON and %s", async ([, types, status]) => {
    const target = `/v0/clans/${clan.clanId}/members/good/xp`;
    const headers: [string, string][] = [["Authorization", `Bearer ${clan.key}`]];
    for (const type of types) headers.push(["Content-Type", type]);
    const reply = await exchange(port, requestText("POST", target, headers, '{"amount":0}'));
    if (status === 200) expectResponse("apply-award", reply);
    else expectProblem(reply, status, "unsupported_media_type");
  });

  test.for(["gzip", "br", "deflate", "zstd", "GZIP", "gzip, identity", "identity, gzip", "x-unknown"])(
    "and is rejected with 415 unsupported_media_type for Content-Encoding: %s",
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
  test.for(read)("and is accepted for Content-Type: %s", async (type) => {
    expectResponse("apply-award", await clan.post("/members/good/xp", { amount: 0 }, { "content-type": type }));
  });

  test("and is accepted for Content-Encoding: identity", async () => {
    expectResponse(
      "apply-award",
      await clan.post("/members/good/xp", { amount: 0 }, { "content-encoding": "identity" }),
    );
  });
});
