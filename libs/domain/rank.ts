// The ranks of a clan. A valid list has one GUEST; NORMAL thresholds are unique, ascending and >= 0; names are unique.
import { NAME_CHARS_MAX, RANKS_PER_CLAN_MAX, XP_MAX } from "#domain/bounds.ts";

export const rankKinds = ["GUEST", "NORMAL", "STAFF", "OWNER"] as const;
export type RankKind = (typeof rankKinds)[number];

export type NormalRank = { name: string; kind: "NORMAL"; threshold: bigint };
/** Appointments refer to the `id`, which a rename keeps. Absent in ranks of older versions: the name is the id. */
export type AppointableRank = { id?: string; name: string; kind: "STAFF" | "OWNER" };
export type Rank = NormalRank | AppointableRank | { name: string; kind: "GUEST" };

export const GUEST_DEFAULT: Rank = { name: "Guest", kind: "GUEST" };

/** The clan's NORMAL ranks, lowest threshold first (their stored order). */
export function normalRanks({ ranks }: { ranks: readonly Rank[] }): readonly NormalRank[] {
  return ranks.filter((rank) => rank.kind === "NORMAL");
}

/** NORMAL ranks are derived from XP, and GUEST means no membership, so nobody can be appointed to either. */
export function isAppointable(rank: Rank): rank is AppointableRank {
  return rank.kind === "STAFF" || rank.kind === "OWNER";
}

export function rankIdOf({ id, name }: AppointableRank): string {
  return id ?? name;
}

/**
 * Every fault of a list of ranks, one sentence each; empty if the list is valid
 * (docs/concepts/ranks-and-auto-clans.md).
 */
export function rankFaults(ranks: readonly Rank[]): string[] {
  const faults: string[] = [];
  if (ranks.length > RANKS_PER_CLAN_MAX)
    faults.push(`a clan has at most ${RANKS_PER_CLAN_MAX} ranks, not ${ranks.length}`);
  const guests = ranks.filter((rank) => rank.kind === "GUEST").length;
  if (guests !== 1) faults.push(`exactly one rank is of kind GUEST, not ${guests}`);

  const names = new Set<string>();
  let previous: NormalRank | undefined;
  for (const rank of ranks) {
    if (rank.name.length === 0 || rank.name.length > NAME_CHARS_MAX)
      faults.push(`a rank's name has 1 to ${NAME_CHARS_MAX} characters`);
    if (names.has(rank.name)) faults.push(`two ranks are named "${rank.name}"`);
    names.add(rank.name);
    if (rank.kind !== "NORMAL") continue;
    if (rank.threshold < 0n || rank.threshold > XP_MAX)
      faults.push(`the threshold of "${rank.name}" is 0 to ${XP_MAX}, not ${rank.threshold}`);
    if (previous && rank.threshold <= previous.threshold) {
      faults.push(
        `thresholds must increase: "${rank.name}" (${rank.threshold}) comes after "${previous.name}" (${previous.threshold})`,
      );
    }
    previous = rank;
  }
  return faults;
}
