// What suites begin with that speak to the API byte by byte: a clan, connections that end with the file, and after each
// test the proof that nothing was harmed.
import { afterAll, afterEach, beforeAll } from "vitest";
import { makeClanCaller, type ClanCaller } from "./clan-caller.ts";
import { makeLines, type Line } from "./raw-http.ts";
import { expectUnharmed } from "./unharmed.ts";
import { makeWorld, type World } from "./world.ts";

/** Filled before the first test. */
export type WireSuite = {
  world: World;
  port: number;
  clan: ClanCaller;
  /** A connection, to another port if one is given. */
  open(port?: number): Promise<Line>;
  /** Where the clan's awards for a member go. */
  xpPath(platformId: string): string;
};

/** Call it at the top of a file: it registers that file's hooks. */
export function useWire(): WireSuite {
  const lines = makeLines();
  // Nobody reads it before the first hook has filled it.
  const wire = {
    open: (port = wire.port) => lines.open(port),
    xpPath: (platformId) => `/v0/clans/${wire.clan.clanId}/members/${platformId}/xp`,
  } as WireSuite;
  beforeAll(async () => {
    wire.world = await makeWorld();
    ({ port: wire.port } = await wire.world.startApi());
    wire.clan = await makeClanCaller(wire.world, wire.port);
  });
  afterEach(() => expectUnharmed(wire.clan));
  afterAll(async () => {
    lines.destroyAll();
    await wire.world.close();
  });
  return wire;
}
