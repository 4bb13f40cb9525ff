import { describe, expect, test } from "vitest";
import { makeAwardsApi, problem } from "./support/awards-api.ts";
import { startGame } from "./support/game.ts";

const PLAYERS = `game:GetService("Players")`;
const AWARD_ALL = `for _, player in ${PLAYERS}:GetPlayers() do clan:Award(player, 1) end`;
const named = (platformId: number, name = `Player${platformId}`): object => ({ platformId: String(platformId), name });

describe("the names that the Roblox client sends", () => {
  test("are those of the players of awards and reads, once a player and server, in one request after the awards", async () => {
    const api = makeAwardsApi((_call, request) => (request.method === "GET" ? Response.json({ xp: "1" }) : undefined));
    const game = await startGame({ respond: api.respond });
    for (const userId of [1, 2, 3]) await game.join(userId);
    await game.run(AWARD_ALL);
    await game.join(4, "Ada");
    await game.run(`clan:GetMemberAsync(${PLAYERS}:GetPlayerByUserId(4))`);
    await game.advance(2);
    const expected = [named(1), named(2), named(3), named(4, "Ada")];
    expect(api.nameCalls.map((names) => new Set(names))).toStrictEqual([new Set(expected)]);
    const posted = game.requests.filter(({ method }) => method === "POST").map(({ url }) => url);
    expect(posted[0]).toMatch(/awards/);
    expect(posted[1]).toBe("https://xp.example.com/v0/clans/rovers/names");

    await game.leave(3);
    await game.join(3);
    await game.run(AWARD_ALL);
    await game.advance(2);
    expect(api.calls).toHaveLength(2);
    expect(api.nameCalls).toHaveLength(1);
  });

  test("are no more than 100 a request", async () => {
    const api = makeAwardsApi();
    const game = await startGame({ respond: api.respond });
    await game.run(`for id = 1, 230 do clan:Award({ UserId = id, Name = "P" .. id }, 1) end`);
    await game.advance(2);
    expect(api.nameCalls.map((names) => names.length)).toStrictEqual([100, 100, 30]);
    expect(new Set(api.nameCalls.flat().map(({ platformId }) => platformId)).size).toBe(230);
  });

  test("are not sent for IDs, wrong arguments and names that are no text, nor with SendNames = false", async () => {
    const api = makeAwardsApi();
    const config = "SendNames = false";
    const [on, off] = await Promise.all([
      startGame({ respond: api.respond }),
      startGame({ respond: api.respond, config }),
    ]);
    await on.award("1, 1", `"2", 1`, `{ UserId = 3, Name = "\\255" }, 1`, "{ UserId = 4 }, 1");
    await on.run(`pcall(function() clan:Award({ UserId = 5, Name = "P5" }, 0.5) end)`);
    await on.advance(2);
    await off.join(6);
    await off.run(AWARD_ALL);
    await off.advance(2);
    expect(api.calls.flat()).toHaveLength(5);
    expect(api.nameCalls).toStrictEqual([]);
    const wrong = `local _, problem = pcall(ClanXP.new, { BaseUrl = "http://a", ClanId = "c", SendNames = 1 })`;
    expect(await on.run(`${wrong} return problem.Detail`)).toBe("config.SendNames must be a boolean");
    await on.run(`clan:Award({ UserId = 7, Name = "P7" }, 1)`);
    await on.advance(2);
    expect(api.nameCalls).toStrictEqual([[named(7, "P7")]]);
  });

  test("count in the budget, and wait for awards that need it", async () => {
    const api = makeAwardsApi();
    const game = await startGame({ respond: api.respond, config: "RequestsPerMinute = 1" });
    await game.join(1);
    await game.run(AWARD_ALL);
    await game.advance(30);
    await game.run(AWARD_ALL);
    await game.advance(70);
    expect([api.calls.length, api.nameCalls.length]).toStrictEqual([2, 0]);
    await game.advance(60);
    expect(api.nameCalls).toStrictEqual([[named(1)]]);
    const starts = game.requests.map(({ at }) => at);
    expect(starts.slice(1).every((at, index) => at - (starts[index] ?? 0) > 60)).toBe(true);
  });

  test.each([
    ["a 503", problem(503, "busy", {}, { "retry-after": "20" }), 20],
    ["a lost connection", { raise: "HttpError: NetFail" }, 0],
    ["silence", "silence" as const, 10],
    ["a response of another sender", Response.json({}), 0],
  ])("are sent again after %s, and hold up no award meanwhile", async (_kind, answer, seconds) => {
    const api = makeAwardsApi(undefined, (call) => (call === 0 ? answer : undefined));
    const game = await startGame({ respond: api.respond });
    await game.join(1);
    await game.run(AWARD_ALL);
    await game.advance(1.1);
    await game.join(2);
    await game.run(AWARD_ALL);
    await game.run("clan:FlushAsync()");
    expect(await game.delivered()).toHaveLength(3);
    await game.advance(seconds + 2);
    expect(api.nameCalls[0]).toStrictEqual([named(1)]);
    expect(new Set(api.nameCalls.slice(1).flat())).toStrictEqual(new Set([named(1), named(2)]));
    const [first, second] = game.requests.filter(({ url }) => url.endsWith("/names"));
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(Math.max(seconds, 0.4));
    expect(game.warnings).toStrictEqual([]);
  });

  test("are fewer in a call after each 429, since the key's rate of awards may be lower", async () => {
    const api = makeAwardsApi(undefined, (call) => (call < 2 ? problem(429, "rate_limited") : undefined));
    const game = await startGame({ respond: api.respond });
    await game.run(`for id = 1, 100 do clan:Award({ UserId = id, Name = "P" .. id }, 1) end`);
    await game.advance(10);
    expect(api.nameCalls.map((names) => names.length)).toStrictEqual([100, 50, 25, 75]);
  });

  test("are not sent any more after a rejection, with one warning, while awards are", async () => {
    const api = makeAwardsApi(undefined, () => problem(403, "scope_missing"));
    const game = await startGame({ respond: api.respond });
    for (const userId of [1, 2, 3]) {
      await game.join(userId);
      await game.run(AWARD_ALL);
      expect(await game.run("return clan:FlushAsync()")).toBe(true);
      await game.advance(2);
    }
    expect(api.nameCalls).toHaveLength(1);
    expect(game.warnings).toStrictEqual([
      "[ClanXP] Names are not sent any more, awards are. SendNames = false turns them off: scope_missing: It is scope_missing.",
    ]);
    expect([await game.delivered(), await game.dropped()].map((list) => list.length)).toStrictEqual([6, 0]);
  });

  test("are forgotten beyond 10,000 players, so that a server that runs for months does not fill up", async () => {
    const busy = (): Response => problem(503, "busy", {}, { "retry-after": "50" });
    const api = makeAwardsApi(undefined, (call) => (call === 0 ? busy() : undefined));
    const game = await startGame({ respond: api.respond, config: "MaxPending = 1" });
    await game.run(`
      for id = 1, 10001 do clan:Award({ UserId = id, Name = "P" .. id }, 1) if id == 1 then task.wait(2) end end`);
    await game.advance(60);
    expect(api.nameCalls.map((names) => names.length)).toStrictEqual([1, 1]);
  });

  test("are sent when the server shuts down, after the awards, in one try within DrainSeconds", async () => {
    const api = makeAwardsApi();
    const config = "FlushSeconds = 100, DrainSeconds = 8";
    const game = await startGame({ respond: api.respond, config });
    await game.join(1);
    await game.run(AWARD_ALL);
    await game.shutDown();
    expect(api.nameCalls).toStrictEqual([[named(1)]]);
    expect(game.requests[1]?.url).toMatch(/names$/);

    const silent = makeAwardsApi(undefined, () => "silence");
    const other = await startGame({ respond: silent.respond, config });
    await other.join(1);
    await other.run(AWARD_ALL);
    expect(await other.shutDown()).toBe(8);
    expect(silent.nameCalls).toHaveLength(1);
    expect(await other.delivered()).toHaveLength(1);
  });
});
