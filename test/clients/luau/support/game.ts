// A game server with a client in it: `clan` for its scripts, and the events of its signals, in order.
import { startGameServer, type GameServer, type ServerOptions } from "./game-server.ts";

export type Game = GameServer & {
  /** Runs a script that makes awards and forgets them, each `[player, amount, options]` as Luau. */
  award(...awards: string[]): Promise<void>;
  delivered(): Promise<{ ticket: Ticket; result: any }[]>;
  dropped(): Promise<{ ticket: Ticket; error: any }[]>;
  rankChanges(): Promise<any[]>;
};
export type Ticket = { PlatformId: string; Amount: number; IdempotencyKey: string; Status: string };

/** `config`: fields of ClanXP.new as Luau, besides BaseUrl and ClanId. `listen`: connects to the signals. */
export async function startGame(
  options: ServerOptions & { config?: string; listen?: boolean; baseUrl?: string; clanId?: string },
): Promise<Game> {
  const { config = "", listen = true, baseUrl = "https://xp.example.com", clanId = "rovers", ...rest } = options;
  const server = await startGameServer(rest);
  await server.run(`
    ClanXP = require(game:GetService("ServerScriptService").ClanXP)
    clan = ClanXP.new({ BaseUrl = "${baseUrl}", ClanId = "${clanId}", ${config} })
    delivered, dropped, rankChanges = {}, {}, {}
    if ${listen} then
      clan.Delivered:Connect(function(ticket, result) table.insert(delivered, { ticket = table.clone(ticket),
        result = result }) end)
      clan.Dropped:Connect(function(ticket, problem) table.insert(dropped, { ticket = table.clone(ticket),
        error = problem }) end)
      clan.RankChanged:Connect(function(...) table.insert(rankChanges, { ... }) end)
    end`);
  return {
    ...server,
    award: (...awards) => server.run(awards.map((award) => `clan:Award(${award})`).join("\n")),
    delivered: () => server.run("return delivered"),
    dropped: () => server.run("return dropped"),
    rankChanges: () => server.run("return rankChanges"),
  };
}
