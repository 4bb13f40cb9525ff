import { describe, expect, test } from "vitest";
import { makeAwardsApi, problem } from "./support/awards-api.ts";
import { startGame } from "./support/game.ts";

/** Awards as Luau, and what the error must name. */
const wrongAwards = [
  ["1, 1.5", "amount"],
  ["1, 2^53", "amount"],
  ["1, 0/0", "amount"],
  ["1, math.huge", "amount"],
  [`1, "5"`, "amount"],
  ["1, nil", "amount"],
  ["nil, 1", "platformId"],
  ["1.5, 1", "platformId"],
  ["{}, 1", "platformId"],
  [`"", 1`, "platformId"],
  [`"..", 1`, "platformId"],
  [`"a b", 1`, "platformId"],
  [`"\\n", 1`, "platformId"],
  [`string.rep("a", 65), 1`, "platformId"],
  [`1, 1, { Cause = "" }`, "Cause"],
  [`1, 1, { Cause = string.rep("a", 191) }`, "Cause"],
  [`1, 1, { Cause = "a b" }`, "Cause"],
  [`1, 1, { IdempotencyKey = string.rep("a", 256) }`, "IdempotencyKey"],
  [`1, 1, { IdempotencyKey = 'a"' }`, "IdempotencyKey"],
  [`1, 1, { IdempotencyKey = "a\\\\" }`, "IdempotencyKey"],
  [`1, 1, { IdempotencyKey = "\\u{e9}" }`, "IdempotencyKey"],
  [`1, 1, { Reason = 5 }`, "Reason"],
  [`1, 1, { Reason = "\\255" }`, "UTF-8"],
  [`1, 1, { Reason = string.rep("a", 300000) }`, "larger"],
  [`1, 1, { reason = "typo" }`, 'options has no field "reason". It accepts Cause, IdempotencyKey, Reason, Source'],
  [`1, 1, { Source = { PlaceId = "1" } }`, "PlaceId"],
  [`1, 1, { Source = { placeId = 1 } }`, "placeId"],
  [`1, 1, "won"`, "options"],
];

describe("an award of the Roblox client", () => {
  test("returns a ticket immediately, and is delivered with the fields of the API", async () => {
    const api = makeAwardsApi();
    const game = await startGame({ respond: api.respond });
    const ticket = await game.run(`
      local ticket = clan:Award(42, 10, { Reason = "won", Source = { placeId = "1", verified = true },
        IdempotencyKey = "k-1" })
      return table.clone(ticket)`);
    expect(ticket).toStrictEqual({ PlatformId: "42", Amount: 10, IdempotencyKey: "k-1", Status: "pending" });
    expect(await game.run("return clan:FlushAsync()")).toBe(true);
    const result = { platformId: "42", xp: "10", rank: "Recruit", replayed: false };
    expect(await game.delivered()).toMatchObject([{ ticket: { ...ticket, Status: "delivered" }, result }]);
    const [sent] = game.requests;
    expect(sent).toMatchObject({ method: "POST", url: "https://xp.example.com/v0/clans/rovers/awards?include=change" });
    expect(sent?.headers).toStrictEqual({ Authorization: "Bearer test-key", "Content-Type": "application/json" });
    const source = { placeId: "1", verified: true };
    expect(api.calls).toStrictEqual([[{ platformId: "42", amount: 10, reason: "won", source, idempotencyKey: "k-1" }]]);
  });

  test("never yields, not even the first one, a full call, wrong arguments or a full queue", async () => {
    const game = await startGame({ respond: makeAwardsApi().respond, config: "MaxPending = 150" });
    expect(
      await game.run(`
        local yielded = 0
        for index = 1, 200 do
          local thread = coroutine.create(function() clan:Award(index, 1) end)
          coroutine.resume(thread)
          if coroutine.status(thread) ~= "dead" then yielded += 1 end
        end
        local thread = coroutine.create(function() pcall(clan.Award, clan, 1, 0.5) end)
        coroutine.resume(thread)
        return { yielded, coroutine.status(thread) }`),
    ).toStrictEqual([0, "dead"]);
  });

  test("accepts a player, a user ID (also of a test player) or a platform ID", async () => {
    const api = makeAwardsApi();
    const game = await startGame({ respond: api.respond });
    await game.join(77);
    await game.award(
      `game:GetService("Players"):GetPlayers()[1], 1`,
      "-1, 1",
      "9007199254740991, 1",
      `"a.B_c:d@e|f-9", 1`,
      "1e10, 1",
    );
    await game.run("clan:FlushAsync()");
    expect(api.calls.flat().map((entry) => entry.platformId)).toStrictEqual([
      "77",
      "-1",
      "9007199254740991",
      "a.B_c:d@e|f-9",
      "10000000000",
    ]);
  });

  test("carries one idempotency key: the caller's, one per cause and member, or a random one", async () => {
    const api = makeAwardsApi();
    const game = await startGame({ respond: api.respond });
    await game.award(`1, 5, { IdempotencyKey = "mine", Cause = "c" }`, `1, 5, { Cause = "round-9" }`, "1, 5", "1, 5");
    await game.run("clan:FlushAsync()");
    const [mine, cause, ...random] = api.calls.flat().map((entry) => entry.idempotencyKey);
    expect([mine, cause]).toStrictEqual(["mine", "round-9/1"]);
    expect(new Set(random).size).toBe(2);
    for (const key of random) expect(key).toMatch(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
  });

  test("has the place and the match at its call as its source in every try, where it gives none", async () => {
    const api = makeAwardsApi((call) => (call === 0 ? problem(503, "busy") : undefined));
    const config = "MatchId = function() return match end";
    const [game, unpublished] = await Promise.all([
      startGame({ respond: api.respond, config: `FlushSeconds = 0, ${config}` }),
      startGame({ respond: api.respond, placeId: 0 }),
    ]);
    await game.run(`
      match = "m-1"
      clan:Award(1, 1)
      match = "m-2"
      clan:Award(2, 1, { Source = { matchId = "mine", verified = true } })
      match = nil
      clan:Award(3, 1, { Source = { placeId = "9" } })
      clan:FlushAsync()`);
    const sources = [
      { placeId: "1818", matchId: "m-1" },
      { placeId: "1818", matchId: "mine", verified: true },
      { placeId: "9" },
    ];
    expect(api.calls.map((call) => call.map(({ source }) => source))).toStrictEqual([sources, sources]);
    await unpublished.run("clan:AwardAsync(1, 1)");
    expect(api.calls[2]?.[0]).not.toHaveProperty("source");
  });

  test("with a key or cause has no other source than it gives, since other places may send the same", async () => {
    const api = makeAwardsApi();
    const game = await startGame({ respond: api.respond, config: `MatchId = function() return "m" end` });
    await game.award(`1, 1, { Cause = "c" }`, `1, 1, { Cause = "d", Source = { verified = true } }`);
    await game.award(`1, 1, { IdempotencyKey = "k" }`);
    await game.run("clan:FlushAsync()");
    expect(api.calls.flat().map(({ source }) => source)).toStrictEqual([undefined, { verified: true }, undefined]);
  });

  test("is sent without a match if MatchId raises an error or returns no text", async () => {
    const api = makeAwardsApi();
    const config = `MatchId = function() return if failing then error("oops") else 5 end`;
    const game = await startGame({ respond: api.respond, config });
    await game.run("clan:Award(1, 1) failing = true clan:AwardAsync(2, 1)");
    expect(api.calls.flat().map(({ source }) => source)).toStrictEqual([{ placeId: "1818" }, { placeId: "1818" }]);
    expect(game.warnings).toStrictEqual([
      "[ClanXP] MatchId must return a string or nil: number",
      expect.stringMatching(/^\[ClanXP\] MatchId must return a string or nil: .*oops$/),
    ]);
  });

  test("omits an empty source, and sends -0 as 0", async () => {
    const api = makeAwardsApi();
    const game = await startGame({ respond: api.respond });
    await game.award(`1, -0, { Source = {}, IdempotencyKey = "k" }`);
    await game.run("clan:FlushAsync()");
    expect(game.requests[0]?.body).not.toMatch(/source|-0/);
  });

  test("with wrong arguments raises an error that names them, before anything is sent", async () => {
    const game = await startGame({ respond: makeAwardsApi().respond });
    for (const [award = "", named = ""] of wrongAwards) {
      const [raised, error, text] = await game.run(`
        local returned, problem = pcall(function() clan:Award(${award}) end)
        return { not returned, problem, tostring(problem) }`);
      expect([award, raised, error.Code, error.Retryable]).toStrictEqual([award, true, "invalid_argument", false]);
      expect(error.Detail).toContain(named);
      expect(text).toBe(`invalid_argument: ${error.Detail}`);
    }
    await game.advance(10);
    expect(game.requests).toHaveLength(0);
  });

  test("AwardAsync returns the result or the error of its award", async () => {
    const api = makeAwardsApi((call) => (call === 1 ? problem(403, "scope_missing") : undefined));
    const game = await startGame({ respond: api.respond });
    const [result, none] = await game.run(
      "local result, problem = clan:AwardAsync(1, 5) return { result, problem or 'none' }",
    );
    expect(result).toMatchObject({ platformId: "1", xp: "5", replayed: false });
    expect(none).toBe("none");
    expect(
      await game.run("local result, problem = clan:AwardAsync(1, -5) return { result == nil, problem }"),
    ).toStrictEqual([
      true,
      { Code: "scope_missing", Status: 403, Detail: "It is scope_missing.", RequestId: "req_1", Retryable: false },
    ]);
  });
});

describe("the signals of the Roblox client", () => {
  test("continue for other listeners and the queue if a listener raises or yields", async () => {
    const api = makeAwardsApi();
    const game = await startGame({ respond: api.respond, listen: false });
    await game.run(`
      heard = 0
      clan.Delivered:Connect(function() error("listener's fault") end)
      clan.Delivered:Connect(function() task.wait(1000) end)
      clan.Delivered:Connect(function() heard += 1 end)`);
    await game.award("1, 1", "2, 1");
    await game.run("clan:FlushAsync()");
    await game.run("clan:AwardAsync(3, 1)");
    expect(await game.run("return heard")).toBe(3);
    expect(game.warnings).toHaveLength(3);
    expect(game.warnings[0]).toContain("listener's fault");
  });

  test("do not call a disconnected listener again, which may also disconnect itself", async () => {
    const game = await startGame({ respond: makeAwardsApi().respond, listen: false });
    await game.run(`
      heard = {}
      local connection
      connection = clan.Delivered:Connect(function() table.insert(heard, "once") connection:Disconnect() end)
      clan.Delivered:Connect(function() table.insert(heard, "always") end)`);
    await game.award("1, 1", "2, 1");
    await game.run("clan:FlushAsync()");
    expect(await game.run("return heard")).toStrictEqual(["once", "always", "always"]);
  });

  test("have Once, Wait and DisconnectAll, as those of Roblox", async () => {
    const game = await startGame({ respond: makeAwardsApi().respond, listen: false });
    const { ended } = await game.start(
      "local ticket, result = clan.Delivered:Wait() return { ticket.Amount, result.xp }",
    );
    await game.run(`
      heard = {}
      clan.Delivered:Once(function(ticket)
        table.insert(heard, "once " .. ticket.Amount)
        clan:AwardAsync(1, 2)
      end)
      clan.Delivered:Once(function() table.insert(heard, "never") end):Disconnect()
      clan.Delivered:Connect(function(ticket) table.insert(heard, "always " .. ticket.Amount) end)`);
    await game.run("clan:AwardAsync(1, 1)");
    await game.advance(2);
    expect(await game.run("return heard")).toStrictEqual(["once 1", "always 1", "always 2"]);
    expect(await ended).toStrictEqual([1, "1"]);
    await game.run("clan.Delivered:DisconnectAll() clan:AwardAsync(1, 3)");
    expect(await game.run("return #heard")).toBe(3);
    const wrong = "local _, problem = pcall(clan.Delivered.Once, clan.Delivered, 5) return problem.Detail";
    expect(await game.run(wrong)).toBe("A listener must be a function");
  });

  test("let a listener call Award", async () => {
    const api = makeAwardsApi();
    const game = await startGame({ respond: api.respond });
    await game.run(
      `clan.Delivered:Connect(function(ticket) if ticket.Amount < 3 then clan:Award(1, ticket.Amount + 1) end end)`,
    );
    await game.award("1, 1");
    await game.advance(10);
    expect((await game.delivered()).map(({ ticket }) => ticket.Amount)).toStrictEqual([1, 2, 3]);
  });

  test("fire RankChanged once per delivered award with a new rank, even for replayed ones", async () => {
    const change = (rankChanged: boolean): object => ({ previousXp: "90", previousRank: "Guest", rankChanged });
    const results = [
      { index: 0, platformId: "1", status: "applied", xp: "100", rank: "Recruit", change: change(true) },
      { index: 1, platformId: "1", status: "applied", xp: "101", rank: "Recruit", change: change(false) },
      { index: 2, platformId: "2", status: "replayed", xp: "100", rank: "Recruit", change: change(true) },
    ];
    const api = makeAwardsApi(() => Response.json({ applied: 3, results }));
    const game = await startGame({ respond: api.respond });
    await game.award("1, 10", "1, 1", "2, 10");
    await game.run("clan:FlushAsync()");
    expect(await game.rankChanges()).toStrictEqual([
      ["1", "Recruit", "Guest", "100"],
      ["2", "Recruit", "Guest", "100"],
    ]);
    expect((await game.delivered()).map(({ result }) => result.replayed)).toStrictEqual([false, false, true]);
  });

  test("print a warning with the award if it is dropped without a listener", async () => {
    const game = await startGame({ respond: () => problem(404, "member_not_found"), listen: false });
    await game.award(`7, 25, { Cause = "boss" }`);
    await game.advance(2);
    expect(game.warnings).toStrictEqual([
      "[ClanXP] Dropped the award of 25 XP for 7 (key boss/7): member_not_found: It is member_not_found.",
    ]);
  });
});
