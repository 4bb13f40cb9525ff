import { describe, expect, test } from "vitest";
import { makeAwardsApi, problem, type AwardsApi, type SentEntry } from "./support/awards-api.ts";
import { makeDataStores, type DataStores } from "./support/data-stores.ts";
import type { Respond } from "./support/game-server.ts";
import { startGame, type Game } from "./support/game.ts";
import { down, startAt, takeOverTogether } from "./support/outbox.ts";

/** Starts a server that takes over what is stored, for so many seconds. */
async function takeOver(stores: DataStores, api: AwardsApi, seconds = 240, at = 3600): Promise<Game> {
  const game = await startAt(at, stores, api.respond);
  await game.advance(seconds);
  return game;
}

const deaths = ["after its claim", "before its call is applied", "after its call is applied"] as const;

/** Starts a server that takes over, and stops for ever at this moment, without a shutdown. Whether it came to it. */
async function dieWhileTakingOver(
  stores: DataStores,
  api: AwardsApi,
  at: number,
  death: (typeof deaths)[number],
): Promise<boolean> {
  const life = { isOver: false };
  const claimed = (body = ""): boolean => /"op":"replace".*claimUntil/.test(body);
  const mortalStores: DataStores = {
    ...stores,
    respond(id, request) {
      if (life.isOver) return "silence";
      const answered = stores.respond(id, request);
      life.isOver = death === "after its claim" && claimed(request.body);
      return life.isOver ? "silence" : answered;
    },
  };
  const game = await startAt(at, mortalStores, (request) => {
    if (!life.isOver && death === "after its call is applied") void api.respond(request);
    life.isOver = true;
    return "silence";
  });
  for (let seconds = 0; seconds < 300 && !life.isOver; seconds += 1) await game.advance(1);
  return life.isOver;
}

describe("the outbox of the Roblox client", () => {
  test("keeps what a closing server cannot send, under keys with the user, for another server of the clan", async () => {
    const stores = makeDataStores();
    const closing = await startAt(0, stores, down);
    const { ended } = await closing.start(`
      for index = 1, 3 do clan:Award(7, index, { Reason = "round " .. index }) end
      task.delay(20, function() clan:Award(7, 4, { Reason = "round 4" }) end)
      ticket = clan:Award("a:b", 5, { Cause = "boss", Source = { matchId = "m" } })
      local result, problem = clan:AwardAsync(8, 1)
      return { result == nil, problem }`);
    await closing.run("game:BindToClose(function() task.wait(21) end)");
    expect(await closing.shutDown()).toBeLessThan(25);
    expect(await ended).toStrictEqual([true, expect.objectContaining({ Code: "kept", Retryable: false })]);
    expect(await closing.run("return ticket.Status")).toBe("Kept");
    expect([await closing.delivered(), await closing.dropped()]).toStrictEqual([[], []]);
    const [prefix] = [...stores.keys][0]?.split("/") ?? [];
    expect(prefix).toMatch(/^[0-9a-f]{12}$/);
    const members = [...stores.keys].map((key) => key.split("/")[1] ?? "").toSorted();
    expect(members).toStrictEqual(["7", "7", "8", expect.stringMatching(/^x[0-9a-f]{16}$/)]);
    const users = [...stores.entries.values()].map(({ userIds }) => userIds.join());
    expect(users.toSorted()).toStrictEqual(["", "7", "7", "8"]);

    const api = makeAwardsApi();
    const stranger = await startAt(3600, stores, api.respond, { clanId: "other" });
    await stranger.advance(240);
    expect(api.calls).toStrictEqual([]);
    const game = await takeOver(stores, api);
    expect(stores.entries.size).toBe(0);
    expect(api.calls.flat().filter(({ platformId }) => platformId === "7")).toStrictEqual(
      [1, 2, 3, 4].map((amount) => expect.objectContaining({ amount, reason: `round ${amount}` })),
    );
    expect(api.calls.flat()).toContainEqual({
      platformId: "a:b",
      amount: 5,
      idempotencyKey: "boss/a:b",
      source: { matchId: "m" },
    });
    expect((await game.delivered()).map(({ ticket }) => ticket.Status)).toStrictEqual(Array(6).fill("delivered"));
    expect(stores.shareUsed()).toBeLessThanOrEqual(0.25);
  });

  test("keeps what could not be sent for DeadlineSeconds, and the same server sends it", async () => {
    const stores = makeDataStores();
    const api = makeAwardsApi();
    let isDown = true;
    const respond: Respond = (request) => (isDown ? problem(503, "unavailable") : api.respond(request));
    const game = await startAt(0, stores, respond, { config: "DeadlineSeconds = 20" });
    await game.run("ticket = clan:Award(1, 5) clan:Award(1, 6)");
    expect(await game.run("return clan:FlushAsync()")).toBe(true);
    expect(await game.run("return ticket.Status")).toBe("Kept");
    expect(stores.entries.size).toBe(1);
    await game.advance(120);
    expect(stores.entries.size).toBe(1);
    isDown = false;
    await game.advance(240);
    expect(stores.entries.size).toBe(0);
    expect(api.calls.flat().map(({ amount }) => amount)).toStrictEqual([5, 6]);
    expect((await game.delivered()).map(({ ticket }) => ticket.Amount)).toStrictEqual([5, 6]);
    expect(await game.dropped()).toStrictEqual([]);
  });

  test("keeps the order of a member over several servers, and each award is sent by one of those that take over", async () => {
    const stores = makeDataStores();
    for (const minute of [0, 1, 2]) {
      const closing = await startAt(minute * 60, stores, down);
      await closing.run(`for member = 1, 20 do
        for index = 1, 2 do clan:Award(member, ${minute} * 10 + index) end
      end`);
      for (const userId of [1, 2]) await closing.join(userId);
      await closing.shutDown();
    }
    expect(stores.entries.size).toBe(60);
    const api = makeAwardsApi();
    const games = await Promise.all([1, 2, 3].map(() => startAt(3600, stores, api.respond)));
    await takeOverTogether(stores, games, 1200);
    expect(stores.entries.size).toBe(0);
    const amountsOf = (id: number): number[] =>
      api.calls.flat().flatMap(({ platformId, amount }) => (platformId === String(id) ? [amount] : []));
    for (let member = 1; member <= 20; member += 1) expect(amountsOf(member)).toStrictEqual([1, 2, 11, 12, 21, 22]);
    const delivered = await Promise.all(games.map(async (game) => (await game.delivered()).length));
    expect(delivered.reduce((sum, count) => sum + count)).toBe(120);
    expect(Math.min(...delivered)).toBeGreaterThan(0);
    expect(stores.shareUsed()).toBeLessThanOrEqual(0.25);
  });

  test("has at most 500 awards of a server, and what is older than 7 days is dropped", async () => {
    const stores = makeDataStores();
    const closing = await startAt(0, stores, down);
    for (let userId = 1; userId <= 10; userId += 1) await closing.join(userId);
    await closing.run(`for index = 1, 600 do clan:Award(index % 10 + 1, 1) end`);
    await closing.shutDown();
    expect(await closing.dropped()).toHaveLength(100);
    const api = makeAwardsApi();
    const late = await takeOver(stores, api, 300, 8 * 24 * 3600);
    expect(api.calls).toStrictEqual([]);
    expect((await late.dropped()).map(({ error }) => error.Code)).toStrictEqual(Array(500).fill("timeout"));
    expect(stores.entries.size).toBe(0);
  });

  test("delivers every award up to the bound once after 50 servers closed in an outage of an hour", async () => {
    const stores = makeDataStores({ failures: 10 });
    let [made, dropped] = [0, 0];
    for (let server = 0; server < 50; server += 1) {
      const closing = await startAt(server * 72, stores, server % 2 ? () => "silence" : down);
      const players = 1 + (server % 10);
      for (let player = 1; player <= players; player += 1) await closing.join(server * 3 + player);
      // On every tenth server more than the bound.
      const rounds = server % 10 === 9 ? Math.ceil(550 / players) : 10;
      await closing.run(`
        for round = 1, ${rounds} do
          for _, player in game:GetService("Players"):GetPlayers() do
            clan:Award(player, 1, { Cause = "${server}-" .. round, Reason = "round" })
          end
          task.wait(${(server % 5) * 5})
        end`);
      expect(await closing.shutDown()).toBeLessThanOrEqual(25);
      const lost = (await closing.dropped()).length;
      expect(lost).toBe(Math.max(0, rounds * players - 500));
      dropped += lost;
      made += rounds * players;
    }
    const api = makeAwardsApi((call) => (call % 9 === 0 ? problem(503, "busy") : undefined));
    const games = await Promise.all([1, 2, 3, 4].map(() => startAt(3600, stores, api.respond, { listen: false })));
    for (const game of games) {
      for (let player = 1; player <= 5; player += 1) await game.join(player);
      await game.run(`
        applied, droppedCount = 0, 0
        clan.Delivered:Connect(function(_, result) if not result.replayed then applied += 1 end end)
        clan.Dropped:Connect(function() droppedCount += 1 end)`);
    }
    await takeOverTogether(stores, games, 3600);
    expect(stores.entries.size).toBe(0);
    expect(api.counted.size).toBe(made - dropped);
    const counts = await Promise.all(games.map((game) => game.run("return { applied, droppedCount }")));
    expect(counts.reduce((sum, [applied]) => sum + applied, 0)).toBe(made - dropped);
    expect(counts.map(([, lost]) => lost)).toStrictEqual([0, 0, 0, 0]);
    expect(stores.shareUsed()).toBeLessThanOrEqual(0.25);
    // 54 servers take a minute of a busy machine.
  }, 240_000);

  test("loses, doubles and swaps nothing when servers die in the middle of taking over, without a shutdown", async () => {
    const stores = makeDataStores({ failures: 7 });
    for (let server = 0; server < 8; server += 1) {
      const closing = await startAt(server * 60, stores, down);
      for (let player = 1; player <= 10; player += 1) await closing.join(player);
      await closing.run(`for index = 1, 20 do
        clan:Award(index % 10 + 1, ${server * 2} + math.ceil(index / 10), { Reason = "round " .. index })
      end`);
      await closing.shutDown();
      expect(await closing.dropped()).toStrictEqual([]);
    }
    const api = makeAwardsApi();
    const died = [];
    for (let server = 0; server < 24; server += 1)
      died.push(await dieWhileTakingOver(stores, api, 3600 + server * 20, deaths[server % 3] ?? deaths[0]));
    expect(died).toStrictEqual(Array(24).fill(true));
    const applied = api.counted.size;
    expect(applied).toBeGreaterThan(0);
    expect(stores.entries.size).toBeGreaterThan(0);

    const games = await Promise.all([1, 2].map(() => startAt(7200, stores, api.respond)));
    await takeOverTogether(stores, games, 2400);
    expect(stores.entries.size).toBe(0);
    expect(api.counted.size).toBe(8 * 20);
    // A retry under the same key is equal, and of a member the first calls are in order.
    const first = new Map<string, SentEntry>();
    for (const entry of api.calls.flat()) {
      expect(first.get(entry.idempotencyKey) ?? entry).toStrictEqual(entry);
      if (!first.has(entry.idempotencyKey)) first.set(entry.idempotencyKey, entry);
    }
    for (let player = 1; player <= 10; player += 1) {
      const own = [...first.values()].filter(({ platformId }) => platformId === String(player));
      expect(own.map(({ amount }) => amount)).toStrictEqual(Array.from({ length: 16 }, (_, index) => index + 1));
    }
    expect(stores.shareUsed()).toBeLessThanOrEqual(0.25);
  }, 240_000);

  test("loses nothing to a server whose API key is wrong, nor to one that closes with a claim", async () => {
    const stores = makeDataStores();
    const closing = await startAt(0, stores, down);
    await closing.run("clan:Award(1, 5)");
    await closing.shutDown();
    const wrong = await startAt(600, stores, () => problem(401, "key_invalid"));
    await wrong.advance(200);
    expect(wrong.requests.length).toBeGreaterThan(0);
    const silent = await startAt(1200, stores, () => "silence");
    while (silent.requests.length === 0) await silent.advance(5);
    expect(await silent.shutDown()).toBe(0);
    expect([await wrong.dropped(), await silent.dropped()]).toStrictEqual([[], []]);
    const api = makeAwardsApi();
    await takeOver(stores, api);
    expect(api.calls.flat().map(({ amount }) => amount)).toStrictEqual([5]);
  });

  test("does not hold up a server that closes while it waits for the budget of the data store", async () => {
    const stores = makeDataStores();
    const game = await startAt(0, stores, down, { config: "DeadlineSeconds = 5" });
    await game.run("for member = 1, 15 do clan:Award(member, 1) end");
    await game.advance(20);
    await game.run("for member = 16, 40 do clan:Award(member, 1) end");
    await game.advance(12);
    // A quarter of the 60 writes of a server without players.
    expect(stores.entries.size).toBe(15);
    expect(await game.shutDown()).toBeLessThanOrEqual(26);
    expect(await game.dropped()).toHaveLength(25);
  });

  test("drops what the data store does not take before the server closes, as without an outbox", async () => {
    const failing = await startAt(0, makeDataStores({ failures: 1 }), down);
    const off = await startGame({ respond: down });
    const unpublished = await startGame({ respond: down, config: "Outbox = true" });
    for (const game of [failing, off, unpublished]) {
      await game.run("clan:Award(1, 5)");
      expect(await game.shutDown()).toBeLessThanOrEqual(25);
      expect((await game.dropped()).map(({ error }) => error.Code)).toStrictEqual(["connection"]);
    }
    expect(unpublished.warnings).toStrictEqual([expect.stringContaining("There is no outbox")]);
    for (const outbox of ["5", `""`, `string.rep("x", 51)`])
      await expect(startGame({ respond: down, config: `Outbox = ${outbox}` })).rejects.toThrow("Outbox must be");
  });
});
