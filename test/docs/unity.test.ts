import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cacheDir } from "../../scripts/paths.js";
import { tools } from "../../scripts/tools/list.ts";
import { toolOrNull } from "../deploy/tool.ts";
import { tempDir } from "../support/temp-dir.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { makeWorld } from "../support/world.ts";
import { blocksOf, readPage } from "../support/docs-page.ts";

const mono = await toolOrNull("mono");
const PROGRAM = `
public static class Program
{
    public static void Main(string[] args)
    {
        var clan = new ClanXp(args[0], args[1], args[2]);
        System.Console.Write(clan.AwardAsync("player-1", long.Parse(args[3]), "match-81/win").GetAwaiter().GetResult());
    }
}`;

test.skipIf(mono === null)(
  "the class in the Unity guide applies an award once, even if a response is lost",
  { timeout: 120_000 },
  async () => {
    if (!mono) return;
    const dir = tempDir();
    const source =
      blocksOf(readPage("docs/how-to/unity-and-godot.md")).find(({ language }) => language === "csharp")?.text ?? "";
    const [code, program] = [join(dir, "Awards.cs"), join(dir, "awards.exe")];
    writeFileSync(code, source + PROGRAM);
    const compiler = join(cacheDir, "tools", tools.mono.folder, "usr", "lib", "mono", "4.5", "mcs.exe");
    await mono(compiler, "-langversion:latest", "-r:System.Net.Http.dll", `-out:${program}`, code);

    const world = await makeWorld();
    onTestFinished(() => world.close());
    const { port } = await world.startApi();
    const clan = await makeClanCaller(world, port);
    const proxy = await startTcpProxy({ host: "127.0.0.1", port });
    onTestFinished(() => proxy.close());
    const award = (amount: string) => mono(program, `http://127.0.0.1:${proxy.port}`, clan.clanId, clan.key, amount);

    // As a proxy in front of the service may: its date is 1 to 2 s ahead, and a back-off alone ends within 0.5 s.
    const tries: number[] = [];
    const busy = createServer(({ url }, response) => {
      if (url?.includes("/moved/")) return void response.writeHead(307, { location: "http://127.0.0.1:1/next" }).end();
      tries.push(performance.now());
      const retryAfter = new Date(Date.now() + 2_000).toUTCString();
      if (tries.length === 1) response.writeHead(503, { "retry-after": retryAfter }).end();
      else if (tries.length === 2) response.writeHead(522).end("<html>");
      else response.end(tries.length === 3 ? '<html>"xp":"5"' : '{"platformId":"player-1","xp":"5"}');
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void busy.close());
    await once(busy, "listening");
    const { port: busyPort } = busy.address() as AddressInfo;

    const lost = proxy.cutAfter("back", { bytes: 20 });
    const busyUrl = `http://127.0.0.1:${busyPort}`;
    const [first, later] = await Promise.all([
      award("150"),
      mono(program, busyUrl, clan.clanId, clan.key, "150"),
      expect(mono(program, busyUrl, "moved", clan.key, "150")).rejects.toThrow("307 http://127.0.0.1:1/next"),
    ]);
    expect(later).toBe('{"platformId":"player-1","xp":"5"}');
    expect(tries).toHaveLength(4);
    expect((tries[1] ?? 0) - (tries[0] ?? 0)).toBeGreaterThan(900);
    await lost;
    expect(JSON.parse(first)).toStrictEqual({ platformId: "player-1", xp: "150", rank: "Recruit" });
    expect(await award("150")).toBe(first);
    expect((await clan.get("/members/player-1/ledger")).body.entries).toHaveLength(1);
    // What is permanent is not tried again, and its problem is shown.
    await expect(award("1")).rejects.toThrow("idempotency_key_reused");
  },
);
