// The ranks of a clan, and a member's rank: the current rules and the head determine it, and it is not stored.
//
// A valid list of ranks has one GUEST; NORMAL thresholds are unique, ascending and >= 0; names are unique.
import { NAME_CHARS_MAX, RANKS_PER_CLAN_MAX, XP_MAX } from "#domain/bounds.ts";
import type { Head } from "#domain/head.ts";

export const rankKinds = ["GUEST", "NORMAL", "STAFF", "OWNER"] as const;
export type RankKind = (typeof rankKinds)[number];

export type NormalRank = { name: string; kind: "NORMAL"; threshold: bigint };
/** Appointments refer to the `id`, which a rename keeps. Absent in ranks of older versions: the name is the id. */
export type AppointableRank = { id?: string; name: string; kind: "STAFF" | "OWNER" };
export type Rank = NormalRank | AppointableRank | { name: string; kind: "GUEST" };

export const GUEST_DEFAULT: Rank = { name: "Guest", kind: "GUEST" };

/** Every award asks for them several times. */
const normalOf = new WeakMap<readonly Rank[], readonly NormalRank[]>();

/** The clan's NORMAL ranks, lowest threshold first (their stored order). */
export function normalRanks({ ranks }: { ranks: readonly Rank[] }): readonly NormalRank[] {
  let normal = normalOf.get(ranks);
  if (!normal) {
    normal = ranks.filter((rank) => rank.kind === "NORMAL");
    normalOf.set(ranks, normal);
  }
  return normal;
}

/** NORMAL ranks are derived from XP, and GUEST means no membership, so nobody can be appointed to either. */
export function isAppointable<Of extends { kind: RankKind }>(rank: Of): rank is Of & Pick<AppointableRank, "kind"> {
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

/** A member's standing: their rank, the next one, and the XP missing for it (both null if there is none). */
export type Standing = { rank: string; nextRank: string | null; xpToNextRank: bigint | null };

/** Derives a standing from a head by the clan's current rules (docs/concepts/ranks-and-auto-clans.md). */
export function standingOf(clan: { ranks: readonly Rank[] }, head: Head): Standing {
  const guest = clan.ranks.find((rank) => rank.kind === "GUEST") ?? GUEST_DEFAULT;
  const normals = normalRanks(clan);
  if (!head.membership) return standing(guest.name, normals[0], head.xp);

  const appointed = clan.ranks.find((rank) => isAppointable(rank) && rankIdOf(rank) === head.appointedRank);
  if (appointed) return standing(appointed.name, undefined, head.xp);

  // A membership gives at least the first NORMAL rank, however low the XP.
  const reached = Math.max(
    0,
    normals.findLastIndex((rank) => head.xp >= rank.threshold),
  );
  return standing(normals[reached]?.name ?? guest.name, normals[reached + 1], head.xp);
}

/**
 * The NORMAL ranks that a change reached, lowest first: those whose threshold it crossed, or with a new membership
 * all up to the XP. A member with an appointment, or without a membership, reaches none.
 */
export function ranksPassed(clan: { ranks: readonly Rank[] }, before: Head, after: Head): string[] {
  if (!after.membership || (before.membership && after.xp <= before.xp)) return [];
  if (clan.ranks.some((rank) => isAppointable(rank) && rankIdOf(rank) === after.appointedRank)) return [];
  return normalRanks(clan)
    .filter(({ threshold }) => threshold <= after.xp && (!before.membership || threshold > before.xp))
    .map(({ name }) => name);
}

function standing(rank: string, next: NormalRank | undefined, xp: bigint): Standing {
  if (!next) return { rank, nextRank: null, xpToNextRank: null };
  if (next.threshold <= xp) return { rank, nextRank: next.name, xpToNextRank: 0n };
  // The distance from far below 0 to a high threshold can exceed Int64: MongoDB would store another number without an
  // error.
  const distance = next.threshold - xp;
  return { rank, nextRank: next.name, xpToNextRank: distance < XP_MAX ? distance : XP_MAX };
}
