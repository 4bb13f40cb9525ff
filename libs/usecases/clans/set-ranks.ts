// Replaces a clan's whole list of ranks. Members' ranks follow at once: they are judged by the rules of now.
import type { Actor } from "#domain/audit.ts";
import { GUEST_DEFAULT, rankFaults, type Rank } from "#domain/rank.ts";
import type { Clan } from "#domain/clan.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";

export type RanksChange = { kind: "changed"; clan: Clan } | { kind: "no_clan" } | { kind: "faulty"; faults: string[] };

/** The order of `ranks` is kept; without a GUEST rank, Guest is put in front. */
export type SetRanks = (clanId: string, ranks: readonly Rank[], by: Actor) => Promise<RanksChange>;

export function makeSetRanks({ clans }: { clans: Pick<ClanStore, "change"> }): SetRanks {
  return async function setRanks(clanId, given, by) {
    const ranks = given.some((rank) => rank.kind === "GUEST") ? given : [GUEST_DEFAULT, ...given];
    const faults = rankFaults(ranks);
    if (faults.length > 0) return { kind: "faulty", faults };
    const clan = await clans.change(clanId, { ranks }, by);
    return clan ? { kind: "changed", clan } : { kind: "no_clan" };
  };
}
