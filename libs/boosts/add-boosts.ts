// Adds boosts to a clan: one, or one for each of several weekends.
import type { Actor } from "#domain/audit.ts";
import {
  BOOSTS_PER_CLAN_MAX,
  restrictionFaults,
  unknownRankFaults,
  windowFault,
  type StoredBoost,
} from "#domain/boost.ts";
import { nextWeekends } from "#domain/weekends.ts";
import type { TimeZone } from "#domain/time-zone.ts";
import type { BoostStore } from "#boosts/ports.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { Ids } from "#kernel/ids.ts";

/** `from` null: now. */
export type BoostWindows = { from: Date | null; to: Date } | { weekends: number; zone: TimeZone };

/** `no_rank`: the clan does not have a rank that the request names, and nothing else is wrong. */
export type AddedBoosts =
  | { kind: "added"; boosts: readonly StoredBoost[] }
  | { kind: "no_clan" }
  | { kind: "no_rank"; faults: readonly string[] }
  | { kind: "invalid"; faults: readonly string[] }
  | { kind: "too_many_boosts"; detail: string };

/** `name` and `percent` are valid. All or none are added; they act within 1 s on every process. */
export type AddBoosts = (
  clanId: string,
  request: Omit<StoredBoost, "boostId" | "clanId" | "from" | "to" | "createdAt" | "endedAt"> & {
    windows: BoostWindows;
  },
  by: Actor,
) => Promise<AddedBoosts>;

const TOO_MANY = `A clan has at most ${BOOSTS_PER_CLAN_MAX} boosts that have not ended. Nothing was added: end one, or add fewer.`;

export function makeAddBoosts({
  clans,
  boosts,
  ids,
}: {
  clans: Pick<ClanStore, "read">;
  boosts: Pick<BoostStore, "add" | "now">;
  ids: Pick<Ids, "boost">;
}): AddBoosts {
  return async function addBoosts(clanId, { windows, ...facts }, by) {
    const clan = (await clans.read([clanId])).get(clanId);
    if (!clan) return { kind: "no_clan" };
    const now = await boosts.now();
    const times = "weekends" in windows ? nextWeekends(windows.zone, now, windows.weekends) : [timesOf(windows, now)];
    const faults = [...times.flatMap((window) => windowFault(window, now) ?? []), ...restrictionFaults(facts)];
    const unknown = unknownRankFaults(facts, clan);
    if (faults.length > 0) return { kind: "invalid", faults: [...faults, ...unknown] };
    if (unknown.length > 0) return { kind: "no_rank", faults: unknown };
    const added = times.map((window) => ({
      ...facts,
      ...window,
      boostId: ids.boost(),
      clanId,
      createdAt: now,
      endedAt: null,
    }));
    const fits = await boosts.add(clanId, added, { max: BOOSTS_PER_CLAN_MAX, now }, by);
    return fits ? { kind: "added", boosts: added } : { kind: "too_many_boosts", detail: TOO_MANY };
  };
}

function timesOf({ from, to }: { from: Date | null; to: Date }, now: Date): { from: Date; to: Date } {
  return { from: from ?? now, to };
}
