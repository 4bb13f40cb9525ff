// What suites begin with that speak to the API byte by byte: a clan, connections that end with the file, and after each
// test the proof that nothing was harmed.
import { afterAll, afterEach } from "vitest";
import { openLine, type Line } from "./raw-http.ts";
import { expectUnharmed } from "./unharmed.ts";
import { useApi, type ApiSuite } from "./use-api.ts";

export type RawHttpSuite = Pick<ApiSuite, "world" | "port" | "clan"> & {
  /** A connection, to another port if one is given. */
  open(port?: number): Promise<Line>;
  /** Where the clan's awards for a member go. */
  xpPath(platformId: string): string;
};

/** Call it at the top of a file: it registers that file's hooks. */
export async function useRawHttp(): Promise<RawHttpSuite> {
  const lines: Line[] = [];
  afterAll(() => lines.forEach((line) => line.destroy()));
  const { world, port, clan } = await useApi();
  afterEach(() => expectUnharmed(clan));
  return {
    world,
    port,
    clan,
    async open(otherPort = port) {
      const line = await openLine(otherPort);
      lines.push(line);
      return line;
    },
    xpPath: (platformId) => `/v0/clans/${clan.clanId}/members/${platformId}/xp`,
  };
}
