import { describe, expect, test } from "vitest";
import { startGameServer, type GameServer, type ServerOptions } from "./support/game-server.ts";

/** Without a network: a request fails the test. */
async function startMock(config = "Mock = true", options: Partial<ServerOptions> = {}): Promise<GameServer> {
  const server = await startGameServer({ respond: () => expect.fail("a request"), secret: null, ...options });
  await server.run(`
    ClanXP = require(game:GetService("ServerScriptService").ClanXP)
    clan = ClanXP.new({ ${config} })`);
  return server;
}

describe("the Roblox client with Mock", () => {
  test("gives XP once a key, rejects a key with another award, and takes no more than there is", async () => {
    const server = await startMock();
    const results = await server.run(`
      local results = {}
      for _, award in {
        { 7, 50, { Cause = "visit" } }, { 7, 50, { Cause = "visit" } }, { 8, 50, { Cause = "visit" } }, { 7, 5 }, { 7, 5 },
        { 7, -100 }, { 7, 60, { Cause = "visit" } },
      } do
        local result, problem = clan:AwardAsync(table.unpack(award))
        table.insert(results, if result then { result.xp, result.replayed, result.change.applied } else problem.Code)
      end
      return results`);
    expect(results).toStrictEqual([
      ["50", false, "50"],
      ["50", true, "50"],
      ["50", false, "50"],
      ["55", false, "5"],
      ["60", false, "5"],
      ["0", false, "-60"],
      "idempotency_key_reused",
    ]);
    expect(server.warnings).toStrictEqual([expect.stringContaining("Dropped the award of 60 XP for 7 (key visit/7)")]);
    expect(await server.shutDown()).toBeLessThan(1);
  });

  test("reads members, positions and names, of which it knows those of its server", async () => {
    const server = await startMock();
    await server.join(1, "Ada");
    await server.run(`
      clan:Award(game:GetService("Players"):GetPlayers()[1], 90)
      for member = 2, 60 do clan:Award(member, 100 - member) end
      clan:Award("a:b", 98)
      clan:FlushAsync()`);
    await server.advance(2);
    const [one, none, first, rest, byId, around, last] = await server.run(`
      local first = clan:GetMembersAsync({ Position = true, Limit = 50 })
      return {
        (clan:GetMemberAsync(1, { Name = true, Position = true })), { clan:GetMemberAsync(99) },
        first, (clan:GetMembersAsync({ Cursor = first.nextCursor })),
        (clan:GetMembersByIdAsync({ "a:b", 99, 60 })),
        (clan:GetAroundAsync(1, { Limit = 3 })), (clan:GetAroundAsync(60)),
      }`);
    expect(one).toMatchObject({ platformId: "1", xp: "90", rank: "Mock", name: "Ada" });
    expect(one.position).toStrictEqual({ value: 10, of: 61, approximate: false });
    expect(none).toStrictEqual([]);
    expect(first.members.slice(0, 3).map((member: any) => [member.platformId, member.position.value])).toStrictEqual([
      ["2", 1],
      ["a:b", 1],
      ["3", 3],
    ]);
    expect([first.members.length, rest.members.length, rest.nextCursor]).toStrictEqual([50, 11, undefined]);
    expect(byId.members.map((member: any) => member.platformId)).toStrictEqual(["a:b", "60"]);
    expect(byId.missing).toStrictEqual(["99"]);
    expect(around.members.map((member: any) => member.platformId)).toStrictEqual(["9", "1", "10"]);
    expect(last.members).toHaveLength(11);
  });

  test("has no boards and events", async () => {
    const server = await startMock();
    const code = await server.run(`
      heard = {}
      clan:OnEvents({}, function(event) table.insert(heard, event) end)
      clan:AwardAsync(1, 1)
      return (select(2, clan:GetStandingsAsync("weekly"))).Code`);
    expect(code).toBe("board_not_found");
    await server.advance(60);
    expect(await server.run("return #heard")).toBe(0);
  });

  test("is used in Studio without a secret, with one warning, unless it is turned off", async () => {
    const config = `BaseUrl = "https://xp.example.com", ClanId = "rovers"`;
    const server = await startMock(config, { studio: true });
    expect(await server.run("return (clan:AwardAsync(1, 5)).xp")).toBe("5");
    expect(server.warnings).toStrictEqual([
      '[ClanXP] XP is in the memory of this server only, as with Mock = true. There is no secret "clanxp_key": ' +
        "add it to the game settings of Studio, or give ApiKey",
    ]);
    await expect(startMock(`${config}, Mock = false`, { studio: true })).rejects.toThrow("There is no secret");
    await expect(startMock(config)).rejects.toThrow("There is no secret");
  });
});
