import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { blocksOf, tabsAfter } from "../../support/docs-page.ts";
import { root } from "../../../scripts/paths.js";
import { makeAwardsApi, problem } from "./support/awards-api.ts";
import { startGameServer } from "./support/game-server.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const json = (file: string): any => JSON.parse(read(file));
const source = read("clients/luau/src/init.luau");

describe("the Roblox package", () => {
  test("is one strict ModuleScript that needs no other, and data stores for an outbox only", () => {
    expect(source.split("\n")[0]).toBe("--!strict");
    expect(source).not.toMatch(/\brequire\b|loadstring|getfenv|setfenv|_G\b/);
    const services = [...source.matchAll(/^(?:local |\t+).*GetService\("(\w+)"\)/gm)].map((match) => match[1]);
    expect(services).toStrictEqual(["HttpService", "Players", "RunService", "DataStoreService"]);
    expect(source).toMatch(/^\t+local service: any = game:GetService\("DataStoreService"\)/m);
  });

  test("has functions of at most 70 lines, and lines of at most 120 columns", () => {
    const lines = source.split("\n");
    const starts = lines.flatMap((line, index) => (/^(?:local )?function /.test(line) ? [index] : []));
    expect(starts.length).toBeGreaterThan(30);
    expect(
      starts.filter((start) => lines.indexOf("end", start) - start > 70).map((start) => lines[start]),
    ).toStrictEqual([]);
    expect(lines.filter((line) => line.length > 120)).toStrictEqual([]);
  });

  test("is named ClanXP for Rojo, is server-only for Wally, and its folders exist", () => {
    const project = json("clients/luau/default.project.json");
    expect(project).toStrictEqual({ name: "ClanXP", tree: { $path: "src" } });
    const wally = read("clients/luau/wally.toml");
    expect(wally).toMatch(/^name = "[a-z0-9-]+\/[a-z0-9-]+"$/m);
    expect(wally).toMatch(/^realm = "server"$/m);
    expect(wally).toMatch(/^version = "\d+\.\d+\.\d+"$/m);
    expect(wally).toMatch(/^license = "MIT"$/m);
    const { ServerScriptService } = json("clients/luau/example/default.project.json").tree;
    for (const { $path } of Object.values<any>(ServerScriptService))
      expect(existsSync(join(root, "clients/luau/example", $path))).toBe(true);
    expect(read("clients/luau/LICENSE")).toBe(read("LICENSE"));
  });
});

describe("the documentation of the Roblox client", () => {
  const pages = ["clients/luau/README.md", "docs/how-to/roblox.md"];
  const scriptsOf = (page: string): [string, string][] =>
    blocksOf(read(page))
      .filter(({ language }) => language === "lua")
      .map(({ text, line }) => [`${page}:${line}`, text]);
  /** A script that shows something, and awards nobody. */
  const isBoard = (script: string): boolean => /GetMembers(ById)?Async|GetStandingsAsync|OnEvents/.test(script);
  const boardOf = (page: string, call: string): string =>
    scriptsOf(page).find(([, script]) => script.includes(call))?.[1] ?? "";
  const scripts = [
    ["clients/luau/example/Awards.server.luau", read("clients/luau/example/Awards.server.luau")],
    ...pages.flatMap((page) => {
      const found = scriptsOf(page).filter(([, script]) => !isBoard(script));
      if (found.length === 0) throw new Error(`${page} shows no Luau`);
      return found;
    }),
  ] as [string, string][];

  test.each(scripts)(
    "has a working example that awards a joining player without warnings: %s",
    async (_name, script) => {
      const api = makeAwardsApi((_call, request) =>
        request.method === "GET" ? Response.json({ members: [], missing: ["7"] }) : undefined,
      );
      const server = await startGameServer({ respond: api.respond });
      await server.run(script);
      await server.join(7);
      await server.advance(130);
      await server.leave(7);
      await server.shutDown();
      expect(api.calls.flat()[0]).toMatchObject({ platformId: "7", amount: 50 });
      expect(server.warnings).toStrictEqual([]);
      expect((await server.run("return printed")).join()).toMatch(/^7 (is now|has 50 XP and is) Recruit/);
    },
  );

  const calls = [
    "docs/quick-start.md",
    ...["awards", "members", "boards"].map((noun) => `docs/reference/api/${noun}.md`),
  ].flatMap(callsOf);
  test.each(calls)("sends the request of the command beside it: $place", async ({ script, command }) => {
    const api = makeAwardsApi((_call, { method }) => (method === "GET" ? problem(404, "member_not_found") : undefined));
    const server = await startGameServer({ respond: api.respond });
    await server.run(script);
    await server.advance(10);
    const [, path = "", platformId] = /"\$API(\/v0\/clans\/\w+(?:\/members\/([\w-]+))?[^"]*)"/.exec(command) ?? [];
    const [, key] = /-H "Idempotency-Key: (.+)"/.exec(command) ?? [];
    const [, award] = /-d '(.+)'/.exec(command) ?? [];
    if (award === undefined)
      expect(server.requests.map(({ url }) => url)).toStrictEqual([`https://xp.example.com${path}`]);
    else expect(api.calls.flat()).toStrictEqual([{ platformId, ...JSON.parse(award), idempotencyKey: key }]);
  });

  test("has an example that shows XP and rank as leaderstats, and awards XP for every minute", async () => {
    const api = makeAwardsApi((_call, request) =>
      request.method === "GET"
        ? Response.json({ members: [{ platformId: "7", xp: "10", rank: "Guest" }], missing: [] })
        : undefined,
    );
    const server = await startGameServer({ respond: api.respond });
    await server.run(read("clients/luau/example/Awards.server.luau"));
    await server.join(7);
    await server.advance(130);
    expect(api.calls.flat().map(({ amount }) => amount)).toStrictEqual([50, 5, 5]);
    const stats = await server.run(`
      local stats = game:GetService("Players"):GetPlayers()[1]:FindFirstChild("leaderstats")
      return { stats:FindFirstChild("XP").Value, stats:FindFirstChild("Rank").Value }`);
    expect(stats).toStrictEqual([60, "Recruit"]);
  });

  test("has an example that shows every player their XP and position", async () => {
    const found = (): Response =>
      Response.json({
        members: [
          { platformId: "7", xp: "1200", rank: "Veteran", position: { value: 3, of: 9, approximate: false } },
          { platformId: "8", xp: "90", rank: "Guest", position: null },
        ],
        missing: ["9"],
        nextCursor: null,
      });
    const answers = [found, () => problem(403, "scope_missing")];
    const server = await startGameServer({
      respond({ method, url }) {
        if (method === "POST") return Response.json({ stored: 3 });
        return url.includes("position") ? (answers.shift()?.() ?? "silence") : found();
      },
    });
    for (const userId of [7, 8, 9]) await server.join(userId);
    await server.start(boardOf("docs/how-to/roblox.md", "GetMembersByIdAsync"));
    await server.advance(30);
    expect(server.requests.map(({ url }) => url).filter((url) => url.includes("position"))).toStrictEqual([
      "https://xp.example.com/v0/clans/rovers/members?platformIds=7,8,9&include=position",
    ]);
    const shown = await server.run(`
      local shown = {}
      for _, player in game:GetService("Players"):GetPlayers() do
        local stats = player:FindFirstChild("leaderstats")
        local position = stats:FindFirstChild("Position")
        table.insert(shown, { stats:FindFirstChild("XP").Value, if position then position.Value else "none" })
      end
      return shown`);
    expect(shown).toStrictEqual([
      [1200, "#3"],
      [90, "–"],
      [0, "none"],
    ]);
    await server.advance(60);
    expect(server.warnings).toStrictEqual(["Positions could not be read: scope_missing: It is scope_missing."]);
  });

  test("has an example that shows a leaderboard, follows it, and keeps its content while the service does not respond", async () => {
    const page = (...members: [string, string, string][]): Response =>
      Response.json({
        members: members.map(([platformId, xp, rank], index) => ({
          platformId,
          name: platformId === "7" ? "Ada" : null,
          xp,
          rank,
          position: { value: index + 1 },
        })),
        nextCursor: null,
      });
    const answers = [
      page(["7", "1200", "Veteran"], ["-1", "90", "Guest"]),
      problem(403, "scope_missing"),
      page(["-1", "2000", "Veteran"], ["7", "1200", "Veteran"]),
    ];
    const server = await startGameServer({ respond: () => answers.shift() ?? "silence" });
    await server.start(boardOf("docs/how-to/roblox.md", "GetMembersAsync"));
    const shown = (): Promise<string> =>
      server.run(
        `return workspace:FindFirstChild("Leaderboard"):FindFirstChild("SurfaceGui"):FindFirstChild("Members").Text`,
      );
    expect(await shown()).toBe("Loading …");
    await server.advance(30);
    expect(await shown()).toBe("1. Ada: 1200 XP, Veteran\n2. -1: 90 XP, Guest");
    expect(server.requests.map(({ url }) => url)).toStrictEqual([
      "https://xp.example.com/v0/clans/rovers/members?sort=xp&limit=10&include=name,position",
    ]);
    await server.advance(60);
    expect(server.warnings).toStrictEqual(["The leaderboard could not be read: scope_missing: It is scope_missing."]);
    expect(await shown()).toContain("1. Ada");
    await server.advance(60);
    expect(await shown()).toBe("1. -1: 2000 XP, Veteran\n2. Ada: 1200 XP, Veteran");
  });

  test("has an example that shows the standings of this week", async () => {
    const answers = [
      () =>
        Response.json({
          members: [
            { platformId: "7", name: "Ada", xp: "1200", position: 1 },
            { platformId: "-1", name: null, xp: "90", position: 2 },
          ],
          nextCursor: null,
        }),
      () => problem(404, "board_not_found"),
    ];
    const server = await startGameServer({ respond: () => answers.shift()?.() ?? "silence" });
    await server.start(boardOf("docs/how-to/roblox.md", "GetStandingsAsync"));
    const shown = (): Promise<string> =>
      server.run(
        `return workspace:FindFirstChild("BoardOfTheWeek"):FindFirstChild("SurfaceGui"):FindFirstChild("Standings").Text`,
      );
    await server.advance(30);
    expect(await shown()).toBe("This week\n1. Ada: 1200 XP\n2. -1: 90 XP");
    expect(server.requests.map(({ url }) => url)).toStrictEqual([
      "https://xp.example.com/v0/clans/rovers/boards/weekly/periods/current/members?limit=10&include=name",
    ]);
    await server.advance(60);
    expect(server.warnings).toStrictEqual(["The board could not be read: board_not_found: It is board_not_found."]);
    expect(await shown()).toContain("1. Ada");
  });

  test("has examples that show or print the new ranks of players on other servers", async () => {
    const change = (id: string, name: string | null, direction: string, rank: string): object => {
      const data = { platformId: "7", name, direction, rank };
      return { id, type: "member.rank_changed", timestamp: "", clanId: "rovers", data };
    };
    const pageOf = (...events: object[]): Response => Response.json({ events, cursor: "c", hasMore: false });
    const answers = [
      pageOf(),
      pageOf(change("evt_1", "Ada", "up", "Veteran"), change("evt_2", "Ada", "down", "Recruit")),
      pageOf(change("evt_3", null, "up", "Elite")),
      problem(403, "scope_missing"),
    ];
    const server = await startGameServer({ respond: () => answers.shift() ?? "silence" });
    await server.run(boardOf("docs/how-to/roblox.md", "OnEvents"));
    const shown = (): Promise<string> =>
      server.run(
        `return workspace:FindFirstChild("Announcements"):FindFirstChild("SurfaceGui"):FindFirstChild("Message").Text`,
      );
    await server.advance(1.5);
    expect(await shown()).toBe("Ada is now Veteran");
    await server.advance(1);
    expect(await shown()).toBe("7 is now Elite");
    expect(server.requests[0]?.url).toMatch(/events\?wait=20&limit=200&types=member.rank_changed&after=now$/);
    await server.advance(10);
    expect(server.warnings).toStrictEqual(["New ranks could not be read: scope_missing: It is scope_missing."]);

    const howTo = ["react-to-a-rank-up", "receive-webhooks"].map((name) => `docs/how-to/${name}.md`);
    for (const guide of ["clients/luau/README.md", ...howTo]) {
      const printing = await startGameServer({ respond: () => pageOf(change("evt_1", null, "up", "Veteran")) });
      await printing.run(`
        local ClanXP = require(game:GetService("ServerScriptService").ClanXP)
        clan = ClanXP.new({ BaseUrl = "https://xp.example.com", ClanId = "rovers" })`);
      await printing.run(boardOf(guide, "OnEvents"));
      await printing.advance(0.5);
      expect(await printing.run("return printed")).toStrictEqual(["7 is now Veteran"]);
    }
  });

  test("describes every setting, method, signal and error in the README", () => {
    const page = read("clients/luau/README.md");
    const config = /export type Config = \{([\s\S]*?)\n\}/.exec(source)?.[1] ?? "";
    const client = /export type ClanXP = \{([\s\S]*?)\n\}/.exec(source)?.[1] ?? "";
    const names = [...`${config}${client}`.matchAll(/^\t(\w+):/gm)].map((match) => match[1] ?? "");
    expect(names.length).toBeGreaterThan(14);
    const codes = [...source.matchAll(/(?:localError\(|textOr\(\w+\.code, )"(\w+)"/g)].map((match) => match[1] ?? "");
    expect(codes).toContain("queue_full");
    for (const name of [...names, ...codes]) expect(page).toContain(name);
  });
});

/** Each script that a page shows beside a command, with the client that the page makes once. */
function callsOf(page: string): { place: string; script: string; command: string }[] {
  const blocks = blocksOf(read(page));
  const client = blocks.find(({ language, text }) => language === "lua" && text.includes("ClanXP.new("))?.text ?? "";
  return blocks.flatMap(({ language, text: command, line }, index) => {
    const script = tabsAfter(blocks, index).find((tab) => tab.language === "lua")?.text;
    if (language !== "sh" || script === undefined) return [];
    return [{ place: `${page}:${line}`, script: script.includes(client) ? script : `${client}\n${script}`, command }];
  });
}
