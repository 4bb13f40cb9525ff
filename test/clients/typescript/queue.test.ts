import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { applyAll, keysOf, named, queueOn } from "./queue-on.ts";
import { problem, resultsFor } from "./stand-in.ts";

test.concurrent("awards are sent in one call with keys and include=change, and each promise has its own result", async () => {
  const { queue, peer, dropped } = await queueOn((request) =>
    resultsFor(request, (award, index) => ({
      status: index === 1 ? "replayed" : "applied",
      xp: String(award.amount),
      change: { awardId: "a" },
    })),
  );
  const [first, second] = await Promise.all([
    queue.add("p", 1, { reason: "won", source: { matchId: "81" }, cause: "match-81" }),
    queue.add("q", 2, named("k2")),
  ]);
  const shared = { rank: "Guest", change: { awardId: "a" }, requestId: "req-1" };
  expect(first).toStrictEqual({ platformId: "p", xp: "1", replayed: false, idempotencyKey: "match-81/p", ...shared });
  expect(second).toStrictEqual({ platformId: "q", xp: "2", replayed: true, idempotencyKey: "k2", ...shared });
  expect(peer.received.map(({ method, path, body }) => ({ method, path, body }))).toStrictEqual([
    {
      method: "POST",
      path: "/v0/clans/rovers/awards?include=change",
      body: {
        awards: [
          { platformId: "p", amount: 1, reason: "won", source: { matchId: "81" }, idempotencyKey: "match-81/p" },
          { platformId: "q", amount: 2, idempotencyKey: "k2" },
        ],
      },
    },
  ]);
  expect(peer.received[0]?.headers["idempotency-key"]).toBeUndefined();
  expect(await queue.close()).toStrictEqual({ delivered: 2, dropped: 0 });
  expect(dropped).toStrictEqual([]);
});

test.concurrent("a call is sent immediately when it is full, with at most 100 awards", async () => {
  const { queue, peer } = await queueOn(applyAll, { flushMs: 600_000 });
  const added = Array.from({ length: 250 }, (_, index) => queue.add(`p${index}`, 1));
  await Promise.all(added.slice(0, 200));
  expect(peer.received.map(({ body }) => body.awards.length)).toStrictEqual([100, 100]);
  expect(queue.pending).toBe(50);
  await queue.flush();
  expect(peer.received.map(({ body }) => body.awards.length)).toStrictEqual([100, 100, 50]);
  expect(queue.pending).toBe(0);
});

test.concurrent("a call carries at most 200 KiB, and an award that never fits is rejected", async () => {
  const { queue, peer, dropped } = await queueOn(applyAll);
  const reason = "\u0001".repeat(500);
  const added = Array.from({ length: 100 }, (_, index) => queue.add(`p${index}`, 1, { reason }));
  await Promise.all(added);
  expect(peer.received.length).toBeGreaterThan(1);
  expect(Math.max(...peer.received.map(({ bytes }) => bytes))).toBeLessThanOrEqual(200 * 1024);
  expect(Math.max(...peer.received.map(({ bytes }) => bytes))).toBeGreaterThan(190 * 1024);
  await expect(queue.add("p", 1, { reason: "x".repeat(200 * 1024), ...named("k") })).rejects.toThrow("bytes");
  expect(dropped).toStrictEqual([["k", "invalid_argument"]]);
});

test.concurrent("an award waits for earlier awards of its member, and not for other members", async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const { queue, peer } = await queueOn(async (request, number) => {
    if (number === 0) await held;
    return resultsFor(request);
  });
  const first = queue.add("p", 1, named("p1"));
  await until(async () => peer.received.length === 1);
  const behind = [queue.add("p", 2, named("p2")), queue.add("p", 3, named("p3"))];
  await queue.add("q", 1, named("q1"));
  await queue.add("r", 1, named("r1"));
  expect(peer.received.map(keysOf)).toStrictEqual([["p1"], ["q1"], ["r1"]]);
  release();
  await Promise.all([first, ...behind]);
  expect(peer.received.map(keysOf)).toStrictEqual([["p1"], ["q1"], ["r1"], ["p2", "p3"]]);
});

test.concurrent("a failed award is sent again with its key, before later awards of its member", async () => {
  const busy = { status: "failed", error: { code: "busy", detail: "Later." } };
  const { queue, peer, dropped } = await queueOn((request, number) =>
    resultsFor(request, ({ idempotencyKey }) => (number === 0 && idempotencyKey === "p1" ? busy : {})),
  );
  const results = await Promise.all([queue.add("p", 1, named("p1")), queue.add("q", 1, named("q1"))]);
  expect(results.map(({ xp }) => xp)).toStrictEqual(["5", "5"]);
  expect(peer.received.map(keysOf)).toStrictEqual([["p1", "q1"], ["p1"]]);
  expect((peer.received[1]?.at ?? 0) - (peer.received[0]?.at ?? 0)).toBeGreaterThan(200);
  expect(dropped).toStrictEqual([]);
});

test.concurrent("a failed award is not sent again before the Retry-After of its call", async () => {
  const failed = { status: "failed", error: { code: "busy", detail: "Later." } };
  const { queue, peer } = await queueOn((request, number) => ({
    ...(resultsFor(request, () => (number === 0 ? failed : {})) as object),
    headers: { "retry-after": "1" },
  }));
  await queue.add("p", 1);
  expect((peer.received[1]?.at ?? 0) - (peer.received[0]?.at ?? 0)).toBeGreaterThan(990);
});

test.concurrent("a rejected award is dropped with its code, and the others are delivered", async () => {
  const rejected = { status: "rejected", error: { code: "member_not_found", detail: "No such member." } };
  const { queue, dropped, errors } = await queueOn((request) =>
    resultsFor(request, ({ platformId }) => (platformId === "q" ? rejected : {})),
  );
  void queue.add("p", 1);
  await expect(queue.add("q", 1, named("q1"))).rejects.toThrow("No such member.");
  expect(await queue.close()).toStrictEqual({ delivered: 1, dropped: 1 });
  expect(dropped).toStrictEqual([["q1", "member_not_found"]]);
  expect(errors[0]).toMatchObject({ retryable: false, idempotencyKey: "q1", attempts: 1, requestId: "req-1" });
});

test.concurrent("a 400 drops only the awards that its pointers name, and the others are sent again", async () => {
  const errors = [
    { pointer: "/awards/1/amount", detail: "is too large" },
    { pointer: "/awards/1/reason", detail: "is too long" },
    { pointer: "/awards/3", detail: "is odd" },
  ];
  const one = await queueOn((request, number) =>
    number === 0 ? problem(400, "invalid_request", { errors }) : resultsFor(request),
  );
  const { queue, peer, dropped } = one;
  for (const name of ["a", "b", "c", "d"]) void queue.add(name, 1, named(name));
  expect(await queue.close()).toStrictEqual({ delivered: 2, dropped: 2 });
  expect(peer.received.map(keysOf)).toStrictEqual([
    ["a", "b", "c", "d"],
    ["a", "c"],
  ]);
  expect(dropped).toStrictEqual([
    ["b", "invalid_request"],
    ["d", "invalid_request"],
  ]);
  expect(one.errors[0]).toMatchObject({
    status: 400,
    idempotencyKey: "b",
    errors: [
      { pointer: "/amount", detail: "is too large" },
      { pointer: "/reason", detail: "is too long" },
    ],
  });
});

test.concurrent("any other rejection of a call drops all its awards", async () => {
  const naming = (pointer: string) => ({ errors: [{ pointer, detail: "?" }] });
  const rejections = [
    problem(400, "invalid_request"),
    problem(400, "invalid_json", naming("/awards")),
    problem(400, "invalid_request", naming("/awards/7/amount")),
    problem(401, "key_revoked"),
    problem(403, "scope_missing"),
    problem(404, "not_found"),
    { status: 308, headers: { location: "https://127.0.0.1:1/" } },
  ];
  await Promise.all(
    rejections.map(async (answer) => {
      const { queue, peer, dropped } = await queueOn(() => answer);
      void queue.add("p", 1);
      void queue.add("q", 1);
      expect(await queue.close()).toStrictEqual({ delivered: 0, dropped: 2 });
      expect(dropped).toHaveLength(2);
      expect(peer.received).toHaveLength(1);
    }),
  );
});

test.concurrent("every award of a call that failed temporarily is sent again with its key, not before Retry-After", async () => {
  const first = [
    problem(503, "unavailable"),
    problem(429, "rate_limited", { headers: { "retry-after": "1" } }),
    problem(500, "internal"),
    { status: 522, body: "<html>" },
    { body: "<html>" },
    { body: { results: [] } },
    { body: { results: [{ status: "applied", xp: "5" }, { status: "new" }] } },
    "cut",
    "half",
  ] as const;
  await Promise.all(
    first.map(async (answer, index) => {
      const { queue, peer, dropped } = await queueOn((request, number) =>
        number === 0 ? answer : resultsFor(request),
      );
      await Promise.all([queue.add("p", 1, { cause: "m" }), queue.add("q", 1, { cause: "m" })]);
      expect(peer.received.map(keysOf)).toStrictEqual([
        ["m/p", "m/q"],
        ["m/p", "m/q"],
      ]);
      const [one, two] = peer.received.map(({ at }) => at);
      expect((two ?? 0) - (one ?? 0)).toBeGreaterThan(index === 1 ? 990 : 200);
      expect(dropped).toStrictEqual([]);
    }),
  );
});

test.concurrent("calls are sent one at a time while the service accepts none", async () => {
  let [open, most] = [0, 0];
  const { queue, peer } = await queueOn(
    (request, number) => (number < 5 ? "cut" : resultsFor(request)),
    { maxEntries: 1 },
    {
      fetch(...sent) {
        open += 1;
        // Once the sixth was accepted, they are sent side by side again.
        if (peer.received.length < 6) most = Math.max(most, open);
        return fetch(...sent).finally(() => (open -= 1));
      },
    },
  );
  const first = queue.add("p", 1);
  // Its second try: by then, the queue knows that the first one was not accepted.
  await until(async () => peer.received.length >= 2);
  await Promise.all([first, ...Array.from({ length: 9 }, (_, index) => queue.add(`q${index}`, 1))]);
  expect(most).toBe(1);
});
