// Error details are written here: the validation library's own sentences are not part of the API.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { endpointNames, endpoints } from "#contract/endpoints.ts";
import { parse } from "#contract/parse.ts";
import { expectProblem } from "../support/answers.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { makeWorld, type World } from "../support/world.ts";

const NOT_OURS = "a sentence of the validation library";

let world: World;
let clan: ClanCaller;
beforeAll(async () => {
  // Whatever text the library would choose by itself is this one, in this process and so in the API under test.
  z.config({ localeError: () => NOT_OURS });
  world = await makeWorld();
  const { port } = await world.startApi();
  clan = await makeClanCaller(world, port);
});
afterAll(async () => {
  z.config(z.locales.en());
  await world.close();
});

const bodies: [body: unknown, pointer: string, detail: string][] = [
  [{}, "/amount", "is required"],
  [{ amount: "5" }, "/amount", "must be an integer from -1000000000000 to 1000000000000"],
  [{ amount: 1.5 }, "/amount", "must be an integer from -1000000000000 to 1000000000000"],
  [{ amount: 1e300 }, "/amount", "must be an integer from -1000000000000 to 1000000000000"],
  [{ amount: 1, reason: 5 }, "/reason", "must be a string"],
  [{ amount: 1, reason: "x".repeat(501) }, "/reason", "must have at most 500 characters"],
  [{ amount: 1, reason: "\0" }, "/reason", "must not contain NUL or a lone surrogate"],
  [{ amount: 1, source: [] }, "/source", "must be an object"],
  [{ amount: 1, source: { verified: "yes" } }, "/source/verified", "must be true or false"],
  [{ amount: 1, reson: "" }, "/reson", "is unknown; accepted here: amount, reason, source"],
  [{ amount: 1, source: { place: "" } }, "/source/place", "is unknown; accepted here: placeId, matchId, verified"],
];
test.for(bodies)("a 400 response explains why the body %j is invalid: %s %s", async ([body, pointer, detail]) => {
  const problem = expectProblem(await clan.post("/members/m/xp", body), 400, "invalid_request");
  expect(problem.errors).toStrictEqual([{ pointer, detail }]);
  expect(problem.detail).toBe(`The request body is not valid: ${pointer} ${detail}. Nothing was applied.`);
});

test.for([5, null, []])("a 400 response explains that the body must be an object, and not %j", async (body) => {
  const problem = expectProblem(await clan.post("/members/m/xp", body), 400, "invalid_request");
  expect(problem.detail).toBe("The request body is not valid: it must be an object. Nothing was applied.");
});

const queries: [path: string, detail: string][] = [
  ["/members?limit=0", 'The query parameter "limit" must be a number from 1 to 200.'],
  ["/members?limit=1&limit=2", 'The query parameter "limit" is given more than once.'],
  ["/members?sort=rank", 'The query parameter "sort" must be "xp" or "platformId".'],
  [
    "/members?cursor=x",
    'The query parameter "cursor" must be the nextCursor of a page of this list in the same order.',
  ],
  ["/members?order=x", 'The query parameter "order" is unknown; accepted here: sort, limit, cursor, include.'],
  ["?x=1", 'The query parameter "x" is unknown.'],
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
