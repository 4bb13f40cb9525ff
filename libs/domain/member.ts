// A member's head, and the rank that is derived from it. The rank is never stored with the member: the current rules
// and the head determine it.
import { XP_MAX } from "#domain/bounds.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Entry } from "#domain/award.ts";
import { GUEST_DEFAULT, isAppointable, normalRanks, rankIdOf, type NormalRank } from "#domain/rank.ts";
import type { Clan } from "#domain/clan.ts";

/** Formal membership of the clan. Only `member remove` ends it. */
export type Membership = { since: Date };

/**
 * A member as last committed. `seq` is the number of the newest entry, 0 before the first one; it fences every write.
 */
export type Head = {
  xp: bigint;
  seq: number;
  membership: Membership | null;
  /** Id of the STAFF or OWNER rank to which the member was appointed. Null without a membership. */
  appointedRank: string | null;
  /** An operator ended the membership: XP alone, in an Auto Clan, does not create another one. */
  removed?: true;
  /** The member is being erased: nothing is decided on this head. */
  erasing?: true;
};

export type Member = MemberRef & Head;

/** The head after an entry; null if the entry does not contain the membership (written by version 0.1.0). */
export function headAfter({
  xp,
  seq,
  memberSince,
  appointedRank,
  removed,
}: Pick<Entry, "xp" | "seq" | "memberSince" | "appointedRank" | "removed">): Head | null {
  if (memberSince === undefined) return null;
  return {
    xp,
    seq,
    membership: memberSince && { since: memberSince },
    appointedRank: appointedRank ?? null,
    ...(removed ? { removed } : {}),
  };
}

/** The entry of `member remove`: the only one of this kind that leaves the member removed. */
export function endsMembership({ kind, removed }: Pick<Entry, "kind" | "removed">): boolean {
  return kind === "membership" && removed === true;
}

export const NEW_HEAD: Head = { xp: 0n, seq: 0, membership: null, appointedRank: null };

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

/**
 * In an Auto Clan an award above 0 that leaves a player at or above the first NORMAL rank creates a membership, unless
 * the player was removed.
 */
export function createsMembership(clan: Clan, before: Head, amount: bigint, xpAfter: bigint): boolean {
  const first = normalRanks(clan)[0];
  return (
    clan.autoClan &&
    before.membership === null &&
    !before.removed &&
    amount > 0n &&
    first !== undefined &&
    xpAfter >= first.threshold
  );
}
