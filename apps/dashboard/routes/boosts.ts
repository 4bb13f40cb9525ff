// The clan's boosts, by the same use cases as the command line.
import type { AddBoostsRequest, boostEndpoints, ListedBoost } from "#contract/dashboard/boosts.ts";
import { storedBoostResponse } from "#contract/render.ts";
import { BOOSTS_PER_CLAN_MAX, percentOf, statusOf, type StoredBoost } from "#domain/boost.ts";
import { timeZoneOf } from "#domain/time-zone.ts";
import type { AddBoosts, BoostWindows } from "#boosts/add-boosts.ts";
import type { EndBoost } from "#boosts/end-boost.ts";
import type { BoostStore } from "#boosts/ports.ts";
import type { ClanStore } from "#clans/ports.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import type { Routes } from "../http/route.ts";

export function makeBoostRoutes(deps: {
  boosts: Pick<BoostStore, "list" | "now">;
  clans: Pick<ClanStore, "read">;
  addBoosts: AddBoosts;
  endBoost: EndBoost;
}): Routes<typeof boostEndpoints> {
  const { boosts, clans, addBoosts, endBoost } = deps;
  return {
    async "list-boosts"({ params: { clanId } }) {
      const [now, stored, found] = await Promise.all([boosts.now(), boosts.list(clanId), clans.read([clanId])]);
      const clan = found.get(clanId);
      if (!stored || !clan) throw noClan();
      const listed = stored.map((boost) => listedBoost(boost, now));
      const open = listed.filter(({ status }) => status !== "ended");
      const ended = listed.filter(({ status }) => status === "ended").toReversed();
      const ranks = clan.ranks.map(({ name }) => name);
      return { boosts: [...open, ...ended], open: open.length, openMax: BOOSTS_PER_CLAN_MAX, ranks };
    },

    async "add-boosts"({ params: { clanId }, body: { factor, window, ...facts }, by }) {
      const request = { ...facts, percent: percentOf(factor) ?? 0, windows: windowsOf(window) };
      const added = await addBoosts(clanId, request, by);
      switch (added.kind) {
        case "no_clan":
          throw noClan();
        case "no_rank":
        case "invalid":
          throw new DashboardError("invalid_request", `${added.faults.join(" ")} Nothing was added.`);
        case "too_many_boosts":
          throw new DashboardError("conflict", added.detail);
        case "added": {
          const now = await boosts.now();
          return { boosts: added.boosts.map((boost) => listedBoost(boost, now)) };
        }
      }
    },

    /** A boost of another clan is treated as unknown. */
    async "end-boost"({ params, by }) {
      const ended = await endBoost(params, by);
      if (!ended) throw new DashboardError("not_found", "This clan has no such boost. Nothing was changed.");
      return listedBoost(ended, await boosts.now());
    },
  };
}

function windowsOf(window: AddBoostsRequest["window"]): BoostWindows {
  if (window.kind === "times")
    return { from: window.from === null ? null : new Date(window.from), to: new Date(window.to) };
  const zone = timeZoneOf(window.timeZone);
  if (!zone) throw new Error(`the schema has accepted the time zone ${window.timeZone}`);
  return { weekends: window.weekends, zone };
}

function listedBoost(boost: StoredBoost, now: Date): ListedBoost {
  return { ...storedBoostResponse(boost), status: statusOf(boost, now) };
}

function noClan(): DashboardError {
  return new DashboardError("not_found", "There is no such clan. Nothing was changed.");
}
