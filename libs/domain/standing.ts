// A member's rank and the next one. Neither is stored with the member: the current rules and the head determine them.
import { XP_MAX } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import type { Head } from "#domain/head.ts";
import { GUEST_DEFAULT, isAppointable, normalRanks, rankIdOf, type NormalRank } from "#domain/rank.ts";

/** A member's standing: the rank's name, and what is missing for the next one (both null if there is none). */
export type Standing = { rank: string; nextRank: string | null; xpToNextRank: bigint | null };

/** Derives a standing from a head by the clan's current rules (docs/concepts/ranks-and-auto-clans.md). */
export function standingOf(clan: Clan, head: Head): Standing {
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

function standing(rank: string, next: NormalRank | undefined, xp: bigint): Standing {
  if (!next) return { rank, nextRank: null, xpToNextRank: null };
  if (next.threshold <= xp) return { rank, nextRank: next.name, xpToNextRank: 0n };
  // The distance from far below 0 to a high threshold can exceed Int64: MongoDB would store another number without an
  // error.
  const distance = next.threshold - xp;
  return { rank, nextRank: next.name, xpToNextRank: distance < XP_MAX ? distance : XP_MAX };
}
