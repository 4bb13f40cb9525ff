import { describe, expect, test } from "vitest";
import { makeAwardsApi, problem } from "./support/awards-api.ts";
import { startGame, type Game } from "./support/game.ts";

/** Seconds between one request and the next. */
const waits = ({ requests }: Game): number[] =>
  requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0));

describe("a retry of the Roblox client", () => {
  test("uses the same key and payload after a temporary error, and is applied once", async () => {
    const failures = [
      () => ({ raise: "HttpError: ConnectFail" }),
      ...[408, 425, 429, 500, 501, 502, 503, 504].map((status) => () => problem(status, "some_code")),
      // Of a proxy, a tunnel or a sign-in page in front of the service.
      ...[200, 203, 502, 520, 522, 526, 530, 599].map((status) => () => new Response("<html>", { status })),
      ...[[], null, { ok: true }].map((body) => () => Response.json(body)),
      () => "silence" as const,
    ];
    // The last of them is applied, but its answer is lost.
    const api = makeAwardsApi((call, _request, apply) => {
      if (call < failures.length) return failures[call]?.();
      if (call > failures.length) return undefined;
      apply();
      return { raise: "HttpError: NetFail" };
    });
    const game = await startGame({ respond: api.respond, config: "DeadlineSeconds = 1000" });
    await game.award(`1, 5, { Reason = "won" }`);
    expect(await game.run("return clan:FlushAsync()")).toBe(true);
    expect(new Set(game.requests.map(({ body }) => body)).size).toBe(1);
    expect(game.requests).toHaveLength(failures.length + 2);
    expect([...api.counted.values()]).toStrictEqual([5]);
    expect(await game.delivered()).toMatchObject([{ result: { xp: "5", replayed: true } }]);
  });

  test("waits longer each time, with jitter: at first less than 1 s, never more than 10 s", async () => {
    const games = await Promise.all([1, 2].map(() => startGame({ respond: () => problem(503, "unavailable") })));
    for (const game of games) {
      await game.award("1, 1");
      await game.advance(120);
      const [first = 9, second = 9, ...later] = waits(game);
      expect(first).toBeGreaterThan(0.1);
      expect(first).toBeLessThan(1);
      expect(second).toBeLessThan(2);
      expect(Math.max(...later)).toBeLessThanOrEqual(10);
      expect(later.at(-1)).toBeGreaterThanOrEqual(5);
    }
    expect(waits(games[0] as Game)).not.toStrictEqual(waits(games[1] as Game));
  });

  test("waits briefly if it is an award's first one, whatever failed before it", async () => {
    const game = await startGame({ respond: () => problem(503, "unavailable"), config: "DeadlineSeconds = 60" });
    await game.award("1, 1");
    await game.advance(100);
    expect(await game.dropped()).toHaveLength(1);
    const before = game.requests.length;
    await game.award("2, 1");
    await game.advance(20);
    expect(waits(game)[before]).toBeLessThan(1);
  });

  test("is not made after a redirect, whose error names where it points to", async () => {
    const location = "https://elsewhere.example.com/?key=test-key-of-a-game";
    const game = await startGame({
      respond: () => new Response("<html>", { status: 308, headers: { location } }),
      config: `ApiKey = "test-key-of-a-game", FlushSeconds = 0`,
    });
    const problems = await game.run("return { select(2, clan:AwardAsync(1, 5)), select(2, clan:GetMemberAsync(1)) }");
    const redirected = {
      Code: "unexpected_answer",
      Status: 308,
      Detail:
        "The answer with status 308 is a redirect to https://elsewhere.example.com/?key=(the API key), which is not followed",
      Retryable: false,
    };
    expect(problems).toStrictEqual([redirected, redirected]);
    expect(game.requests).toHaveLength(2);
  });

  const inSeconds = (seconds: number): string => new Date(Date.UTC(2026, 10, 22, 10) + seconds * 1000).toUTCString();
  test.each([
    ["seconds", { "retry-after": "7" }, 7],
    ["another case", { "RETRY-AFTER": "7" }, 7],
    ["longer than a back-off", { "Retry-After": "45" }, 45],
    ["an HTTP date", { "Retry-After": inSeconds(21) }, 20],
    ["a date that has passed", { "Retry-After": inSeconds(-50) }, 0],
    ["nonsense", { "Retry-After": "soon" }, 0],
  ])("is not sent before Retry-After: %s", async (_name, headers, seconds) => {
    const api = makeAwardsApi((call) => (call === 0 ? problem(429, "rate_limited", {}, headers) : undefined));
    const game = await startGame({ respond: api.respond, headerCase: () => Object.keys(headers)[0] ?? "" });
    await game.award("1, 1");
    await game.advance(60);
    const [wait = -1] = waits(game);
    expect(wait).toBeGreaterThanOrEqual(seconds);
    expect(wait).toBeLessThan(seconds + 1);
  });

  test.each(["2024-02-29T00:00:05Z", "2025-01-01T00:00:05Z", "2026-03-01T00:00:05Z", "2100-03-01T00:00:05Z"])(
    "waits for the date in Retry-After: %s",
    async (at) => {
      const headers = { "retry-after": new Date(at).toUTCString() };
      const api = makeAwardsApi((call) => (call === 0 ? problem(503, "busy", {}, headers) : undefined));
      const game = await startGame({ respond: api.respond, startsAt: new Date(Date.parse(at) - 13_000) });
      await game.award("1, 1");
      await game.advance(60);
      expect(waits(game)).toStrictEqual([12]);
    },
  );

  test("waits for the date in Retry-After by the clock of the response, if it has one", async () => {
    const at = Date.parse("2020-05-17T12:00:00Z");
    const headers = { "Retry-After": new Date(at + 15_000).toUTCString(), Date: new Date(at).toUTCString() };
    const api = makeAwardsApi((call) => (call === 0 ? problem(503, "busy", {}, headers) : undefined));
    const game = await startGame({ respond: api.respond });
    await game.award("1, 1");
    await game.advance(60);
    expect(waits(game)).toStrictEqual([15]);
  });

  test("waits for Retry-After even if only a single award failed", async () => {
    const failed = { index: 0, platformId: "1", status: "failed", error: { code: "busy", detail: "Later." } };
    const api = makeAwardsApi((call) =>
      call === 0 ? Response.json({ applied: 0, results: [failed] }, { headers: { "retry-after": "4" } }) : undefined,
    );
    const game = await startGame({ respond: api.respond });
    await game.award("1, 1");
    expect(await game.run("return clan:FlushAsync()")).toBe(true);
    expect(waits(game)).toStrictEqual([4]);
  });

  test("delays awards that were added meanwhile, so that an overloaded server receives no request for each", async () => {
    const api = makeAwardsApi((call) => (call === 0 ? problem(503, "busy", {}, { "Retry-After": "20" }) : undefined));
    const game = await startGame({ respond: api.respond });
    await game.award("1, 1");
    await game.advance(5);
    await game.award("2, 1");
    await game.advance(15);
    expect(game.requests).toHaveLength(1);
    await game.advance(2);
    expect(api.calls.at(-1)).toHaveLength(2);
  });
});

describe("an invalid response", () => {
  test("with an error settles its awards, and later awards are sent", async () => {
    const named = { pointer: "/awards/0/amount", detail: "must be less" };
    const api = makeAwardsApi((call) =>
      call < 2
        ? problem(400, "bad_request", { errors: [1, [], {}, { pointer: 1 }, ...(call === 0 ? [named] : [])] })
        : undefined,
    );
    const game = await startGame({ respond: api.respond });
    await game.award("1, 1", "2, 1");
    expect(await game.run("return clan:FlushAsync()")).toBe(false);
    expect((await game.dropped()).map(({ ticket, error }) => [ticket.PlatformId, error.Code])).toStrictEqual([
      ["1", "bad_request"],
      ["2", "bad_request"],
    ]);
    await game.award("3, 1");
    expect(await game.run("return clan:FlushAsync()")).toBe(true);
  });

  test("with an invalid change delivers the result without it", async () => {
    const applied = { index: 0, platformId: "1", status: "applied", xp: "1", rank: "Guest", change: 1 };
    const api = makeAwardsApi((call) => (call === 0 ? Response.json({ applied: 1, results: [applied] }) : undefined));
    const game = await startGame({ respond: api.respond });
    await game.award("1, 1");
    await game.run("clan:FlushAsync()");
    await game.award("2, 1");
    expect(await game.run("return clan:FlushAsync()")).toBe(true);
    expect(await game.delivered()).toHaveLength(2);
  });
});

describe("an API key whose rate of awards is below a full call", () => {
  test("gets smaller calls after some 429 responses, and larger ones again after successes", async () => {
    const burst = 20;
    const api = makeAwardsApi((call) =>
      (api.calls[call]?.length ?? 0) > burst ? problem(429, "rate_limited") : undefined,
    );
    const game = await startGame({ respond: api.respond });
    await game.run("for member = 1, 100 do clan:Award(member, 1) end");
    expect(await game.run("return clan:FlushAsync()")).toBe(true);
    expect(api.counted.size).toBe(100);
    expect(api.calls[1]).toHaveLength(100);
    expect(game.requests.length).toBeLessThan(30);
  });

  test("gets full calls while only other failures precede a 429", async () => {
    const api = makeAwardsApi((call) =>
      call < 3 ? problem(503, "busy") : call === 3 ? problem(429, "rate_limited") : undefined,
    );
    const game = await startGame({ respond: api.respond });
    await game.run("for member = 1, 100 do clan:Award(member, 1) end");
    expect(await game.run("return clan:FlushAsync()")).toBe(true);
    expect(api.calls.map(({ length }) => length)).toStrictEqual([100, 100, 100, 100, 100]);
  });
});

describe("the reads of the Roblox client", () => {
  const member = {
    platformId: "a|b",
    xp: "150",
    rank: "Recruit",
    membership: null,
    nextRank: "Veteran",
    xpToNextRank: "850",
  };

  test("return a member as the API does, nil for an unknown one, and encode the path", async () => {
    const game = await startGame({
      respond: ({ url }) => (url.endsWith("/nobody") ? problem(404, "member_not_found") : Response.json(member)),
    });
    const { membership: _, ...sent } = member;
    expect(
      await game.run(`local member, problem = clan:GetMemberAsync("a|b") return { member, problem }`),
    ).toStrictEqual([sent]);
    expect(
      await game.run(`local member, problem = clan:GetMemberAsync("nobody") return { member == nil, problem == nil }`),
    ).toStrictEqual([true, true]);
    expect(
      game.requests.map(({ method, url, body, headers }) => [method, url, body, Object.keys(headers)]),
    ).toStrictEqual([
      ["GET", "https://xp.example.com/v0/clans/rovers/members/a%7Cb", undefined, ["Authorization"]],
      ["GET", "https://xp.example.com/v0/clans/rovers/members/nobody", undefined, ["Authorization"]],
    ]);
  });

  test("pass order, limit and cursor to the list of members", async () => {
    const game = await startGame({ respond: () => Response.json({ members: [member], nextCursor: "a/b==" }) });
    const page = await game.run(`
      local page = clan:GetMembersAsync()
      return (clan:GetMembersAsync({ Sort = "xp", Limit = 10, Cursor = page.nextCursor }))`);
    expect(page.nextCursor).toBe("a/b==");
    expect(game.requests.map(({ url }) => url.split("rovers")[1])).toStrictEqual([
      "/members",
      "/members?sort=xp&limit=10&cursor=a%2Fb%3D%3D",
    ]);
  });

  test("are retried by the same rules, and return the error that ends them", async () => {
    let count = 0;
    const game = await startGame({
      respond() {
        count += 1;
        return count === 1
          ? problem(503, "unavailable")
          : count === 2
            ? Response.json(member)
            : problem(401, "key_revoked");
      },
    });
    expect(await game.run("return (clan:GetMemberAsync(1)).xp")).toBe("150");
    expect(
      await game.run("local member, problem = clan:GetMemberAsync(1) return { member == nil, problem }"),
    ).toStrictEqual([
      true,
      { Code: "key_revoked", Status: 401, Detail: "It is key_revoked.", RequestId: "req_1", Retryable: false },
    ]);
    expect(game.requests).toHaveLength(3);
  });

  test.each([
    ["an answer of another page", "GetMemberAsync(1)", () => Response.json({ status: "ok" })],
    ["an answer without the list", "GetMembersAsync()", () => Response.json({ members: 5 })],
    ["the status of a proxy", "GetMembersAsync()", () => new Response("<html>", { status: 522 })],
  ])("retry after %s", async (_name, call, answer) => {
    let count = 0;
    const game = await startGame({
      respond: () => ((count += 1) === 1 ? answer() : Response.json({ ...member, members: [member] })),
    });
    expect(await game.run(`return { clan:${call} ~= nil, select(2, clan:${call}) == nil }`)).toStrictEqual([
      true,
      true,
    ]);
    expect(game.requests).toHaveLength(3);
  });

  test.each([
    ["connection", { raise: "HttpError: DnsResolve" }],
    ["timeout", "silence" as const],
  ])("end in time with the error of the last attempt: %s", async (code, answered) => {
    const game = await startGame({ respond: () => answered });
    const [seconds, error] = await game.run(`
      local started = os.clock()
      local _, problem = clan:GetMemberAsync(1)
      return { os.clock() - started, problem }`);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(game.requests.length).toBeGreaterThan(4);
    expect(error).toMatchObject({ Code: code, Retryable: true });
  });
});
