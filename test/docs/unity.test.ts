import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { cacheDir } from "../../scripts/paths.js";
import { tools } from "../../scripts/tools/list.ts";
import { toolOrNull, type RunTool } from "../deploy/tool.ts";
import { listenLocally } from "../support/listen-locally.ts";
import { tempDir } from "../support/temp-dir.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { makeWorld } from "../support/world.ts";
import { blocksOf, readPage } from "../support/docs-page.ts";

const [mono, gdparse] = await Promise.all([toolOrNull("mono"), toolOrNull("gdparse")]);
/** In a culture whose minus sign is not that of ASCII, as in Sweden. */
const AWARD = `
        var culture = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        culture.NumberFormat.NegativeSign = "\\u2212";
        Thread.CurrentThread.CurrentCulture = culture;
        var clan = new ClanXp(args[0], args[1], args[2]);
        var amount = long.Parse(args[3], CultureInfo.InvariantCulture);
        Console.Write(await clan.AwardAsync("player-1", amount, "match-81/win", args[4]));`;
/** What it writes to the ledger needs every escape that JSON has. */
const REASON = 'won "the\\cup"\tand\nmore';
const programOf = (statements: string): string => `
public static class Program
{
    public static void Main(string[] args) { Run(args).GetAwaiter().GetResult(); }

    static async Task Run(string[] args)
    {${statements}
    }
}`;

const blockOf = (page: string, wanted: string): string =>
  blocksOf(readPage(page)).find(({ language }) => language === wanted)?.text ?? "";

async function newClan() {
  const world = await makeWorld();
  onTestFinished(() => world.close());
  const { port } = await world.startApi();
  return { port, clan: await makeClanCaller(world, port) };
}

/** A program with the class of the guide. */
async function compiled(run: RunTool, statements: string): Promise<string> {
  const dir = tempDir();
  const [code, program] = [join(dir, "Awards.cs"), join(dir, "awards.exe")];
  writeFileSync(code, blockOf("docs/how-to/unity-and-godot.md", "csharp") + programOf(statements));
  const compiler = join(cacheDir, "tools", tools.mono.folder, "usr", "lib", "mono", "4.5", "mcs.exe");
  await run(compiler, "-langversion:latest", "-r:System.Net.Http.dll", `-out:${program}`, code);
  return program;
}

test.skipIf(mono === null)(
  "the class in the Unity guide applies an award once, even if a response is lost",
  { timeout: 120_000 },
  async () => {
    if (!mono) return;
    const program = await compiled(mono, AWARD);
    const { port, clan } = await newClan();
    const proxy = await startTcpProxy({ host: "127.0.0.1", port });
    onTestFinished(() => proxy.close());
    const award = (amount: string) =>
      mono(program, `http://127.0.0.1:${proxy.port}`, clan.clanId, clan.key, amount, REASON);

    // As a proxy in front of the service may: its date is 1 to 2 s ahead, and a back-off alone ends within 0.5 s.
    const tries: number[] = [];
    const bodies: unknown[] = [];
    async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { url } = request;
      const body = JSON.parse(await text(request));
      if (url?.includes("/moved/")) return void response.writeHead(307, { location: "http://127.0.0.1:1/next" }).end();
      tries.push(performance.now());
      bodies.push(body);
      const retryAfter = new Date(Date.now() + 2_000).toUTCString();
      if (tries.length === 1) response.writeHead(503, { "retry-after": retryAfter }).end();
      else if (tries.length === 2) response.writeHead(522).end("<html>");
      else response.end(tries.length === 3 ? '<html>"xp":"5"' : '{"platformId":"player-1","xp":"5"}');
    }
    const busy = await listenLocally(createServer((request, response) => void answer(request, response)));
    onTestFinished(busy.close);

    const lost = proxy.cutAfter("back", { bytes: 20 });
    const [first, later] = await Promise.all([
      award("150"),
      mono(program, busy.url, clan.clanId, clan.key, "-150", REASON),
      expect(mono(program, busy.url, "moved", clan.key, "150", REASON)).rejects.toThrow("307 http://127.0.0.1:1/next"),
    ]);
    expect(later).toBe('{"platformId":"player-1","xp":"5"}');
    expect(tries).toHaveLength(4);
    expect(bodies).toStrictEqual(bodies.map(() => ({ amount: -150, reason: REASON })));
    expect((tries[1] ?? 0) - (tries[0] ?? 0)).toBeGreaterThan(900);
    await lost;
    expect(JSON.parse(first)).toStrictEqual({ platformId: "player-1", xp: "150", rank: "Recruit" });
    expect(await award("150")).toBe(first);
    expect((await clan.get("/members/player-1/ledger")).body.entries).toMatchObject([{ reason: REASON }]);
    // What is permanent is not tried again, and its problem is shown.
    await expect(award("1")).rejects.toThrow("idempotency_key_reused");
  },
);

test.skipIf(mono === null)("the C# of the quick start sends the award of its curl command", async () => {
  if (!mono) return;
  const { port, clan } = await newClan();
  const page = "docs/quick-start.md";
  const statements = blockOf(page, "csharp")
    .replace('"demo"', JSON.stringify(clan.clanId))
    .replace(/Environment.GetEnvironmentVariable\("(API|KEY)"\)/g, (_whole, name) => `args[${name === "API" ? 0 : 1}]`);
  const printed = await mono(await compiled(mono, statements), `http://127.0.0.1:${port}`, clan.key);
  expect(JSON.parse(printed)).toStrictEqual(JSON.parse(blockOf(page, "json")));
  const [, key = ""] = /-H "Idempotency-Key: (.+)"/.exec(readPage(page)) ?? [];
  const curl = await clan.award("player-1", { amount: 150, reason: "won a match" }, { "idempotency-key": key });
  expect(curl.headers.get("idempotency-replayed")).toBe("true");
});

test.skipIf(gdparse === null).each(["docs/how-to/unity-and-godot.md", "docs/quick-start.md"])(
  "the GDScript of %s can be parsed",
  async (page) => {
    const script = join(tempDir(), "award.gd");
    writeFileSync(script, blockOf(page, "gdscript"));
    await gdparse?.(script);
    writeFileSync(script, `${blockOf(page, "gdscript")}\n)`);
    await expect(gdparse?.(script)).rejects.toThrow("Unexpected token");
  },
);

test("the GDScript of the quick start sends the award of its C#", () => {
  const call = /(?:AwardAsync|award)\((".+")\)\)/;
  const [csharp, gdscript] = ["csharp", "gdscript"].map((wanted) => call.exec(blockOf("docs/quick-start.md", wanted)));
  expect(gdscript?.[1]).toBe('"player-1", 150, "match-80/win", "won a match"');
  expect(csharp?.[1]).toBe(gdscript?.[1]);
});
