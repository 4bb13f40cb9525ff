import { describe, expect, test } from "vitest";
import { makeAwardsApi, problem } from "./support/awards-api.ts";
import type { SentRequest } from "./support/game-server.ts";
import { startGame } from "./support/game.ts";

/** The most requests that started within any 60 s. */
function busiestMinute(requests: readonly SentRequest[]): number {
  return Math.max(
    ...requests.map(({ at }) => requests.filter((other) => other.at >= at && other.at <= at + 60).length),
  );
}

describe("the request budget of the Roblox client", () => {
  test("is never exceeded in any 60 s by calls, retries and reads together, even during shutdown", async () => {
    let seed = 7;
    const api = makeAwardsApi((_call, request, apply) => {
      seed = (seed * 48271) % 2147483647;
      if (seed % 4 === 0) return problem(503, "busy");
      return request.method === "GET"
        ? Response.json({ platformId: "1", xp: "1", rank: "Guest" })
        : { response: apply(), afterSeconds: 0.2 };
    });
    const game = await startGame({
      respond: api.respond,
      config: "RequestsPerMinute = 12, FlushSeconds = 0.5, DeadlineSeconds = 1000",
    });
    await game.run(`
      made = 0
      for minute = 1, 3 do
        for reader = 1, 4 do
          task.spawn(function() clan:GetMemberAsync(reader) end)
        end
        task.spawn(function()
          for _ = 1, 30 do
            clan:Award(made % 7, 1)
            made += 1
            task.wait(1.7)
          end
        end)
        task.wait(60)
      end`);
    await game.shutDown();
    expect(busiestMinute(game.requests)).toBeLessThanOrEqual(12);
    expect(new Set(game.requests.map(({ method }) => method)).size).toBe(2);
    expect((await game.delivered()).length + (await game.dropped()).length).toBe(90);
    expect(api.counted.size).toBeGreaterThanOrEqual((await game.delivered()).length);
  });

  test("is used completely: waiting awards are sent as soon as the minute permits", async () => {
    const api = makeAwardsApi();
    const game = await startGame({ respond: api.respond, config: "RequestsPerMinute = 5" });
    await game.run("for _ = 1, 12 do clan:AwardAsync(1, 1) end");
    const at = game.requests.map((request) => request.at - (game.requests[0]?.at ?? 0));
    expect(busiestMinute(game.requests)).toBe(5);
    expect(at[5]).toBeLessThan(62);
    expect(at[10]).toBeLessThan(124);
  });

  test("is used for awards first, while reads wait", async () => {
    const api = makeAwardsApi((_call, request) => (request.method === "GET" ? Response.json({ xp: "1" }) : undefined));
    const game = await startGame({ respond: api.respond, config: "RequestsPerMinute = 2" });
    await game.run("clan:GetMemberAsync(1) clan:GetMemberAsync(1)");
    await game.run(`
      for reader = 1, 3 do task.spawn(function() clan:GetMemberAsync(reader) end) end
      clan:AwardAsync(1, 1)`);
    expect(game.requests.map(({ method }) => method).slice(0, 3)).toStrictEqual(["GET", "GET", "POST"]);
  });

  test("is used for reads while awards wait for Retry-After", async () => {
    const api = makeAwardsApi((_call, request) =>
      request.method === "GET" ? Response.json({ xp: "1" }) : problem(503, "busy", {}, { "retry-after": "60" }),
    );
    const game = await startGame({ respond: api.respond, config: "RequestsPerMinute = 2" });
    await game.run("clan:GetMemberAsync(1)");
    await game.advance(30);
    await game.award("1, 1");
    await game.advance(5);
    // The first read leaves the budget 60 s after it began; the awards wait for 30 s more.
    await game.run("clan:GetMemberAsync(1)");
    expect(game.requests.map(({ method }) => method)).toStrictEqual(["GET", "POST", "GET"]);
    expect((game.requests[2]?.at ?? 0) - (game.requests[0]?.at ?? 0)).toBeLessThan(62);
  });
});
