import { describe, expect, test } from "vitest";
import { makeAwardsApi, problem } from "./support/awards-api.ts";
import { startGame } from "./support/game.ts";

describe("the Roblox client, when the server shuts down,", () => {
  test("sends pending awards immediately, and returns from the bound function when they are settled", async () => {
    const api = makeAwardsApi((_call, _request, apply) => ({ response: apply(), afterSeconds: 0.5 }));
    const game = await startGame({ respond: api.respond, config: "FlushSeconds = 100" });
    await game.run("for member = 1, 130 do clan:Award(member, 1) end");
    expect(await game.shutDown()).toBeCloseTo(1);
    expect(api.calls.map((call) => call.length)).toStrictEqual([100, 30]);
    expect(await game.delivered()).toHaveLength(130);
  });

  test("returns immediately if no award is pending", async () => {
    const game = await startGame({ respond: makeAwardsApi().respond });
    expect(await game.shutDown()).toBe(0);
    expect(game.requests).toHaveLength(0);
  });

  test("sends awards of players who leave meanwhile immediately", async () => {
    const api = makeAwardsApi((_call, _request, apply) => ({ response: apply(), afterSeconds: 2 }));
    const game = await startGame({ respond: api.respond, config: "FlushSeconds = 100" });
    await game.join(5);
    await game.run(`
      clan:Award(1, 1)
      game:GetService("Players").PlayerRemoving:Connect(function(player) clan:Award(player, 2) end)
      game:BindToClose(function() task.wait(1) end)
      task.delay(1, function() clan:Award(5, 1) end)`);
    await game.leave(5);
    expect(await game.shutDown()).toBe(4);
    expect(api.calls.map((call) => call.map(({ amount }) => amount))).toStrictEqual([[1, 2], [1]]);
  });

  test("drops what is not settled after DrainSeconds with its last error, and returns", async () => {
    const game = await startGame({ respond: () => problem(503, "unavailable"), config: "DrainSeconds = 8" });
    await game.award("1, 1", "2, 1");
    const seconds = await game.shutDown();
    expect(seconds).toBeLessThanOrEqual(8);
    expect(game.requests.length).toBeGreaterThan(2);
    expect((await game.dropped()).map(({ error }) => error.Code)).toStrictEqual(["unavailable", "unavailable"]);
  });

  test("does not wait for a retry that would begin after DrainSeconds, and sends what is behind it", async () => {
    const api = makeAwardsApi((call) => (call === 0 ? problem(503, "busy", {}, { "Retry-After": "59" }) : undefined));
    const game = await startGame({ respond: api.respond, config: "DrainSeconds = 20" });
    await game.award("1, 1");
    await game.advance(45);
    await game.award("2, 1");
    expect(await game.shutDown()).toBeLessThan(20);
    expect((await game.dropped()).map(({ error }) => error.Code)).toStrictEqual([]);

    const hopeless = await startGame({ respond: () => problem(503, "busy", {}, { "Retry-After": "100" }) });
    await hopeless.award("1, 1", "2, 1");
    await hopeless.advance(5);
    expect(await hopeless.shutDown()).toBe(0);
    expect((await hopeless.dropped()).map(({ error }) => error.Code)).toStrictEqual(["busy", "busy"]);
    expect(hopeless.requests).toHaveLength(1);
  });

  test("is not delayed further by a request without a response, and drops it with timeout", async () => {
    const game = await startGame({ respond: () => "silence", config: "DrainSeconds = 8" });
    await game.award("1, 1");
    expect(await game.shutDown()).toBe(8);
    expect(await game.dropped()).toMatchObject([{ error: { Code: "timeout" }, ticket: { Status: "dropped" } }]);
    expect(await game.run("local _, problem = clan:AwardAsync(1, 1) return problem")).toMatchObject({
      Code: "queue_closed",
      Retryable: false,
    });
    expect(game.requests).toHaveLength(1);
  });

  test("stays within the request budget", async () => {
    const game = await startGame({ respond: makeAwardsApi().respond, config: "RequestsPerMinute = 2" });
    await game.run("clan:AwardAsync(1, 1)");
    await game.run("for member = 1, 250 do clan:Award(member, 1) end");
    expect(await game.shutDown()).toBe(25);
    expect(game.requests).toHaveLength(2);
    expect([(await game.delivered()).length, (await game.dropped()).length]).toStrictEqual([101, 150]);
  });
});

describe("a Roblox client that is destroyed", () => {
  test("sends what is pending without yielding, ends its events, and then disconnects its signals", async () => {
    const api = makeAwardsApi((_call, request, apply) =>
      request.method === "GET" ? "silence" : { response: apply(), afterSeconds: 2 },
    );
    const game = await startGame({ respond: api.respond, config: "FlushSeconds = 100" });
    await game.join(5);
    await game.run(`
      clan:OnEvents(nil, function(_, problem) error(problem) end)
      clan:Award(game:GetService("Players"):GetPlayers()[1], 1)
      task.spawn(function() awaited = clan:AwardAsync(6, 1) end)
      destroyedAt = os.clock()
      clan:Destroy()
      clan:Destroy()
      return os.clock() - destroyedAt`);
    const problems = await game.run(`
      local problems = {}
      for _, name in { "Award", "AwardAsync", "GetMemberAsync", "FlushAsync", "OnEvents" } do
        local _, problem = pcall(function() clan[name](clan, 1, 1) end)
        table.insert(problems, problem.Code .. ": " .. problem.Detail)
      end
      return problems`);
    expect(new Set(problems).size).toBe(5);
    for (const text of problems)
      expect(text).toMatch(/^queue_closed: The client is destroyed, so "\w+" cannot be used$/);
    await game.advance(60);
    expect(api.calls.map((call) => call.length)).toStrictEqual([2]);
    expect(api.nameCalls).toHaveLength(1);
    expect(await game.delivered()).toHaveLength(2);
    expect(await game.run("return awaited.xp")).toBe("1");
    expect(game.requests.filter(({ method }) => method === "GET")).toHaveLength(1);
    expect(game.warnings).toStrictEqual([]);
    expect(await game.shutDown()).toBe(0);
  });

  test("drops what is not settled after DrainSeconds, for which a shutdown waits", async () => {
    const game = await startGame({ respond: () => problem(503, "unavailable"), config: "DrainSeconds = 8" });
    await game.award("1, 1");
    await game.run("clan:Destroy()");
    expect(await game.shutDown()).toBeLessThanOrEqual(8);
    expect((await game.dropped()).map(({ error }) => error.Code)).toStrictEqual(["unavailable"]);
  });
});
