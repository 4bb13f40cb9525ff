// The clan's ranks and Auto Clan, by the same use cases as the command line.
import type { rankEndpoints, RanksPreview, RanksRequest as Edits, RankSettings } from "#contract/dashboard/ranks.ts";
import { rankResponses } from "#contract/render.ts";
import type { Clan } from "#domain/clan.ts";
import type { Rank } from "#domain/rank.ts";
import type { ChangeClan } from "#clans/change-clan.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { CountRanks } from "#ranks/count-ranks.ts";
import type { PreviewRanks, RanksPreview as Preview, RanksRequest } from "#ranks/preview-ranks.ts";
import type { SetRanks } from "#ranks/set-ranks.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import type { Routes } from "../http/route.ts";

const LIST_CHANGED =
  "Somebody else changed the ranks. Nothing was saved: discard your edits and start from the new list.";
const FLOOR_ABOVE_CAP =
  "The clan's minimum XP is above its maximum. Correct them in Clan settings first. Nothing was changed.";

export function makeRankRoutes(deps: {
  clans: Pick<ClanStore, "read">;
  countRanks: CountRanks;
  previewRanks: PreviewRanks;
  setRanks: SetRanks;
  changeClan: ChangeClan;
}): Routes<typeof rankEndpoints> {
  const { clans, countRanks, previewRanks, setRanks, changeClan } = deps;

  async function readClan(clanId: string): Promise<Clan> {
    const clan = (await clans.read([clanId])).get(clanId);
    if (!clan) throw noClan();
    return clan;
  }

  return {
    async "read-ranks"({ params: { clanId } }) {
      return settingsOf(await readClan(clanId));
    },

    async "count-rank-members"({ params: { clanId } }) {
      const ranks = await countRanks(clanId);
      // A clan has at least one rank.
      if (ranks.length === 0) throw noClan();
      return { members: Object.fromEntries(ranks.map(({ name, members }) => [name, members])) };
    },

    async "preview-ranks"({ params: { clanId }, body }) {
      const previewed = await previewRanks(requestOf(clanId, body));
      if (previewed.kind === "list_changed") throw listChanged();
      if (previewed.kind === "faulty") throw faultyList(previewed.faults);
      if (previewed.kind === "no_clan") throw noClan();
      return previewResponse(previewed.preview);
    },

    async "set-ranks"({ params: { clanId }, body, by }) {
      const change = await setRanks({ ...requestOf(clanId, body), confirmed: body.confirmed }, by);
      switch (change.kind) {
        case "changed":
          return { kind: "saved", settings: settingsOf(change.clan) };
        case "unconfirmed":
          return { kind: "unconfirmed", preview: previewResponse(change.preview) };
        case "list_changed":
          throw listChanged();
        case "faulty":
          throw faultyList(change.faults);
        case "no_clan":
          throw noClan();
      }
    },

    async "set-auto-clan"({ params: { clanId }, body: { autoClan }, by }) {
      const change = await changeClan(clanId, { autoClan }, by);
      if (change.kind === "changed") return settingsOf(change.clan);
      if (change.kind === "no_clan") throw noClan();
      throw new DashboardError("conflict", FLOOR_ABOVE_CAP);
    },
  };
}

function settingsOf({ autoClan, ranks }: Clan): RankSettings {
  return { autoClan, ranks: rankResponses(ranks) };
}

/** Edits of an older list would silently revert changes that somebody else has made since. */
function requestOf(clanId: string, { stored, ranks: edited }: Edits): RanksRequest {
  const ranks = edited.map(({ name, kind, threshold }): Rank =>
    kind === "NORMAL" ? { name, kind, threshold: BigInt(threshold ?? 0) } : { name, kind },
  );
  const renames = new Map<string, string>();
  for (const { name, was } of edited) if (was !== null && was !== name) renames.set(was, name);
  return { clanId, ranks, renames, isExpected: (now) => textOf(rankResponses(now)) === textOf(stored) };
}

function previewResponse({ members, rise, fall, changed, dropped, ranks }: Preview): RanksPreview {
  const counts = ranks.map(({ rank: { name, kind }, ...ofRank }) => ({ name, kind, ...ofRank }));
  return { members, rise, fall, changed, dropped, ranks: counts };
}

function textOf(ranks: RankSettings["ranks"]): string {
  return JSON.stringify(ranks.map(({ name, kind, threshold = null }) => [name, kind, threshold]));
}

function listChanged(): DashboardError {
  return new DashboardError("conflict", LIST_CHANGED);
}

function faultyList(faults: readonly string[]): DashboardError {
  return new DashboardError(
    "invalid_request",
    `This list of ranks is not valid: ${faults.join("; ")}. Nothing was changed.`,
  );
}

function noClan(): DashboardError {
  return new DashboardError("not_found", "There is no such clan. Nothing was changed.");
}
