// What most tests of a clan's pages begin with: a dashboard, an API, and a clan with an owner and a viewer.
import type { Clan } from "#domain/clan.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { useDashboard } from "./dashboard-world.ts";

/** Call it where a file begins. Endpoints of the clan begin with `api`, and pages with `pages`. */
export async function useClan({ worker = false, ...changes }: Partial<Clan> & { worker?: boolean } = {}) {
  const dashboard = await useDashboard();
  const { world } = dashboard;
  const { port } = await world.startApi();
  if (worker) await world.startWorker();
  const clan = await makeClanCaller(world, port, changes);
  const { clanId } = clan;
  const owner = await dashboard.signedIn("ada", "owner", clanId);
  const viewer = await dashboard.signedIn("vic", "viewer", clanId);
  return {
    dashboard,
    port,
    clan,
    api: `/api/clans/${clanId}`,
    pages: `${dashboard.url}/clans/${clanId}`,
    owner,
    viewer,
  };
}
