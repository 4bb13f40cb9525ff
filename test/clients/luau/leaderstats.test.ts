import { describe, expect, test } from "vitest";
import { makeAwardsApi, problem } from "./support/awards-api.ts";
import type { Answered } from "./support/game-server.ts";
import { startGame, type Game } from "./support/game.ts";

const member = (platformId: string, xp: string, rank: string): object => ({ platformId, xp, rank });
const members = (...found: object[]): Response => Response.json({ members: found, missing: [], nextCursor: null });

/** A game with players 1 and 2, whose reads are answered by this plan. */
async function bind(plan: (read: number) => Answered, options = "", config = "") {
  const reads: { at: number; ids: string }[] = [];
  const api = makeAwardsApi();
  const game = await startGame({
    config,
    respond(request) {
      if (request.method !== "GET") return api.respond(request);
      reads.push({ at: request.at, ids: request.url.replace(/^.*platformIds=/, "") });
      return plan(reads.length - 1);
    },
  });
  await game.join(1);
  await game.join(2);
  await game.run(`binding = clan:BindLeaderstats(${options})`);
  return { game, reads };
}

/** What the players have, the values of each by name. */
const shownIn = (game: Game): Promise<any> =>
  game.run(`
    local shown = {}
    for _, player in game:GetService("Players"):GetPlayers() do
      local folder = player:FindFirstChild("leaderstats")
      local values = { id = player.UserId }
      for _, value in if folder then folder:GetChildren() else {} do values[value.Name] = value.Value end
      table.insert(shown, values)
    end
    return shown`);

describe("the leaderstats of the Roblox client", () => {
  test("show players who are there and who join, read together, and change with results", async () => {
    const { game, reads } = await bind(() => members(member("1", "500", "Veteran"), member("2", "70", "Guest")));
    expect(await shownIn(game)).toStrictEqual([
      { id: 1, XP: 0, Rank: "" },
      { id: 2, XP: 0, Rank: "" },
    ]);
    await game.advance(1.5);
    expect(reads.map(({ ids }) => ids.split(",").toSorted())).toStrictEqual([["1", "2"]]);
    expect(await shownIn(game)).toStrictEqual([
      { id: 1, XP: 500, Rank: "Veteran" },
      { id: 2, XP: 70, Rank: "Guest" },
    ]);
    await game.run("clan:AwardAsync(2, 90) clan:AwardAsync(99, 1)");
    expect((await shownIn(game))[1]).toStrictEqual({ id: 2, XP: 90, Rank: "Recruit" });
    await game.leave(1);
    await game.join(3);
    await game.advance(10);
    expect(reads.slice(1).map(({ ids }) => ids)).toStrictEqual(["3"]);
    expect(await shownIn(game)).toStrictEqual([
      { id: 2, XP: 90, Rank: "Recruit" },
      { id: 3, XP: 0, Rank: "" },
    ]);
    expect(game.warnings).toStrictEqual([]);
  });

  test("are not set back by a read that began before a result, nor by a replayed result, which is read again", async () => {
    const { game, reads } = await bind((read) =>
      read === 0
        ? { response: members(member("1", "5", "Guest")), afterSeconds: 3 }
        : members(member("1", "700", "Veteran")),
    );
    await game.advance(2);
    await game.run(`clan:AwardAsync(1, 100, { Cause = "c" })`);
    await game.advance(3);
    expect((await shownIn(game))[0]).toStrictEqual({ id: 1, XP: 100, Rank: "Recruit" });
    await game.run("clan:AwardAsync(1, 50)");
    await game.run(`clan:AwardAsync(1, 100, { Cause = "c" })`);
    expect((await shownIn(game))[0]).toMatchObject({ XP: 150 });
    await game.advance(6);
    expect((await shownIn(game))[0]).toStrictEqual({ id: 1, XP: 700, Rank: "Veteran" });
    expect(reads).toHaveLength(2);
  });

  test("follow rank events that OnEvents receives, by at most one read in 5 s", async () => {
    const ranks = ["Guest", "Veteran", "Elite"];
    const eventPage = (poll: number): Response => {
      const data = { platformId: "1", rank: ranks[poll % 3], xp: "1" };
      const event = { id: `evt_${poll}`, type: "member.rank_changed", timestamp: "", clanId: "rovers", data };
      return Response.json({ events: [event], cursor: String(poll), hasMore: false });
    };
    const reads: number[] = [];
    let polls = 0;
    const game = await startGame({
      respond({ url, at }) {
        if (url.endsWith("/names")) return Response.json({ stored: 1 });
        if (url.includes("/events")) return eventPage(polls++);
        reads.push(at);
        return members(member("1", "1", "Elite"));
      },
    });
    await game.join(1);
    await game.run("clan:BindLeaderstats() clan:OnEvents({}, function() end)");
    await game.advance(60);
    expect(polls).toBeGreaterThan(30);
    expect(reads.length).toBeGreaterThan(8);
    expect(reads.length).toBeLessThanOrEqual(12);
    expect((await shownIn(game))[0]).toStrictEqual({ id: 1, XP: 1, Rank: "Elite" });
  });

  test("are read again after a failure, and show results alone once the API rejects the read", async () => {
    const answers = [problem(503, "busy", {}, { "retry-after": "90" }), problem(403, "scope_missing")];
    const { game, reads } = await bind((read) => answers[read] ?? "silence");
    await game.advance(20);
    await game.run("clan:AwardAsync(1, 5)");
    await game.join(3);
    await game.advance(200);
    expect(reads).toHaveLength(2);
    expect(game.warnings).toStrictEqual([
      "[ClanXP] Leaderstats show results of awards only, since members could not be read: scope_missing: It is scope_missing.",
    ]);
    expect(await shownIn(game)).toStrictEqual([
      { id: 1, XP: 5, Rank: "Recruit" },
      { id: 2, XP: 0, Rank: "" },
      { id: 3, XP: 0, Rank: "" },
    ]);
  });

  test("leave to other scripts what is theirs, and end with Disconnect and Destroy", async () => {
    const { game } = await bind(() => members(member("1", "5", "Guest")), `{ XP = "Points" }`);
    await game.advance(2);
    await game.run(`
      local folder = game:GetService("Players"):GetPlayers()[2]:FindFirstChild("leaderstats")
      local coins = Instance.new("IntValue")
      coins.Name, coins.Parent = "Coins", folder`);
    expect(await shownIn(game)).toStrictEqual([
      { id: 1, Points: 5 },
      { id: 2, Points: 0, Coins: 0 },
    ]);
    const again = "local _, problem = pcall(clan.BindLeaderstats, clan) return problem.Detail";
    expect(await game.run(again)).toBe("The leaderstats are already bound");
    await game.run("binding:Disconnect() binding:Disconnect()");
    expect(await shownIn(game)).toStrictEqual([{ id: 1 }, { id: 2, Coins: 0 }]);
    expect(
      await game.run(`return game:GetService("Players"):GetPlayers()[1]:FindFirstChild("leaderstats") == nil`),
    ).toBe(true);
    await game.run(`clan:BindLeaderstats({ Rank = "Title" })`);
    expect(await shownIn(game)).toStrictEqual([
      { id: 1, Title: "" },
      { id: 2, Coins: 0, Title: "" },
    ]);
    await game.run("clan:Destroy()");
    await game.join(3);
    expect(await shownIn(game)).toStrictEqual([{ id: 1 }, { id: 2, Coins: 0 }, { id: 3 }]);
    const wrong = await startGame({ respond: () => "silence" });
    for (const options of ["{}", "{ Xp = 'XP' }", "{ XP = 5 }", "5"])
      expect(await wrong.run(`return (pcall(clan.BindLeaderstats, clan, ${options}))`)).toBe(false);
  });
});
