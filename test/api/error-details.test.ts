// Error details are written here: the validation library's own sentences are not part of the API.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { endpointNames, endpoints } from "#contract/endpoints.ts";
import { parse } from "#contract/parse.ts";
import { readSentAward } from "../../apps/api/read-sent-award.ts";
import { expectProblem } from "../support/responses.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { callerOf } from "../support/http.ts";
import { useApi } from "../support/use-api.ts";

const NOT_OURS = "a sentence of the validation library";

// Whatever text the library would choose by itself is this one, in this process and so in the API under test.
z.config({ localeError: () => NOT_OURS });
afterAll(() => z.config(z.locales.en()));
const { world, port } = await useApi();
const clan = await makeClanCaller(world, port, {}, ["award", "read", "reverse"]);
const anyone = callerOf(port, null);

const AWARD = "/members/m/xp";
const INTEGER = "must be an integer (a JSON number), not a string";
const UNKNOWN = "is unknown; accepted here:";
const BEYOND_CLAN = "Amounts of this clan are between -1000000 and 1000000, not 1000000000001.";
const FORMS =
  "must be exactly one of {platformId, awardId}, {batchId}, {keyId, from, to?}, {matchId, from?, to?}, {platformId, from, to?}, {resetId} or {importName}";
const good = { platformId: "m", amount: 1 };
const bodies: [path: string, body: unknown, pointer: string, detail: string][] = [
  [AWARD, {}, "/amount", "is required"],
  [AWARD, { amount: "5" }, "/amount", INTEGER],
  [AWARD, { amount: true }, "/amount", "must be an integer, not a boolean"],
  [AWARD, { amount: null }, "/amount", "must be an integer, not null"],
  [AWARD, { amount: 1.5 }, "/amount", "must be an integer, not a number with a fraction"],
  [AWARD, { amount: 1e300 }, "/amount", "is beyond what any clan permits"],
  [AWARD, { amount: -(2 ** 53) }, "/amount", "is beyond what any clan permits"],
  [AWARD, { amount: 1, reason: 5 }, "/reason", "must be a string, not a number"],
  [AWARD, { amount: 1, reason: "x".repeat(501) }, "/reason", "must have at most 500 characters"],
  [AWARD, { amount: 1, reason: "\0" }, "/reason", "must not contain NUL or a lone surrogate"],
  [AWARD, { amount: 1, source: [] }, "/source", "must be an object, not an array"],
  [AWARD, { amount: 1, source: { verified: "yes" } }, "/source/verified", "must be true or false, not a string"],
  [AWARD, { amount: 1, reson: "" }, "/reson", `${UNKNOWN} amount, reason, source`],
  [AWARD, { amount: 1, source: { place: "" } }, "/source/place", `${UNKNOWN} placeId, matchId, verified`],
  ["/awards", { awards: {} }, "/awards", "must be an array, not an object"],
  ["/awards", { awards: ["x"] }, "/awards/0", "must be an object, not a string"],
  ["/awards", { awards: [{ platformId: 5, amount: 1 }] }, "/awards/0/platformId", "must be a string, not a number"],
  ["/awards", { awards: [{ platformId: "m", amount: "1" }] }, "/awards/0/amount", INTEGER],
  [
    "/awards",
    { awards: [{ ...good, idempotencyKey: 7 }] },
    "/awards/0/idempotencyKey",
    "must be a string, not a number",
  ],
  ["/xp", { awards: "x" }, "/awards", "must be an array, not a string"],
  ["/reversals", { by: "x" }, "/by", "must be an object, not a string"],
  ["/reversals", { by: {} }, "/by", FORMS],
  ["/reversals", { by: { batchId: 5 } }, "/by/batchId", "must be a string, not a number"],
  ["/reversals", { by: { keyId: "k", from: 5 } }, "/by/from", "must be a string, not a number"],
  ["/reversals", { by: { batchId: "b" }, dryRun: "true" }, "/dryRun", "must be true or false, not a string"],
];
test.for(bodies)(
  "a 400 response explains why the body of %s, %j, is invalid: %s %s",
  async ([path, body, pointer, detail]) => {
    const problem = expectProblem(await clan.post(path, body), 400, "invalid_request");
    expect(problem.errors).toStrictEqual([{ pointer, detail }]);
    expect(problem.detail).toBe(`The request body is not valid: ${pointer} ${detail}. Nothing was applied.`);
  },
);

test("a 400 response names the clan's bound of amounts, or that of all clans beside other faults of a call", async () => {
  const amount = 1_000_000_000_001;
  const single = expectProblem(await clan.post(AWARD, { amount }), 400, "invalid_request");
  expect(single.errors).toStrictEqual([{ pointer: "/amount", detail: BEYOND_CLAN }]);
  const call = await clan.post("/awards", { awards: [{ platformId: "m", amount }] });
  const several = expectProblem(call, 400, "invalid_request");
  expect(several.errors).toStrictEqual([{ pointer: "/awards/0/amount", detail: "is beyond what any clan permits" }]);
});

const notObjects: [body: unknown, type: string][] = [
  [5, "a number"],
  [null, "null"],
  [[], "an array"],
];
test.for(notObjects)("a 400 response explains that the body must be an object, and not %j", async ([body, type]) => {
  const problem = expectProblem(await clan.post(AWARD, body), 400, "invalid_request");
  expect(problem.detail).toBe(`The request body is not valid: it must be an object, not ${type}. Nothing was applied.`);
});

test("the rejected entries of a batch name the type that was sent", () => {
  // The clan's bound is checked later.
  const sent = [5, { platformId: 5, amount: 1 }, { ...good, amount: "1" }, { ...good, amount: 10 ** 12 + 1 }];
  const parsed = sent.map((entry) => readSentAward(entry).award);
  expect(parsed.map((award) => ("detail" in award ? award.detail : null))).toStrictEqual([
    "The entry must be an object with platformId and amount, not a number.",
    "platformId must be a string, not a number.",
    `amount ${INTEGER}.`,
    null,
  ]);
});

const texts: [text: string, detail: string][] = [
  ["", "The body is empty."],
  ["{'amount': 5}", `found "'" at position 1, where a name in double quotes is expected.`],
  ["{amount: 5}", 'found "a" at position 1, where a name in double quotes is expected.'],
  ['{"amount": 5,}', 'found "}" at position 13, where a name in double quotes is expected.'],
  ['{"amount": five}', 'found "f" at position 11.'],
  ["hello", 'found "h" at position 0.'],
  [`{"reason": 'won'}`, `found "'" at position 11. Texts need double quotes.`],
  ['{"amount": 5} x', 'found "x" at position 14.'],
  ['{"amount": 5', "it ends too early, after 12 characters."],
  ['{"reason": "won', "it ends too early, after 15 characters."],
  [
    `{"reason": "${"x".repeat(20_000)}", 'amount': 5}`,
    `found "'" at position 20015, where a name in double quotes is expected.`,
  ],
];
test.for(texts)("a 400 invalid_json says what was found where: %s", async ([body, detail]) => {
  const reply = await clan.send("POST", AWARD, { body, headers: { "content-type": "application/json" } });
  expect(expectProblem(reply, 400, "invalid_json").detail).toBe(
    body === "" ? detail : `The body is not JSON: ${detail}`,
  );
});

const types: [type: string, detail: string][] = [
  ["application/x-www-form-urlencoded", "application/x-www-form-urlencoded, which curl sends by default."],
  ["text/plain", "text/plain."],
];
test.for(types)("a 415 response names the type that was sent: %s", async ([type, detail]) => {
  const reply = await clan.send("POST", AWARD, { body: '{"amount":1}', headers: { "content-type": type } });
  expect(expectProblem(reply, 415, "unsupported_media_type").detail).toBe(
    `Only JSON in UTF-8 is supported: send Content-Type: application/json, not ${detail}`,
  );
});

const NO_PATH = "No endpoint exists at this path. Paths begin with /v0/clans/{clanId}.";
const CORRECT = (path: string): string => `No endpoint exists at this path. Did you mean ${path}?`;
const paths: [path: string, detail: string][] = [
  ["/v1/clans/c/members/m/xp", CORRECT("/v0/clans/c/members/m/xp")],
  ["/v0/clans/c/members/m/xp/", `${CORRECT("/v0/clans/c/members/m/xp")} Paths do not end in a slash.`],
  ["/clans/c", CORRECT("/v0/clans/c")],
  ["//v0/clans//c", CORRECT("/v0/clans/c")],
  ["/V0/Clans/c", CORRECT("/v0/clans/c")],
  ["/v0/clans/c//members/m/xp", CORRECT("/v0/clans/c/members/m/xp")],
  ["/v0/clans/c/members//xp", NO_PATH],
  ["/v0/clans//members", NO_PATH],
  ["/v0/clans/c/members/m/xp/more", NO_PATH],
];
test.for(paths)("a 404 response names the nearest path: %s", async ([path, detail]) => {
  expect(expectProblem(await anyone.get(path), 404, "not_found").detail).toBe(detail);
});

const queries: [path: string, detail: string][] = [
  ["/members?limit=0", 'The query parameter "limit" must be a number from 1 to 200.'],
  ["/members?limit=1&limit=2", 'The query parameter "limit" is given more than once.'],
  ["/members?sort=rank", 'The query parameter "sort" must be "xp" or "platformId" or "lastAwardAt".'],
  [
    "/members?cursor=x",
    'The query parameter "cursor" must be the nextCursor of a page of this list in the same order.',
  ],
  [
    "/members?order=x",
    'The query parameter "order" is unknown; accepted here: sort, limit, around, platformIds, cursor, include, idleSince.',
  ],
  ["?x=1", 'The query parameter "x" is unknown; accepted here: include.'],
  [
    "/members/a%20b",
    'The path parameter "platformId" must be 1 to 64 characters of A-Z a-z 0-9 . _ : @ | -, and not . or .. alone.',
  ],
];
test.for(queries)("a 400 response explains why GET %s is invalid: %s", async ([path, detail]) => {
  expect(expectProblem(await clan.get(path), 400, "invalid_request").detail).toBe(detail);
});

test.for(endpointNames)("%s never returns a message of the validation library, for any value", (name) => {
  const { params, query, headers, body } = endpoints[name];
  const strings = fc.oneof(fc.string({ maxLength: 400 }), fc.constantFrom("", "xp", "WyJ4cCJd", "WzFd", "W10"));
  const values = (names: string[]): fc.Arbitrary<unknown> =>
    fc.dictionary(fc.constantFrom(...names, "other"), fc.oneof(strings, fc.array(strings, { maxLength: 2 })), {
      maxKeys: 4,
    });
  const fields = fc.constantFrom("amount", "reason", "source", "placeId", "awards", "platformId", "by", "x");
  const anything = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(null, true, 0, 1.5, 1e300, Number.NaN, ""),
      strings,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fields, tie("value"), { maxKeys: 4 }),
    ),
  })).value;
  const parts = [params, query, headers].map((schema) => [schema, values(Object.keys(schema.shape))] as const);
  for (const [schema, input] of [...parts, [body, anything] as const]) {
    fc.assert(
      fc.property(input, (sent) => {
        const parsed = parse<z.ZodType>(schema, sent);
        expect(parsed.ok ? "" : JSON.stringify(parsed.faults)).not.toContain(NOT_OURS);
      }),
    );
  }
});
