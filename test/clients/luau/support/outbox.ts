// Servers of the Roblox client with an outbox.
import type { DataStores } from "./data-stores.ts";
import type { Respond, ServerOptions } from "./game-server.ts";
import { startGame, type Game } from "./game.ts";

const STARTS_AT = Date.parse("2026-11-22T10:00:00Z");

/** The API during an outage. */
export const down: Respond = () => ({ raise: "HttpError: ConnectFail" });

/** A server of the clan that starts so many seconds after the first ones. */
export const startAt = (
  seconds: number,
  stores: DataStores,
  respond: Respond,
  options: Partial<ServerOptions> & { config?: string; clanId?: string; listen?: boolean } = {},
): Promise<Game> => {
  const config = `Outbox = true, ${options.config ?? ""}`;
  return startGame({ stores, respond, startsAt: new Date(STARTS_AT + seconds * 1000), ...options, config });
};

/** Runs the servers beside each other until nothing is stored. */
export async function takeOverTogether(stores: DataStores, games: readonly Game[], secondsMax: number): Promise<void> {
  for (let seconds = 0; seconds < secondsMax && stores.entries.size > 0; seconds += 5)
    await Promise.all(games.map((game) => game.advance(5)));
}
