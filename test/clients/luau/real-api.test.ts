import { describe, expect, test } from "vitest";
import { midWeek } from "../../support/boards.ts";
import { cliOn } from "../../support/cli.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { makeDataStores, type DataStores } from "./support/data-stores.ts";
import { network, type Answered, type Respond } from "./support/game-server.ts";
import { startGame, type Game } from "./support/game.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

/** A network that loses one request in five before it arrives, and the answer of another. */
function lossyNetwork(seed: number): Respond {
  let state = seed;
  return async (request) => {
    state = (state * 48271) % 2147483647;
    if (state % 5 === 0) return { raise: "HttpError: ConnectFail" };
    const answer = await network(request);
    return state % 5 === 1 ? { raise: "HttpError: NetFail" } : answer;
  };
}

describe("the Roblox client with a real API", async () => {
  const { world, port } = await useApi({ worker: true });

  const startFor = (
    { clanId, key }: ClanCaller,
    options: { respond?: Respond; config?: string; stores?: DataStores } = {},
  ): Promise<Game> =>
    startGame({ respond: network, secret: key, baseUrl: `http://127.0.0.1:${port}`, clanId, ...options });
  const xpOf = async (clan: ClanCaller, platformId: string): Promise<string> =>
    (await clan.get(`/members/${platformId}`)).body.xp;

  test("applies one award for the same cause on two servers, and reports the result to both", async () => {
    const clan = await makeClanCaller(world, port);
    const [one, two] = await Promise.all([startFor(clan), startFor(clan)]);
    const script = `
      for member = 1, 30 do clan:Award(member, 100, { Cause = "boss-7", Reason = "boss" }) end
      return clan:FlushAsync()`;
    expect(await Promise.all([one.run(script), two.run(script)])).toStrictEqual([true, true]);
    const heard = [...(await one.delivered()), ...(await two.delivered())];
    expect(heard).toHaveLength(60);
    expect(heard.filter(({ result }) => result.replayed)).toHaveLength(30);
    expect(heard.map(({ result }) => result.xp)).toStrictEqual(Array.from({ length: 60 }, () => "100"));
    const { members } = (await clan.get("/members?limit=200")).body;
    expect(members.map(({ xp }: { xp: string }) => xp)).toStrictEqual(Array.from({ length: 30 }, () => "100"));
  });

  test("applies every award once and in order over a network that loses requests and responses", async () => {
    const clan = await makeClanCaller(world, port);
    const games = await Promise.all(
      [1, 2].map((seed) => startFor(clan, { respond: lossyNetwork(seed), config: "FlushSeconds = 0.2" })),
    );
    await Promise.all(
      games.map(async (game, server) => {
        await game.run(`
          for round = 1, 40 do
            for member = 1, 5 do clan:Award(member, round, { Reason = "${server}/" .. round }) end
            task.wait(0.1)
          end`);
        await game.shutDown();
      }),
    );
    for (const game of games) {
      expect(await game.dropped()).toStrictEqual([]);
      expect(await game.delivered()).toHaveLength(200);
    }
    const sums = await Promise.all(["1", "2", "3", "4", "5"].map((member) => xpOf(clan, member)));
    expect(sums).toStrictEqual(Array.from({ length: 5 }, () => "1640"));
    const { entries } = (await clan.get("/members/3/ledger?limit=200")).body as { entries: { reason: string }[] };
    for (const server of ["0", "1"]) {
      const rounds = entries
        .flatMap(({ reason }) => (reason.startsWith(`${server}/`) ? [Number(reason.slice(2))] : []))
        .toReversed();
      expect(rounds).toStrictEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    }
  });

  test("applies what servers kept when they closed in an outage, once and in order, on a third server", async () => {
    const clan = await makeClanCaller(world, port);
    const stores = makeDataStores({ failures: 5 });
    const options = { stores, config: "Outbox = true, FlushSeconds = 0.2" };
    // The answers are lost: what was applied is stored as well.
    const mute: Respond = async (request) => {
      if (request.method === "POST") await network(request);
      return { raise: "HttpError: NetFail" };
    };
    for (const respond of [mute, (): Answered => ({ raise: "HttpError: ConnectFail" })]) {
      const closing = await startFor(clan, { ...options, respond });
      await closing.run(`for round = 1, 5 do for member = 1, 3 do clan:Award(member, round) end end`);
      await closing.shutDown();
      expect([await closing.delivered(), await closing.dropped()]).toStrictEqual([[], []]);
    }
    const game = await startFor(clan, options);
    while (stores.entries.size > 0) await game.advance(30);
    expect(await Promise.all(["1", "2", "3"].map((member) => xpOf(clan, member)))).toStrictEqual(["30", "30", "30"]);
    expect((await game.delivered()).map(({ result }) => result.replayed)).toContain(true);
    const { entries } = (await clan.get("/members/3/ledger")).body as { entries: { amount: string }[] };
    expect(entries.map(({ amount }) => amount).join("")).toBe("5432154321");
  });

  test("returns results, rank changes and reads of the API", async () => {
    const clan = await makeClanCaller(world, port);
    const game = await startFor(clan);
    expect(
      await game.run(`local member, problem = clan:GetMemberAsync(5) return { member == nil, problem == nil }`),
    ).toStrictEqual([true, true]);
    const result = await game.run(
      `return (clan:AwardAsync(5, 150, { Source = { placeId = "1818", verified = true } }))`,
    );
    expect(result).toMatchObject({ platformId: "5", xp: "150", rank: "Recruit", replayed: false });
    expect(result.change).toMatchObject({
      amount: "150",
      previousRank: "Guest",
      rankChanged: true,
      ranksPassed: ["Recruit"],
      membershipCreated: true,
    });
    expect(await game.rankChanges()).toStrictEqual([["5", "Recruit", "Guest", "150"]]);
    await game.run("clan:AwardAsync('-1', 1)");
    const [member, page] = await game.run(
      "return { (clan:GetMemberAsync(5)), (clan:GetMembersAsync({ Sort = 'xp', Limit = 1 })) }",
    );
    expect(member).toMatchObject({
      platformId: "5",
      xp: "150",
      rank: "Recruit",
      nextRank: "Veteran",
      xpToNextRank: "850",
    });
    expect(page.members).toStrictEqual([member]);
    const next = await game.run(
      `return (clan:GetMembersAsync({ Sort = "xp", Limit = 1, Cursor = "${page.nextCursor}" }))`,
    );
    expect(next.members).toMatchObject([{ platformId: "-1", xp: "1" }]);
  });

  test("reads members by id, the leaderboard around a player, and positions", async () => {
    const clan = await makeClanCaller(world, port);
    const awards = Array.from({ length: 104 }, (_, index) => ({
      platformId: String(index + 1),
      amount: 1_000 - index,
    }));
    for (const group of [awards.slice(0, 100), awards.slice(100)])
      expect((await clan.awards(group)).body.applied).toBe(group.length);
    const game = await startFor(clan);
    const found = await game.run(`
      local ids = { "nobody" } for member = 104, 1, -1 do table.insert(ids, member) end table.insert(ids, 104)
      return (clan:GetMembersByIdAsync(ids, { Position = true }))`);
    expect(found.missing).toStrictEqual(["nobody"]);
    expect(found.members.map((member: any) => [member.platformId, member.position.value])).toStrictEqual(
      awards.map((_, index) => [String(104 - index), 104 - index]),
    );
    const around = await game.run(`return (clan:GetAroundAsync(50, { Limit = 3, Position = true }))`);
    expect(around.members).toMatchObject(
      [49, 50, 51].map((value) => ({ platformId: String(value), position: { value } })),
    );
    const [plain, none, problems] = await game.run(`
      local plain = clan:GetAroundAsync(1)
      local nobody, problem = clan:GetAroundAsync("nobody")
      local function wrong(...) return (pcall(...)) end
      return { plain, { nobody == nil, problem == nil }, {
        wrong(clan.GetAroundAsync, clan, 1, { Size = 3 }), wrong(clan.GetAroundAsync, clan, 1, { Limit = 1.5 }),
        wrong(clan.GetMembersByIdAsync, clan, 5), wrong(clan.GetMembersByIdAsync, clan, { "a b" }),
      } }`);
    expect(plain.members).toHaveLength(11);
    expect(plain.members[0]).not.toHaveProperty("position");
    expect(none).toStrictEqual([true, true]);
    expect(problems).toStrictEqual([false, false, false, false]);
  });

  test("reads the standings of a board's period", async () => {
    const clan = await makeClanCaller(world, port);
    const cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, CLANXP_ACTOR: "ada" });
    await cli.json("board", "set", clan.clanId, "weekly", ...midWeek());
    await clan.awards([1, 2, 3].map((index) => ({ platformId: String(index), amount: 100 - index })));
    await until(async () => (await clan.get("/boards/weekly/periods/current/members")).body.members?.length === 3);
    const game = await startFor(clan);
    await game.run(`clan:GetMemberAsync({ UserId = 1, Name = "Ada" })`);
    await game.advance(2);
    const [page, around, none, unknown, wrong] = await game.run(`
      local nobody, problem = clan:GetStandingsAsync("weekly", { Around = 9 })
      local _, unknown = clan:GetStandingsAsync("monthly")
      return {
        (clan:GetStandingsAsync("weekly", { Limit = 2, Name = true })),
        (clan:GetStandingsAsync("weekly", { Around = 3, Limit = 1 })),
        { nobody == nil, problem == nil }, unknown.Code, (pcall(clan.GetStandingsAsync, clan, "a b")),
      }`);
    expect(page).toMatchObject({
      period: { status: "open", members: 3 },
      members: [
        { platformId: "1", name: "Ada", xp: "99", position: 1 },
        { platformId: "2", xp: "98", position: 2 },
      ],
    });
    expect(around.members).toMatchObject([{ platformId: "3", position: 3 }]);
    expect([none, unknown, wrong]).toStrictEqual([[true, true], "board_not_found", false]);
  });

  test("announces the rank of a player that another server has awarded", async () => {
    const clan = await makeClanCaller(world, port);
    const [one, two] = await Promise.all([startFor(clan), startFor(clan)]);
    // While a poll waits, the clock of its server stops: so it looks at what there is.
    const impatient: Respond = (request) => network({ ...request, url: request.url.replace("wait=20", "wait=0") });
    const watching = await startFor(clan, { respond: impatient });
    await one.award("7, 100", "7, 900");
    await one.run("clan:FlushAsync()");
    await until(async () => (await clan.get("/events")).body.events.length === 3);
    await watching.run(`
      heard = {}
      connection = clan:OnEvents({ Types = { "member.rank_changed" } }, function(event)
        table.insert(heard, event.data.platformId .. " is now " .. event.data.rank)
      end)`);
    await watching.advance(5);
    expect(await watching.run("return heard")).toStrictEqual(["7 is now Recruit", "7 is now Veteran"]);
    const cursor = await watching.run("connection:Disconnect() return connection.Cursor");
    await two.award("7, -950");
    await two.run("clan:FlushAsync()");
    await until(async () => (await clan.get(`/events?after=${cursor}`)).body.events.length === 1);
    await watching.run(`connection = clan:OnEvents({ After = "${cursor}" }, function(event)
      table.insert(heard, event.data.direction)
    end)`);
    await watching.advance(2);
    expect((await watching.run("return heard")).slice(2)).toStrictEqual(["down"]);
  });

  test("stores the names of players, and all but the one that the API rejects", async () => {
    const clan = await makeClanCaller(world, port);
    const game = await startFor(clan);
    await game.join(1, "Ada");
    await game.join(2, "with\u{202e}direction");
    await game.join(3, "Grace");
    await game.run(`
      for _, player in game:GetService("Players"):GetPlayers() do clan:Award(player, 1) end
      clan:FlushAsync()`);
    await game.advance(2);
    const [listed, byId, around, one] = await game.run(`
      local page = clan:GetMembersAsync({ Sort = "platformId", Name = true })
      local found = clan:GetMembersByIdAsync({ 1, 2, 3 }, { Name = true, Position = true })
      local around = clan:GetAroundAsync(3, { Limit = 1, Name = true })
      return { page.members, found.members, around.members,
        (clan:GetMemberAsync(1, { Name = true, Position = true })) }`);
    const namesOf = (members: { name?: string }[]): string => members.map(({ name }) => name).join();
    expect([listed, byId, around].map(namesOf)).toStrictEqual(["Ada,,Grace", "Ada,,Grace", "Grace"]);
    expect(one).toMatchObject({ name: "Ada", position: { value: 1 } });
    expect(game.warnings).toStrictEqual([
      expect.stringMatching(/^\[ClanXP\] The name of 2 was not stored: \/names\/\d\/name must have 1 to 64/),
    ]);
    const posted = game.requests.flatMap(({ method, url }) => (method === "POST" ? [url.split("/").at(-1)] : []));
    expect(posted).toStrictEqual(["awards?include=change", "names", "names"]);
    expect(await game.delivered()).toHaveLength(3);
  });

  test("drops only what the API rejects, with its code, and applies everything else", async () => {
    const clan = await makeClanCaller(world, port, {}, ["award"]);
    const game = await startFor(clan);
    await game.run(`
      clan:Award(1, 1, { IdempotencyKey = "k" })
      clan:Award(1, 2000000)
      clan:Award(1, 2, { Reason = string.rep("x", 501) })
      clan:Award(1, -5)
      clan:Award(1, 3, { IdempotencyKey = "k" })
      clan:Award(2, 10)
      return clan:FlushAsync()`);
    const dropped = (await game.dropped()).map(({ ticket, error }) => [
      ticket.Amount,
      error.Code,
      error.Errors?.[0]?.pointer,
    ]);
    expect(dropped.toSorted(([a], [b]) => a - b)).toStrictEqual([
      [-5, "scope_missing", undefined],
      [2, "invalid_request", expect.stringMatching(/^\/awards\/2\/reason$/)],
      [3, "idempotency_key_reused", undefined],
      [2000000, "invalid_request", expect.stringMatching(/^\/awards\/\d\/amount$/)],
    ]);
    expect((await game.delivered()).map(({ ticket }) => ticket.Amount)).toStrictEqual([1, 10]);
    expect((await world.members.read({ clanId: clan.clanId, platformId: "1" }))?.xp).toBe(1n);
  });

  test("drops awards for players without a membership in a clan that is not an Auto Clan", async () => {
    const clan = await makeClanCaller(world, port, { autoClan: false });
    const game = await startFor(clan);
    const error = await game.run("local _, problem = clan:AwardAsync(404, 1) return problem");
    expect(error).toMatchObject({ Code: "member_not_found", Retryable: false });
    expect(error.RequestId).toMatch(/./);
  });

  test("drops everything immediately if the API key is wrong, and reveals no secret", async () => {
    const clan = await makeClanCaller(world, port);
    const game = await startFor({ ...clan, key: `${clan.key}x` });
    const error = await game.run("local _, problem = clan:AwardAsync(1, 1) return problem");
    expect(error).toMatchObject({ Code: "key_invalid", Status: 401, Retryable: false });
    expect(game.requests).toHaveLength(1);
  });
});
