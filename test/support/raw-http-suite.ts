// What suites begin with that speak to the API byte by byte: a clan, connections that end with the file, and after each
// test the proof that nothing was harmed.
import { afterAll, afterEach, beforeAll } from "vitest";
import { makeClanCaller, type ClanCaller } from "./clan-caller.ts";
import { makeLines, type Line } from "./raw-http.ts";
import { expectUnharmed } from "./unharmed.ts";
import { makeWorld, type World } from "./world.ts";

/** Filled before the first test. */
export type RawHttpSuite = {
  world: World;
  port: number;
  clan: ClanCaller;
  /** A connection, to another port if one is given. */
  open(port?: number): Promise<Line>;
  /** Where the clan's awards for a member go. */
  xpPath(platformId: string): string;
};

/** Call it at the top of a file: it registers that file's hooks. */
export function useRawHttp(): RawHttpSuite {
  const lines = makeLines();
  // Nobody reads it before the first hook has filled it.
  const rawHttp = {
    open: (port = rawHttp.port) => lines.open(port),
    xpPath: (platformId) => `/v0/clans/${rawHttp.clan.clanId}/members/${platformId}/xp`,
  } as RawHttpSuite;
  beforeAll(async () => {
    rawHttp.world = await makeWorld();
    ({ port: rawHttp.port } = await rawHttp.world.startApi());
    rawHttp.clan = await makeClanCaller(rawHttp.world, rawHttp.port);
  });
  afterEach(() => expectUnharmed(rawHttp.clan));
  afterAll(async () => {
    lines.destroyAll();
    await rawHttp.world.close();
  });
  return rawHttp;
}
