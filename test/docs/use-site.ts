// The documentation site as an API of this file's world serves it.
import { afterAll, beforeAll } from "vitest";
import { buildSite, SITE_FOLDER } from "../../scripts/docs-site/built-site.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { callerOf, type Caller } from "../support/http.ts";
import { makeWorld, type World } from "../support/world.ts";

/** Its packages may have to be downloaded. */
const BUILD_MS_MAX = 600_000;

export type Site = { url: string; clan: ClanCaller; anyone: Caller };

/** Each field exists once the tests run. */
export function useSite(): Site {
  const site = {} as Site;
  let world: World;
  beforeAll(async () => {
    [world] = await Promise.all([makeWorld(), buildSite(() => {})]);
    const { port } = await world.startApi({ siteFolder: SITE_FOLDER, config: { docsUrl: "https://docs.example.com" } });
    const clan = await makeClanCaller(world, port);
    Object.assign(site, { url: `http://127.0.0.1:${port}`, clan, anyone: callerOf(port, null) });
  }, BUILD_MS_MAX);
  afterAll(() => world?.close());
  return site;
}
