import { describe, expect, test } from "vitest";
import { makeAwardsApi, problem, type SentEntry } from "./support/awards-api.ts";
import { startGame } from "./support/game.ts";

const keysOf = (entries: readonly SentEntry[] = []): string[] => entries.map((entry) => entry.idempotencyKey);
const named = (key: string, member = 1, amount = 1): string => `${member}, ${amount}, { IdempotencyKey = "${key}" }`;
/** Results in the order of the entries, each from its status. */
const resultsOf = (entries: readonly SentEntry[], statusOf: (entry: SentEntry) => string): Response =>
  Response.json({
    applied: 0,
    results: entries.map((entry, index) => {
      const status = statusOf(entry);
      const { platformId } = entry;
      if (status === "applied")
        return { index, platformId, status, xp: "1", rank: "Guest", change: { rankChanged: false } };
      return {
        index,
        platformId,
        status,
        error: { code: status === "failed" ? "busy" : "member_not_found", detail: "So it is." },
      };
    }),
  });

describe("gathering in the Roblox client", () => {
  test("sends awards in one call after the flush time, and starts another flush time for the next call", async () => {
    const api = makeAwardsApi();
    const game = await startGame({ respond: api.respond, config: "FlushSeconds = 2" });
    await game.award("1, 1", "2, 1");
    await game.advance(1.5);
    await game.award("3, 1");
    expect(api.calls).toHaveLength(0);
    await game.advance(0.6);
    expect(api.calls.map((call) => call.length)).toStrictEqual([3]);
    await game.award("4, 1");
    await game.advance(1.9);
    expect(api.calls).toHaveLength(1);
    await game.advance(0.2);
    expect(api.calls).toHaveLength(2);
  });

  test("sends 100 awards immediately, and never more in one call", async () => {
    const api = makeAwardsApi();
    const game = await startGame({ respond: api.respond, config: "FlushSeconds = 60" });
    await game.run("for member = 1, 250 do clan:Award(member, 1) end");
    await game.advance(0);
    expect(api.calls.map((call) => call.length)).toStrictEqual([100, 100]);
    await game.advance(61);
    expect(api.calls.map((call) => call.length)).toStrictEqual([100, 100, 50]);
    expect(api.counted.size).toBe(250);
  });

  test("sends at most 200 KiB in one call", async () => {
    const api = makeAwardsApi();
    const game = await startGame({ respond: api.respond });
    await game.run(`for member = 1, 100 do clan:Award(member, 1, { Reason = string.rep("\\u{1F600}", 1000) }) end`);
    expect(await game.run("return clan:FlushAsync()")).toBe(true);
    const sizes = game.requests.map(({ body = "" }) => Buffer.byteLength(body));
    expect(sizes).toHaveLength(3);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200 * 1024);
    expect(Math.max(...sizes)).toBeGreaterThan(190 * 1024);
    expect(api.counted.size).toBe(100);
  });

  test("FlushAsync sends immediately, waits until all awards are settled, and reports dropped ones", async () => {
    const api = makeAwardsApi((call, _request, apply) => {
      if (call === 0) return { response: apply(), afterSeconds: 3 };
      return call === 1 ? problem(403, "scope_missing") : undefined;
    });
    const game = await startGame({ respond: api.respond, config: "FlushSeconds = 100" });
    const flush = "local started = os.clock() local all = clan:FlushAsync() return { all, os.clock() - started }";
    expect(await game.run(flush)).toStrictEqual([true, 0]);
    await game.award("1, 1");
    expect(await game.run(flush)).toStrictEqual([true, 3]);
    await game.award("1, 1");
    expect(await game.run(flush)).toStrictEqual([false, 0]);
  });

  test("sends at most one call at a time, and collects awards meanwhile for the next one", async () => {
    const api = makeAwardsApi((_call, _request, apply) => ({ response: apply(), afterSeconds: 3 }));
    const game = await startGame({ respond: api.respond });
    await game.award("1, 1");
    await game.advance(1);
    await game.award("1, 2", "2, 2");
    await game.advance(2.9);
    expect(api.calls).toHaveLength(1);
    await game.advance(10);
    expect(api.calls.map((call) => call.map((entry) => entry.amount))).toStrictEqual([[1], [2, 2]]);
  });
});

describe("the results of a call", () => {
  test("deliver applied awards, drop rejected ones with their code, and resend failed ones with the same key", async () => {
    const statuses = new Map([
      ["a", "applied"],
      ["r", "rejected"],
      ["f", "failed"],
    ]);
    const api = makeAwardsApi((call) =>
      call === 0 ? resultsOf(api.calls[0] ?? [], (entry) => statuses.get(entry.idempotencyKey) ?? "") : undefined,
    );
    const game = await startGame({ respond: api.respond });
    await game.award(named("a", 1), named("r", 2), named("f", 3));
    expect(await game.run("return clan:FlushAsync()")).toBe(false);
    expect(api.calls.map(keysOf)).toStrictEqual([["a", "r", "f"], ["f"]]);
    expect((await game.delivered()).map(({ ticket }) => ticket.IdempotencyKey)).toStrictEqual(["a", "f"]);
    expect(await game.dropped()).toMatchObject([
      {
        ticket: { IdempotencyKey: "r", Status: "dropped" },
        error: { Code: "member_not_found", Detail: "So it is.", Retryable: false },
      },
    ]);
  });

  test("let an award wait for earlier awards of its member outside its call, but not other members", async () => {
    const api = makeAwardsApi((call) =>
      call < 3
        ? resultsOf(api.calls[call] ?? [], (entry) => (entry.platformId === "1" ? "failed" : "applied"))
        : undefined,
    );
    const game = await startGame({ respond: api.respond, config: "FlushSeconds = 0" });
    await game.award(named("a1", 1), named("a2", 1), named("b1", 2));
    await game.advance(0);
    await game.award(named("a3", 1), named("b2", 2));
    await game.advance(0);
    expect(api.calls.map(keysOf)).toStrictEqual([["a1", "a2", "b1"], ["b2"]]);
    await game.advance(60);
    // Whatever the jitter: the member's awards set out in their order.
    const sent = new Set<string>();
    for (const key of api.calls.flatMap(keysOf)) {
      if (key === "a2") expect(sent).toContain("a1");
      if (key === "a3") expect(sent).toContain("a2");
      sent.add(key);
    }
    expect(await game.delivered()).toHaveLength(5);
    expect(
      (await game.delivered()).map(({ ticket }) => ticket.IdempotencyKey).filter((key) => key.startsWith("a")),
    ).toStrictEqual(["a1", "a2", "a3"]);
  });

  test("drop only the awards that the pointers of a 400 name, and resend the others", async () => {
    const errors = [
      { pointer: "/awards/1/amount", detail: "is too large" },
      { pointer: "/awards/1/reason", detail: "is too long" },
      { pointer: "/awards/3/amount", detail: "is too small" },
    ];
    const api = makeAwardsApi((call) => (call === 0 ? problem(400, "invalid_request", { errors }) : undefined));
    const game = await startGame({ respond: api.respond });
    await game.award(...["a", "b", "c", "d", "e"].map((key) => named(key)));
    expect(await game.run("return clan:FlushAsync()")).toBe(false);
    expect(api.calls.map(keysOf)).toStrictEqual([
      ["a", "b", "c", "d", "e"],
      ["a", "c", "e"],
    ]);
    const [b, d] = await game.dropped();
    expect(b).toMatchObject({
      ticket: { IdempotencyKey: "b" },
      error: { Code: "invalid_request", Status: 400, RequestId: "req_1" },
    });
    expect(b?.error.Errors).toStrictEqual(errors.slice(0, 2));
    expect(d).toMatchObject({
      ticket: { IdempotencyKey: "d" },
      error: { Detail: "/awards/3/amount is too small", Errors: errors.slice(2) },
    });
    expect(await game.delivered()).toHaveLength(3);
  });

  test.each([400, 401, 403, 404, 413, 415, 422, 301])(
    "drop all its awards for any other rejection: %i",
    async (status) => {
      const api = makeAwardsApi((call) => (call === 0 ? problem(status, "some_code") : undefined));
      const game = await startGame({ respond: api.respond });
      await game.award(named("a"), named("b"));
      expect(await game.run("return clan:FlushAsync()")).toBe(false);
      expect(api.calls).toHaveLength(1);
      expect((await game.dropped()).map(({ error }) => [error.Code, error.Status])).toStrictEqual([
        ["some_code", status],
        ["some_code", status],
      ]);
      expect(await game.run("return clan:AwardAsync(1, 1) ~= nil")).toBe(true);
    },
  );

  test.each([
    ["text", () => new Response("<html>", { status: 200 })],
    ["no results", () => Response.json({})],
    ["too few results", () => Response.json({ results: [] })],
    ["results of another form", () => Response.json({ results: [5] })],
    ["a result of another form", () => Response.json({ results: [{ status: "applied" }] })],
  ])("send its awards again for a 200 that is not one of the API: %s", async (_name, answer) => {
    const api = makeAwardsApi((call) => (call === 0 ? answer() : undefined));
    const game = await startGame({ respond: api.respond });
    await game.award(named("a"));
    expect(await game.run("return clan:FlushAsync()")).toBe(true);
    expect(api.calls.map(keysOf)).toStrictEqual([["a"], ["a"]]);
    const lost = await startGame({ respond: answer, config: "DeadlineSeconds = 20" });
    expect(await lost.run("return select(2, clan:AwardAsync(1, 1))")).toMatchObject({
      Code: "unexpected_answer",
      Status: 200,
      Detail: "The answer with status 200 is not one of the API",
      Retryable: true,
    });
  });
});

describe("the bounds of the Roblox client", () => {
  test("drop a new award with queue_full beyond MaxPending unsettled awards, including those in a call", async () => {
    const api = makeAwardsApi((_call, _request, apply) => ({ response: apply(), afterSeconds: 5 }));
    const game = await startGame({ respond: api.respond, config: "MaxPending = 3" });
    await game.award(named("a"), named("b"));
    await game.advance(2);
    const statuses = await game.run(`
      local first, second = clan:Award(1, 1), clan:Award(1, 1)
      local _, problem = clan:AwardAsync(1, 1)
      return { first.Status, second.Status, problem }`);
    expect(statuses).toMatchObject(["pending", "dropped", { Code: "queue_full", Retryable: true }]);
    await game.advance(10);
    expect([(await game.delivered()).length, (await game.dropped()).length]).toStrictEqual([3, 2]);
    expect(await game.run("return clan:Award(1, 1).Status")).toBe("pending");
  });

  test("drop an award with its last error at its deadline, without a wait that would end later", async () => {
    const api = makeAwardsApi(() => problem(503, "unavailable", {}, { "Retry-After": "30" }));
    const game = await startGame({ respond: api.respond, config: "DeadlineSeconds = 70" });
    await game.award(named("a"));
    await game.advance(65);
    expect(game.requests.map(({ at }) => at - 1000)).toStrictEqual([1, 31, 61]);
    const [drop] = await game.dropped();
    expect(drop).toMatchObject({
      ticket: { IdempotencyKey: "a" },
      error: { Code: "unavailable", Status: 503, Retryable: true },
    });
    await game.advance(300);
    expect(await game.dropped()).toHaveLength(1);
    expect(game.requests).toHaveLength(3);
  });

  test("drop an award with timeout if it was never sent in time", async () => {
    const game = await startGame({
      respond: makeAwardsApi().respond,
      config: "RequestsPerMinute = 1, DeadlineSeconds = 20",
    });
    await game.run("clan:AwardAsync(1, 1)");
    await game.award(named("late"));
    await game.advance(19);
    expect(await game.dropped()).toHaveLength(0);
    await game.advance(2);
    expect(await game.dropped()).toMatchObject([{ error: { Code: "timeout", Retryable: true } }]);
  });

  test("end an attempt at its timeout, and an award at its deadline even during an attempt", async () => {
    const hangs = await startGame({ respond: () => "silence", config: "DeadlineSeconds = 25" });
    await hangs.award(named("a"));
    await hangs.advance(24);
    expect(hangs.requests.length).toBeGreaterThan(1);
    await hangs.advance(1);
    expect(await hangs.dropped()).toMatchObject([{ error: { Code: "timeout" } }]);
    const once = await startGame({ respond: () => "silence", config: "DeadlineSeconds = 5" });
    await once.award(named("a"));
    await once.advance(5);
    expect(await once.dropped()).toMatchObject([{ error: { Code: "timeout" } }]);
  });

  test("do not deliver an award if its response arrives after it was dropped", async () => {
    const api = makeAwardsApi((_call, _request, apply) => ({ response: apply(), afterSeconds: 8 }));
    const game = await startGame({ respond: api.respond, config: "DeadlineSeconds = 5" });
    await game.award(named("a"));
    await game.advance(60);
    expect([(await game.delivered()).length, (await game.dropped()).length]).toStrictEqual([0, 1]);
  });
});
