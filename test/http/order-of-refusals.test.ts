import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ErrorCode } from "#domain/error-code.ts";
import { expectAnswer, expectProblem } from "../support/answers.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { exchange, requestText } from "../support/raw-http.ts";
import { makeWorld, type World } from "../support/world.ts";
import { testActor } from "../support/actor.ts";

/** `noRequests` and `noAwards`: keys whose rate is 0. */
type KeyHolder = "full" | "noDeduct" | "readOnly" | "noRequests" | "noAwards" | "nobody";
/** A request that would be served, to be spoilt. */
type Draft = {
  method: string;
  clanId: string;
  rest: string;
  query: string;
  keyHolder: KeyHolder;
  headers: Record<string, string>;
  body: string;
};
type Fault = { name: string; status: number; code: ErrorCode; spoil: (draft: Draft) => void };

/** In the order of docs/reference/errors.md: of several faults in one request the first is reported. */
const beforeTheBody: Fault[] = [
  { name: "an unknown route", status: 404, code: "not_found", spoil: (draft) => void (draft.rest += "/nowhere") },
  { name: "no key", status: 401, code: "key_missing", spoil: (draft) => void (draft.keyHolder = "nobody") },
  {
    name: "another clan's path",
    status: 403,
    code: "key_clan_mismatch",
    spoil: (draft) => void (draft.clanId = "elsewhere"),
  },
  { name: "a wrong method", status: 405, code: "method_not_allowed", spoil: (draft) => void (draft.method = "PATCH") },
  {
    name: "no requests left",
    status: 429,
    code: "rate_limited",
    spoil: (draft) => void (draft.keyHolder = "noRequests"),
  },
  {
    name: "a key without the scope",
    status: 403,
    code: "scope_missing",
    spoil: (draft) => void (draft.keyHolder = "readOnly"),
  },
  {
    name: "a bad header",
    status: 400,
    code: "invalid_request",
    spoil: (draft) => void (draft.headers["Idempotency-Key"] = "a b"),
  },
  {
    name: "a wrong media type",
    status: 415,
    code: "unsupported_media_type",
    spoil: (draft) => void (draft.headers["Content-Type"] = "text/plain"),
  },
  {
    name: "a body too large",
    status: 413,
    code: "body_too_large",
    spoil: (draft) => void (draft.body = draft.body.padEnd(256 * 1024 + 1)),
  },
  {
    name: "a body that is not JSON",
    status: 400,
    code: "invalid_json",
    spoil: (draft) => void (draft.body = "nonsense"),
  },
];
const badPath: Fault = {
  name: "a bad id",
  status: 400,
  code: "invalid_request",
  spoil: (draft) => void (draft.rest = "/members/%zz/xp"),
};
const badQuery: Fault = {
  name: "a bad query",
  status: 400,
  code: "invalid_request",
  spoil: (draft) => void (draft.query = "?include=x"),
};

/** What no clan's settings would accept. */
const faultsOfAward: Fault[] = [
  ...beforeTheBody.slice(0, 6),
  badPath,
  badQuery,
  ...beforeTheBody.slice(6),
  {
    name: "an unknown field",
    status: 400,
    code: "invalid_request",
    spoil: (draft) => void (draft.body = '{"amount":-2000000,"x":1}'),
  },
  {
    name: "an amount beyond every clan's bound",
    status: 400,
    code: "invalid_request",
    spoil: (draft) => void (draft.body = '{"amount":-1000000000001}'),
  },
];
/**
 * What depends on settings, scopes, rates and members: the replay of an award that was applied is answered before them.
 */
const faultsAfterReplay: Fault[] = [
  {
    name: "an amount beyond the clan's bound",
    status: 400,
    code: "invalid_request",
    spoil: (draft) => void (draft.body = '{"amount":-2000000}'),
  },
  { name: "no awards left", status: 429, code: "rate_limited", spoil: (draft) => void (draft.keyHolder = "noAwards") },
  {
    name: "a deduction without the scope",
    status: 403,
    code: "scope_missing",
    spoil(draft) {
      draft.keyHolder = "noDeduct";
      draft.body = '{"amount":-1}';
    },
  },
  {
    name: "a member who is none",
    status: 404,
    code: "member_not_found",
    spoil: (draft) => void (draft.rest = "/members/nobody/xp"),
  },
  {
    name: "a key that names another award",
    status: 422,
    code: "idempotency_key_reused",
    spoil: (draft) => void (draft.headers["Idempotency-Key"] = "bound"),
  },
];

/** As for one award, beside what its entries answer for themselves. */
const faultsOfCall: Fault[] = [
  ...beforeTheBody.slice(0, 6),
  badQuery,
  ...beforeTheBody.slice(6),
  {
    name: "101 awards",
    status: 413,
    code: "too_many_awards",
    spoil: (draft) => void (draft.body = `{"awards":[${Array.from({ length: 101 }, () => 0).join()}]}`),
  },
  {
    name: "an empty list",
    status: 400,
    code: "invalid_request",
    spoil: (draft) => void (draft.body = '{"awards":[]}'),
  },
  {
    name: "an amount beyond the clan's bound",
    status: 400,
    code: "invalid_request",
    spoil: (draft) => void (draft.body = '{"awards":[{"platformId":"nobody","amount":-2000000}]}'),
  },
  { name: "no awards left", status: 429, code: "rate_limited", spoil: (draft) => void (draft.keyHolder = "noAwards") },
];

const faultsOfBatch: Fault[] = [
  ...beforeTheBody,
  { name: "no awards", status: 400, code: "invalid_request", spoil: (draft) => void (draft.body = "{}") },
];

const faultsOfRead: Fault[] = [
  ...beforeTheBody.slice(0, 5),
  {
    name: "a key without the scope",
    status: 403,
    code: "scope_missing",
    spoil: (draft) => void (draft.keyHolder = "noDeduct"),
  },
  {
    name: "a bad id",
    status: 400,
    code: "invalid_request",
    spoil: (draft) => void (draft.rest = "/members/%zz/ledger"),
  },
  { name: "a bad limit", status: 400, code: "invalid_request", spoil: (draft) => void (draft.query = "?limit=0") },
  {
    name: "a member who is none",
    status: 404,
    code: "member_not_found",
    spoil: (draft) => void (draft.rest = "/members/stranger/ledger"),
  },
];

describe("of several faults the first in the documented order is told", () => {
  let world: World;
  let port: number;
  let clan: ClanCaller;
  const keys = new Map<KeyHolder, string>();
  beforeAll(async () => {
    world = await makeWorld();
    ({ port } = await world.startApi());
    clan = await makeClanCaller(world, port, { amountMax: 2_000_000 });
    keys.set("full", clan.key);
    keys.set("noDeduct", (await world.makeKey(clan.clanId, ["award"])).secret);
    keys.set("readOnly", (await world.makeKey(clan.clanId, ["read", "deduct", "reverse"])).secret);
    for (const holder of ["noRequests", "noAwards"] as const) {
      const { keyId, secret } = await world.makeKey(clan.clanId, ["award"]);
      await world.keys.limit(
        keyId,
        holder === "noRequests" ? { requestsPerSecond: 0 } : { awardsPerSecond: 0 },
        testActor,
      );
      keys.set(holder, secret);
    }
    await world.members.join({ clanId: clan.clanId, platformId: "m" }, new Date(), null);
    // Applied while it was allowed: the clan then lowers its bound, and takes in nobody any more.
    const headers = { "idempotency-key": "applied" };
    for (const platformId of ["m", "nobody"])
      expectAnswer("apply-award", await clan.award(platformId, { amount: -2_000_000 }, headers));
    expectAnswer("apply-award", await clan.award("m", { amount: 0, reason: "x" }, { "idempotency-key": "bound" }));
    await clan.change({ autoClan: false, amountMax: 1_000_000 });
  });
  afterAll(() => world.close());

  const goodAward: Omit<Draft, "clanId"> = {
    method: "POST",
    rest: "/members/m/xp",
    query: "",
    keyHolder: "full",
    headers: { "Content-Type": "application/json" },
    body: '{"amount":0}',
  };
  const goodBatch = { ...goodAward, rest: "/xp", body: '{"awards":[]}' };
  const goodCall = { ...goodAward, rest: "/awards", body: '{"awards":[{"platformId":"m","amount":0}]}' };
  const goodRead = { ...goodAward, method: "GET", rest: "/members/m/ledger", body: "" };

  async function send(good: Omit<Draft, "clanId">, faults: readonly Fault[]) {
    const draft: Draft = { ...good, headers: { ...good.headers }, clanId: clan.clanId };
    // The last first, so that where two spoil the same thing the first has its way.
    for (const fault of faults.toReversed()) fault.spoil(draft);
    const key = keys.get(draft.keyHolder);
    const headers = Object.entries(
      key === undefined ? draft.headers : { ...draft.headers, Authorization: `Bearer ${key}` },
    );
    return exchange(
      port,
      requestText(draft.method, `/v0/clans/${draft.clanId}${draft.rest}${draft.query}`, headers, draft.body),
    );
  }

  const drafts = [
    { name: "an award", good: goodAward, faults: [...faultsOfAward, ...faultsAfterReplay] },
    { name: "several awards", good: goodCall, faults: faultsOfCall },
    { name: "a batch", good: goodBatch, faults: faultsOfBatch },
    { name: "a read", good: goodRead, faults: faultsOfRead },
  ];
  for (const { name, good, faults } of drafts) {
    test(`${name} without a fault is served`, async () => {
      const reply = await send({ ...good, headers: { ...good.headers, Prefer: "respond-async" } }, []);
      expect(reply.status).toBeLessThan(300);
    });

    for (const [index, first] of faults.entries()) {
      const later = faults.slice(index + 1);
      test(`${name} with ${first.name}: ${first.status} ${first.code}, alone and before ${later.length} later faults, each and all of them`, async () => {
        for (const others of [[], ...later.map((fault) => [fault]), later]) {
          expectProblem(await send(good, [first, ...others]), first.status, first.code);
        }
      });
    }
  }

  const bound = {
    ...goodAward,
    body: '{"amount":-2000000}',
    headers: { ...goodAward.headers, "Idempotency-Key": "applied" },
  };
  const keepsPayload = ({ name }: Fault): boolean =>
    !["a deduction without the scope", "a key that names another award"].includes(name);
  // Its amount is a deduction already: what is left of that fault is the key.
  const cannotDeduct: Fault = {
    name: "no scope",
    status: 403,
    code: "scope_missing",
    spoil: (draft) => void (draft.keyHolder = "noDeduct"),
  };
  const laterFaults = [...faultsAfterReplay.filter(keepsPayload), cannotDeduct];
  test("the replay of an applied award is answered before an amount beyond the clan's bound, 429 for awards, 403 deduct and 404", async () => {
    for (const faults of [[], ...laterFaults.map((fault) => [fault]), laterFaults]) {
      const reply = await send(bound, faults);
      expect({ status: reply.status, replayed: reply.headers.get("idempotency-replayed") }).toStrictEqual({
        status: 200,
        replayed: "true",
      });
    }
  });

  test("every earlier fault is reported before that replay", async () => {
    for (const fault of faultsOfAward.filter(({ name }) => name !== "a bad header")) {
      expectProblem(await send(bound, [fault, ...laterFaults]), fault.status, fault.code);
    }
  });

  test("none of all this changed the member", async () => {
    const { xp } = expectAnswer("read-member", await clan.get("/members/m"));
    expect(xp).toBe("0");
    const { entries } = expectAnswer("read-ledger", await clan.get("/members/m/ledger"));
    // All but the one that made it a member.
    expect(entries.filter(({ kind }: { kind?: string }) => kind === undefined)).toHaveLength(4);
    expect(expectAnswer("list-members", await clan.get("/members")).members).toHaveLength(2);
  });
});

describe("scopes", () => {
  let world: World;
  let port: number;
  beforeAll(async () => {
    world = await makeWorld();
    ({ port } = await world.startApi());
  });
  afterAll(() => world.close());

  const allowed: [string, "GET" | "POST", string, unknown, string[]][] = [
    ["apply-award", "POST", "/members/m/xp", { amount: 0 }, ["award"]],
    ["apply-awards", "POST", "/awards", { awards: [{ platformId: "m", amount: 0 }] }, ["award"]],
    ["submit-batch", "POST", "/xp", { awards: [] }, ["award"]],
    ["read-batch", "GET", "/batches/b", undefined, ["read", "award"]],
    ["read-clan", "GET", "", undefined, ["read"]],
    ["list-members", "GET", "/members", undefined, ["read"]],
    ["read-member", "GET", "/members/m", undefined, ["read"]],
    ["read-ledger", "GET", "/members/m/ledger", undefined, ["read"]],
  ];
  test("each endpoint opens to its scopes and to no other: 403 scope_missing", async () => {
    const clan = await makeClanCaller(world, port);
    for (const scope of ["award", "deduct", "reverse", "read"] as const) {
      const caller = clan.with((await world.makeKey(clan.clanId, [scope])).secret);
      for (const [, method, path, body, opening] of allowed) {
        const reply = await caller.send(method, path, { body, headers: { prefer: "respond-async" } });
        if (opening.includes(scope)) expect([200, 202, 404]).toContain(reply.status);
        else expectProblem(reply, 403, "scope_missing");
      }
    }
  });

  test("a key made without scopes may award, deduct and read", async () => {
    const clan = await makeClanCaller(world, port);
    expectAnswer("apply-award", await clan.award("m", { amount: 5 }));
    expectAnswer("apply-award", await clan.award("m", { amount: -5 }));
    expectAnswer("read-member", await clan.get("/members/m"));
  });

  test("a negative amount needs deduct: 403 scope_missing and nothing changed; zero and more do not", async () => {
    const clan = await makeClanCaller(world, port, {}, ["award", "read"]);
    expectAnswer("apply-award", await clan.award("m", { amount: 5 }));
    expectProblem(await clan.award("m", { amount: -1 }), 403, "scope_missing");
    expectAnswer("apply-award", await clan.award("m", { amount: 0 }));
    expectAnswer("apply-award", await clan.post("/members/m/xp", '{"amount":-0}'));
    expect(expectAnswer("read-member", await clan.get("/members/m")).xp).toBe("5");
  });
});
