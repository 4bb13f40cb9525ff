import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ClanXp } from "../../../clients/typescript/src/index.ts";
import { until } from "../../support/until.ts";
import { nowhere } from "./nowhere.ts";
import { awarded, problem, startStandIn, type Received } from "./stand-in.ts";
import { errorOf, KEY, useClients } from "./use-clients.ts";

const { clientOf, peers } = useClients();

const offline = { ...nowhere, apiKey: KEY };

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
      const shown = { code: "invalid_request", status, retryable: false, attempts: 1, requestId: "req-1" };
      expect(error).toMatchObject(shown);
      expect(error.message).toBe("Because of invalid_request.");
      expect(peer.received).toHaveLength(1);
    }),
  );
});

test.concurrent("a missing response is reported as connection or timeout, with the number of attempts", async () => {
  const cut = await clientOf(["cut"], { retries: 1 });
  const lost = await errorOf(cut.clan.award("p", 5, { idempotencyKey: "k1" }));
  expect(lost).toMatchObject({ code: "connection", retryable: true, attempts: 2, idempotencyKey: "k1" });
  const hanging = await clientOf(["hang"], { retries: 1, timeoutMs: 100 });
  expect(await errorOf(hanging.clan.clan())).toMatchObject({ code: "timeout", retryable: true, attempts: 2 });
  // The body counts as well.
  const stalling = await clientOf(["stall"]);
  expect((await errorOf(stalling.clan.clan({ retries: 0, timeoutMs: 100 }))).code).toBe("timeout");
});

test.concurrent("a fetch that ignores its signal cannot delay a call", async () => {
  const clan = new ClanXp({ ...offline, fetch: () => new Promise(() => {}) });
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
  const error = await errorOf(clan.award("p", 5));
  expect(error).toMatchObject({ code: "unavailable", status: 503, attempts: 1, retryable: true });
  expect(peer.received).toHaveLength(1);
});

test.concurrent("a call that ends at its deadline returns the error of the last attempt", async () => {
  // Without a network between them, so the answers arrive immediately and only the waits take time.
  const busy = JSON.stringify({ code: "busy", detail: "Later." });
  const reject = () => new Response(busy, { status: 503, headers: { "content-type": "application/problem+json" } });
  let tries = 0;
  // The first wait ends in time although the process may be paused for seconds.
  const options = { ...offline, deadlineMs: 5_000 };
  const rejecting = new ClanXp({ ...options, fetch: () => ((tries += 1), Promise.resolve(reject())) });
  const answers = [Promise.resolve(reject()), new Promise<Response>(() => {})];
  const hanging = new ClanXp({ ...options, fetch: () => answers.shift() ?? expect.unreachable() });
  const [error, late] = await Promise.all([rejecting, hanging].map((clan) => errorOf(clan.award("p", 5))));
  expect(error).toMatchObject({ code: "busy", attempts: tries });
  expect(tries).toBeGreaterThan(1);
  expect(late).toMatchObject({ code: "timeout", attempts: 2 });
});

test.concurrent("the API key is requested before every attempt", async () => {
  let calls = 0;
  const apiKey = async (): Promise<string> => `cxp_key_${(calls += 1)}`;
  const { clan, peer } = await clientOf([problem(503, "busy"), awarded], { apiKey });
  await clan.award("p", 5);
  const sent = peer.received.map(({ headers }) => headers.authorization);
  expect(sent).toStrictEqual(["Bearer cxp_key_1", "Bearer cxp_key_2"]);
});

test.concurrent("a failing apiKey function is called again, one without a key ends the call, and nothing is sent", async () => {
  let calls = 0;
  const flaky = await clientOf([awarded], {
    apiKey: () => ((calls += 1) === 1 ? Promise.reject(new Error("vault sealed")) : KEY),
  });
  expect((await flaky.clan.award("p", 5)).xp).toBe("5");
  const broken = await clientOf([awarded], { apiKey: () => Promise.reject(new Error("vault sealed")), retries: 0 });
  const error = await errorOf(broken.clan.award("p", 5));
  expect([error.code, error.message]).toStrictEqual(["key_missing", "The apiKey function failed: vault sealed"]);
  const talkative = await clientOf([awarded], {
    apiKey: () => Promise.reject(new Error(`no "${KEY}" here`, { cause: new Error(`or ${KEY}`) })),
    retries: 0,
  });
  expect((await errorOf(talkative.clan.award("p", 5))).message).toBe(
    'The apiKey function failed: no "*** here: or ***',
  );
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
  const before = await errorOf(clan.award("p", 5, { signal: AbortSignal.abort() }));
  expect(before).toMatchObject({ code: "aborted", attempts: 0 });
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
    ...offline,
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
});
