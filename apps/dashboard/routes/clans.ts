// All clans, by the same use cases as the command line.
import type { clanEndpoints, ClanFacts, ClanSettingsRequest } from "#contract/dashboard/clans.ts";
import { ClanCursor, encodeCursor } from "#contract/page.ts";
import { clanResponse } from "#contract/render.ts";
import type { Clan } from "#domain/clan.ts";
import { moderatorBoundsOf } from "#domain/moderator.ts";
import type { ChangeClan } from "#clans/change-clan.ts";
import type { CreateClan } from "#clans/create-clan.ts";
import type { ClanSettings, ClanStore } from "#clans/ports.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";

/** A clan has up to some kilobytes if it has many ranks. */
const CLANS_PER_PAGE = 50;

export function makeClanRoutes(deps: {
  clans: Pick<ClanStore, "search" | "read">;
  createClan: CreateClan;
  changeClan: ChangeClan;
}): Routes<typeof clanEndpoints> {
  return {
    async "list-clans"({ query: { search = "", cursor } }) {
      const after = positionIn(ClanCursor, cursor)?.[0] ?? null;
      const { items, next } = await deps.clans.search(search, { limit: CLANS_PER_PAGE, after });
      return { clans: items.map(factsOf), nextCursor: next === null ? null : encodeCursor([next]) };
    },

    async "create-clan"({ body, by }) {
      const created = await deps.createClan(body, by);
      if (created.kind === "created") return factsOf(created.clan);
      const faults = [{ pointer: "/clanId", detail: "is the id of another clan" }];
      const why = created.kind === "taken" ? "exists already" : "was deleted, and its id is not used again";
      throw new DashboardError("conflict", `The clan ${body.clanId} ${why}. Nothing was changed.`, { faults });
    },

    async "read-clan"({ params: { clanId } }) {
      const clan = (await deps.clans.read([clanId])).get(clanId);
      if (!clan) throw new DashboardError("not_found", "There is no such clan.");
      return factsOf(clan);
    },

    async "change-clan"({ params: { clanId }, body, by }) {
      const change = await deps.changeClan(clanId, settingsOf(body), by);
      if (change.kind === "changed") return factsOf(change.clan);
      if (change.kind === "no_clan")
        throw new DashboardError("not_found", "There is no such clan. Nothing was changed.");
      const detail = `The minimum would be ${change.xpFloor}, above the maximum ${change.xpCap}. Nothing was changed.`;
      throw new DashboardError("conflict", detail);
    },
  };
}

function factsOf(clan: Clan): ClanFacts {
  const { xpFloor, xpCap, amountMax, dailyCap, awardEvents = false } = clan;
  const bounds = { xpFloor: xpFloor?.toString() ?? null, xpCap: xpCap.toString(), amountMax };
  const perDay = { xpPerDay: dailyCap?.xp.toString() ?? null };
  return { ...clanResponse(clan), ...bounds, ...perDay, awardEvents, moderatorBounds: moderatorBoundsOf(clan) };
}

function settingsOf({
  name,
  autoClan,
  xpFloor,
  xpCap,
  amountMax,
  xpPerDay,
  moderatorBounds,
}: ClanSettingsRequest): ClanSettings {
  return {
    ...(moderatorBounds === undefined ? {} : { moderatorBounds }),
    ...(name === undefined ? {} : { name }),
    ...(autoClan === undefined ? {} : { autoClan }),
    ...(xpFloor === undefined ? {} : { xpFloor: xpFloor === null ? null : BigInt(xpFloor) }),
    ...(xpCap === undefined ? {} : { xpCap: BigInt(xpCap) }),
    ...(amountMax === undefined ? {} : { amountMax }),
    ...(xpPerDay === undefined ? {} : { xpPerDay: xpPerDay === null ? null : BigInt(xpPerDay) }),
  };
}
