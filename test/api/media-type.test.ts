import { gzipSync } from "node:zlib";
import { describe, test } from "vitest";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { bearer, exchange, requestText, type Header } from "../support/raw-http.ts";
import { expectUnharmed } from "../support/unharmed.ts";
import { useApi } from "../support/use-api.ts";

describe("a request body is read only if it is declared as JSON in UTF-8", async () => {
  const { port, clan } = await useApi();

  const json = "application/json";
  const rejected = {
    "of another type": ["", "text/plain", "text/json", "application/x-www-form-urlencoded", "json", "*/*"],
    "of a type of a similar name": [`${json}x`, `${json}-patch+json`, "application/problem+json", "application/*"],
    "of two types, or without a semicolon": [`${json}, text/plain`, `${json} charset=utf-8`],
    "in another charset": ["iso-8859-1", '"iso-8859-1"', "us-ascii", "", "utf-8; charset=utf-16"].map(
      (charset) => `${json}; charset=${charset}`,
    ),
    "in another charset, after a parameter": [`${json}; profile=x; CHARSET=latin1`],
  };
  test.for(Object.entries(rejected))("and is rejected with 415 unsupported_media_type %s", async ([, types]) => {
    for (const type of types)
      for (const path of ["/members/bad/xp", "/xp"]) {
        const sent = { body: '{"amount":1,"awards":[]}', headers: { "content-type": type } };
        expectProblem(await clan.send("POST", path, sent), 415, "unsupported_media_type");
      }
    await expectUnharmed(clan);
  });

  test("and is rejected with 415 if Content-Type is missing, even if the body is empty", async () => {
    const target = `/v0/clans/${clan.clanId}/members/bad/xp`;
    for (const body of ['{"amount":1}', ""]) {
      const reply = await exchange(port, requestText("POST", target, [bearer(clan)], body));
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
    const headers = [bearer(clan), ...types.map((type): Header => ["Content-Type", type])];
    const reply = await exchange(port, requestText("POST", target, headers, '{"amount":0}'));
    if (status === 200) expectResponse("apply-award", reply);
    else expectProblem(reply, status, "unsupported_media_type");
  });

  test.for(["gzip", "br", "GZIP", "identity, gzip", "x-unknown"])(
    "and is rejected with 415 unsupported_media_type for Content-Encoding: %s",
    async (encoding) => {
      const body = encoding.toLowerCase() === "gzip" ? gzipSync('{"amount":1}') : '{"amount":1}';
      const reply = await clan.send("POST", "/members/bad/xp", { body, headers: { "content-encoding": encoding } });
      expectProblem(reply, 415, "unsupported_media_type");
      await expectUnharmed(clan);
    },
  );

  test("and is accepted for each form of JSON in UTF-8, and for Content-Encoding: identity", async () => {
    const forms = ["APPLICATION/JSON", "Application/Json;Charset=UTF-8", `${json}; charset="utf-8"`, `${json} ;`];
    const more = ['profile="https://example.org/a;b"', "odata.metadata=minimal; charset=utf-8"];
    const headers = [...forms, ...more.map((parameters) => `${json}; ${parameters}`)].map((type) => ({
      "content-type": type,
    }));
    for (const sent of [...headers, { "content-encoding": "identity" }])
      expectResponse("apply-award", await clan.post("/members/good/xp", { amount: 0 }, sent));
  });
});
