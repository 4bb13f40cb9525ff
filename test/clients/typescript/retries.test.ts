import { inspect } from "node:util";
import { afterAll, expect, test } from "vitest";
import { ClanXp, ClanXpError } from "../../../clients/typescript/src/index.ts";
import type { ClanXpOptions } from "../../../clients/typescript/src/types.ts";
import { until } from "../../support/until.ts";
import { awarded, problem, startStandIn, type Answer, type Received, type StandIn } from "./stand-in.ts";

const KEY = "cxp_4fJk2_Qm7sV9xT1aZ3";

const peers: StandIn[] = [];
afterAll(() => Promise.all(peers.map((peer) => peer.close())));

/** A client of a peer that gives these answers one after the other, the last one again and again. */
async function clientOf(
  answers: Answer[],
  options: Partial<ClanXpOptions> = {},
): Promise<{ clan: ClanXp; peer: StandIn }> {
  const peer = await startStandIn((_request, number) => answers[Math.min(number, answers.length - 1)] ?? "cut");
  peers.push(peer);
  return { clan: new ClanXp({ baseUrl: peer.url, clanId: "rovers", apiKey: KEY, ...options }), peer };
}

async function errorOf(promise: Promise<unknown>): Promise<ClanXpError> {
  const error = await promise.then(
    () => new Error("it resolved"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClanXpError);
  return error as ClanXpError;
}

const waits = (received: readonly Received[]): number[] =>
  received.slice(1).map(({ at }, index) => at - (received[index]?.at ?? 0));
const keys = (received: readonly Received[]): Set<unknown> =>
  new Set(received.map(({ headers }) => headers["idempotency-key"]));

test.concurrent("temporary errors are retried with the same key and payload", async () => {
  const ofService = [408, 425, 429, 500, 501, 502, 503, 504].map((status) => problem(status, "busy"));
  // Of a proxy, a tunnel or a sign-in page in front of the service.
  const ofProxies = [200, 203, 204, 408, 425, 429, 502, 507, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530, 599].map(
    (status) => ({ status, headers: { "content-type": "text/html" }, body: "<html>" }),
  );
  const ofOthers = [[], null, "text", { ok: true }, { xp: 5 }].map((body) => ({ body: JSON.stringify(body) }));
  await Promise.all(
    [...ofService, ...ofProxies, ...ofOthers, "cut" as const, "half" as const].map(async (first) => {
      const { clan, peer } = await clientOf([first, awarded]);
      const result = await clan.award("p", 5, { reason: "won" });
      expect(result).toStrictEqual({
        platformId: "p",
        xp: "5",
        rank: "Guest",
        replayed: false,
        requestId: "req-1",
        idempotencyKey: peer.received[0]?.headers["idempotency-key"],
      });
      expect(peer.received).toHaveLength(2);
      expect(keys(peer.received).size).toBe(1);
      expect(peer.received[1]?.body).toStrictEqual({ amount: 5, reason: "won" });
      // The first wait is under a second; beyond that the machine may be slow.
      expect(waits(peer.received)[0]).toBeGreaterThan(200);
    }),
  );
});

test.concurrent("other errors are not retried", async () => {
  const final = [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 451];
  await Promise.all(
    final.map(async (status) => {
      const { clan, peer } = await clientOf([problem(status, "invalid_request")]);
      const error = await errorOf(clan.award("p", 5));
      expect(error).toMatchObject({
        code: "invalid_request",
        status,
        retryable: false,
        attempts: 1,
        requestId: "req-1",
      });
      expect(error.message).toBe("Because of invalid_request.");
      expect(peer.received).toHaveLength(1);
    }),
  );
});

test.concurrent("a response without result or problem is unexpected_answer, and retried only if its status permits", async () => {
  const cases: [Answer, number, boolean][] = [
    [{ status: 200, body: "<html>" }, 200, true],
    [{ status: 304 }, 304, false],
    [{ status: 403, headers: { "content-type": "text/html" }, body: "<html>" }, 403, false],
    [{ status: 404, body: { message: "no code" } }, 404, false],
    [{ status: 522, headers: { "content-type": "text/html" }, body: "<html>" }, 522, true],
  ];
  await Promise.all(
    cases.map(async ([answer, status, retryable]) => {
      const { clan, peer } = await clientOf([answer], { retries: 1 });
      const error = await errorOf(clan.award("p", 5));
      expect(error).toMatchObject({ code: "unexpected_answer", status, retryable, attempts: retryable ? 2 : 1 });
      expect(error.message).toBe(`The answer with status ${status} is not one of the API.`);
      expect(peer.received).toHaveLength(retryable ? 2 : 1);
    }),
  );
});

test.concurrent("a redirect is not followed, and its error names where it points to", async () => {
  const elsewhere = await startStandIn(() => awarded);
  peers.push(elsewhere);
  await Promise.all(
    [301, 302, 303, 307, 308].map(async (status) => {
      const location = `${elsewhere.url}/v0/?key=${KEY}`;
      const { clan, peer } = await clientOf([{ status, headers: { location }, body: { code: "moved" } }]);
      const error = await errorOf(clan.award("p", 5));
      expect(error).toMatchObject({ code: "unexpected_answer", status, retryable: false, attempts: 1 });
      expect(error.message).toContain(`${elsewhere.url}/v0/?key=***`);
      expect(peer.received).toHaveLength(1);
    }),
  );
  expect(elsewhere.received).toStrictEqual([]);
});

test.concurrent("every method retries a 200 that is not an answer of its endpoint", async () => {
  const by = { batchId: "bat_1" };
  const calls: [(clan: ClanXp) => Promise<unknown>, object][] = [
    [
      (clan) => clan.awards([{ platformId: "p", amount: 5 }]),
      { applied: 1, results: [{ status: "applied", xp: "5" }] },
    ],
    [(clan) => clan.member("p"), { platformId: "p", xp: "5" }],
    [(clan) => clan.members()[Symbol.asyncIterator]().next(), { members: [{}], nextCursor: null }],
    [(clan) => clan.ledger("p")[Symbol.asyncIterator]().next(), { entries: [{}], nextCursor: null }],
    [(clan) => clan.clan(), { clanId: "rovers", ranks: [] }],
    [(clan) => clan.submitBatch([{ platformId: "p", amount: 5 }]), { applied: 1, results: [] }],
    [(clan) => clan.batch("bat_1"), { batchId: "bat_1", status: "done" }],
    [(clan) => clan.previewReversal(by), { awards: 1, members: 1, amount: "5" }],
    [(clan) => clan.reverse(by), { reversalId: "rev_1", status: "queued" }],
    [(clan) => clan.reversal("rev_1"), { reversalId: "rev_1", status: "done" }],
  ];
  await Promise.all(
    calls.map(async ([run, body]) => {
      const { clan, peer } = await clientOf([{ body: { status: "ok" } }, { body }]);
      await run(clan);
      expect(peer.received).toHaveLength(2);
      expect(peer.received[1]).toMatchObject({ path: peer.received[0]?.path, body: peer.received[0]?.body });
      expect(keys(peer.received).size).toBe(1);
    }),
  );
});

test.concurrent("a response without a Request-Id gives undefined, in results and in errors", async () => {
  const anonymous = { "request-id": "" };
  const { clan } = await clientOf([{ headers: anonymous, ...(awarded as object) }]);
  expect((await clan.award("p", 5)).requestId).toBeUndefined();
  const { clan: busy } = await clientOf([{ status: 403, headers: anonymous, body: { code: "scope_missing" } }]);
  expect((await errorOf(busy.award("p", 5))).requestId).toBeUndefined();
  const queues = [
    await clientOf([{ headers: anonymous, body: { results: [{ status: "applied", xp: "5", rank: "Guest" }] } }]),
    await clientOf([
      { headers: anonymous, body: { results: [{ status: "rejected", error: { code: "scope_missing" } }] } },
    ]),
  ].map((one) => one.clan.queue({ flushMs: 0, onDropped() {} }));
  expect((await queues[0]?.add("p", 5))?.requestId).toBeUndefined();
  expect((await errorOf(queues[1]?.add("p", 5) as Promise<unknown>)).requestId).toBeUndefined();
});

test.concurrent("a missing response is reported as connection or timeout, with the number of attempts", async () => {
  const cut = await clientOf(["cut"], { retries: 1 });
  expect(await errorOf(cut.clan.award("p", 5, { idempotencyKey: "k1" }))).toMatchObject({
    code: "connection",
    retryable: true,
    attempts: 2,
    idempotencyKey: "k1",
  });
  const hanging = await clientOf(["hang"], { retries: 1, timeoutMs: 100 });
  expect(await errorOf(hanging.clan.clan())).toMatchObject({ code: "timeout", retryable: true, attempts: 2 });
  // The body counts as well.
  const stalling = await clientOf(["stall"]);
  expect((await errorOf(stalling.clan.clan({ retries: 0, timeoutMs: 100 }))).code).toBe("timeout");
});

test.concurrent("a fetch that ignores its signal cannot delay a call", async () => {
  const clan = new ClanXp({
    baseUrl: "http://127.0.0.1:1",
    clanId: "c",
    apiKey: KEY,
    fetch: () => new Promise(() => {}),
  });
  expect((await errorOf(clan.clan({ timeoutMs: 50, retries: 0 }))).code).toBe("timeout");
  expect((await errorOf(clan.clan({ signal: AbortSignal.timeout(50) }))).code).toBe("aborted");
});

test.concurrent("a retry waits for Retry-After, in seconds or as a date", async () => {
  const date = (ms: number): string => new Date(ms).toUTCString();
  const seconds = await clientOf([problem(429, "rate_limited", { headers: { "Retry-After": "2" } }), awarded]);
  // The service's clock is an hour behind: what counts is how far apart its two dates are.
  const hourAgo = Date.now() - 3_600_000;
  const skewed = { date: date(hourAgo), "retry-after": date(hourAgo + 2_000) };
  const dated = await clientOf([problem(503, "busy", { headers: skewed }), awarded]);
  await Promise.all([seconds.clan.award("p", 5), dated.clan.award("p", 5)]);
  expect(waits(seconds.peer.received)[0]).toBeGreaterThanOrEqual(1_990);
  expect(waits(dated.peer.received)[0]).toBeGreaterThanOrEqual(1_990);
});

test.concurrent("a wait that would end after the deadline is not started, and the last error is returned immediately", async () => {
  const { clan, peer } = await clientOf([problem(503, "unavailable", { headers: { "retry-after": "3600" } })]);
  expect(await errorOf(clan.award("p", 5))).toMatchObject({
    code: "unavailable",
    status: 503,
    attempts: 1,
    retryable: true,
  });
  expect(peer.received).toHaveLength(1);
});

test.concurrent("a call that ends at its deadline returns the error of the last attempt", async () => {
  // Without a network between them, so the answers arrive immediately and only the waits take time.
  const busy = JSON.stringify({ code: "busy", detail: "Later." });
  const reject = () => new Response(busy, { status: 503, headers: { "content-type": "application/problem+json" } });
  let tries = 0;
  const options = { baseUrl: "http://127.0.0.1:1", clanId: "c", apiKey: KEY, deadlineMs: 3_000 };
  const rejecting = new ClanXp({ ...options, fetch: () => ((tries += 1), Promise.resolve(reject())) });
  const error = await errorOf(rejecting.award("p", 5));
  expect(error).toMatchObject({ code: "busy", attempts: tries });
  expect(tries).toBeGreaterThan(1);
  const answers = [Promise.resolve(reject()), new Promise<Response>(() => {})];
  const hanging = new ClanXp({ ...options, fetch: () => answers.shift() ?? expect.unreachable() });
  expect(await errorOf(hanging.award("p", 5))).toMatchObject({ code: "timeout", attempts: 2 });
});

test.concurrent("the API key is requested before every attempt", async () => {
  let calls = 0;
  const apiKey = async (): Promise<string> => `cxp_key_${(calls += 1)}`;
  const { clan, peer } = await clientOf([problem(503, "busy"), awarded], { apiKey });
  await clan.award("p", 5);
  expect(peer.received.map(({ headers }) => headers.authorization)).toStrictEqual([
    "Bearer cxp_key_1",
    "Bearer cxp_key_2",
  ]);
});

test.concurrent("a failing apiKey function is called again, one without a key ends the call, and nothing is sent", async () => {
  let calls = 0;
  const flaky = await clientOf([awarded], {
    apiKey: () => ((calls += 1) === 1 ? Promise.reject(new Error("vault sealed")) : KEY),
  });
  expect((await flaky.clan.award("p", 5)).xp).toBe("5");
  const broken = await clientOf([awarded], { apiKey: () => Promise.reject(new Error("vault sealed")), retries: 0 });
  const error = await errorOf(broken.clan.award("p", 5));
  expect({ code: error.code, message: error.message }).toStrictEqual({
    code: "key_missing",
    message: "The apiKey function failed: vault sealed",
  });
  const wrong = await clientOf([awarded], { apiKey: () => "two words\n" });
  expect(await errorOf(wrong.clan.award("p", 5))).toMatchObject({
    code: "invalid_argument",
    message: expect.stringMatching(/^The result of the apiKey function has white space/),
  });
  const silent = await clientOf([awarded], { apiKey: () => new Promise<string>(() => {}), timeoutMs: 50, retries: 0 });
  expect((await errorOf(silent.clan.award("p", 5))).code).toBe("timeout");
  expect([...broken.peer.received, ...wrong.peer.received, ...silent.peer.received]).toStrictEqual([]);
});

test.concurrent("an abort signal ends a call before, during and between its attempts", async () => {
  const { clan, peer } = await clientOf([awarded]);
  expect(await errorOf(clan.award("p", 5, { signal: AbortSignal.abort() }))).toMatchObject({
    code: "aborted",
    attempts: 0,
  });
  expect(peer.received).toHaveLength(0);

  const during = new AbortController();
  const hanging = await startStandIn(() => {
    during.abort();
    return "hang";
  });
  peers.push(hanging);
  const slow = new ClanXp({ baseUrl: hanging.url, clanId: "c", apiKey: KEY });
  expect(await errorOf(slow.award("p", 5, { signal: during.signal }))).toMatchObject({ code: "aborted", attempts: 1 });

  const between = new AbortController();
  const rejecting = await clientOf([problem(503, "busy", { headers: { "retry-after": "30" } })]);
  const waiting = errorOf(rejecting.clan.award("p", 5, { signal: between.signal }));
  await until(async () => rejecting.peer.received.length === 1);
  between.abort();
  expect((await waiting).code).toBe("aborted");
});

test.concurrent("the API key is in no error, log or inspected object", async () => {
  const leaky = new ClanXp({
    baseUrl: "http://127.0.0.1:1",
    clanId: "c",
    apiKey: KEY,
    retries: 0,
    fetch: (_url, init) => Promise.reject(new Error(`failed with ${JSON.stringify(init)}`, { cause: new Error(KEY) })),
  });
  const queue = leaky.queue({ deadlineMs: 300 });
  const errors = [await errorOf(leaky.award("p", 5)), await errorOf(queue.add("p", 5))];
  const rejected = await clientOf([problem(401, "key_invalid")]);
  errors.push(await errorOf(rejected.clan.award("p", 5)));
  const echo = `Authorization: Bearer ${KEY}`;
  const echoing = await clientOf([
    { status: 400, body: { code: "invalid_request", detail: echo, errors: [{ pointer: "/amount", detail: echo }] } },
  ]);
  errors.push(await errorOf(echoing.clan.award("p", 5)));
  const shown = [leaky, queue, ...errors].map((one) => [
    inspect(one, { depth: 9, showHidden: true }),
    JSON.stringify(one),
    `${one as Error}`,
  ]);
  expect(shown.flat().join("\n")).not.toContain(KEY);
  expect(errors[0]?.message).toContain("No answer: failed with");
  expect(errors[3]).toMatchObject({ code: "invalid_request", message: "Authorization: Bearer ***" });
  expect(() => new ClanXp({ baseUrl: "http://127.0.0.1:1", clanId: "c", apiKey: `${KEY}\n` })).toThrow(
    expect.objectContaining({ code: "invalid_argument", message: expect.not.stringContaining(KEY) }),
  );
});
