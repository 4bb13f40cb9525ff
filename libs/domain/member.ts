// A member's head, and the rank that follows from it. Rank is never stored with the member: rules of now + head decide
// it.
import { XP_MAX } from "#domain/bounds.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Entry } from "#domain/award.ts";
import { GUEST_DEFAULT, isAppointable, normalRanks, rankIdOf, type NormalRank } from "#domain/rank.ts";
import type { Clan } from "#domain/clan.ts";

/** Being formally in the clan. Only `member remove` ends it. */
export type Membership = { since: Date };

/** A member as last committed. `seq` is the number of its newest entry, 0 before the first; it fences every write. */
export type Head = {
  xp: bigint;
  seq: number;
  membership: Membership | null;
  /** Id of the STAFF or OWNER rank the member was appointed to. Null without a membership. */
  appointedRank: string | null;
  /** The membership was ended by an operator: XP alone, on an Auto Clan, does not create another one. */
  removed?: true;
  /** The member is being erased: nothing is decided on this head. */
  erasing?: true;
};

export type Member = MemberRef & Head;

/**
 * The head after an entry; null where the entry does not say whether there was a membership (written by version 0.1.0).
 */
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

/** The entry of `member remove`: of entries of this kind, only that one leaves the member removed. */
export function endsMembership({ kind, removed }: Pick<Entry, "kind" | "removed">): boolean {
  return kind === "membership" && removed === true;
}

export const NEW_HEAD: Head = { xp: 0n, seq: 0, membership: null, appointedRank: null };

/** Where a member stands: the rank's name, and the way to the next one (both null where there is none). */
export type Standing = { rank: string; nextRank: string | null; xpToNextRank: bigint | null };

/** Judges a head by the clan's rules of now (docs/concepts/ranks-and-auto-clans.md). */
export function standingOf(clan: Clan, head: Head): Standing {
  const guest = clan.ranks.find((rank) => rank.kind === "GUEST") ?? GUEST_DEFAULT;
  const normals = normalRanks(clan);
  if (!head.membership) return standing(guest.name, normals[0], head.xp);

  const appointed = clan.ranks.find((rank) => isAppointable(rank) && rankIdOf(rank) === head.appointedRank);
  if (appointed) return standing(appointed.name, undefined, head.xp);

  // A membership is worth the first NORMAL rank at least, however low the XP.
  const reached = Math.max(
    0,
    normals.findLastIndex((rank) => head.xp >= rank.threshold),
  );
  return standing(normals[reached]?.name ?? guest.name, normals[reached + 1], head.xp);
}

function standing(rank: string, next: NormalRank | undefined, xp: bigint): Standing {
  if (!next) return { rank, nextRank: null, xpToNextRank: null };
  if (next.threshold <= xp) return { rank, nextRank: next.name, xpToNextRank: 0n };
  // From far below 0 to a high threshold is further than Int64 holds: MongoDB would store another number without an
  // error.
  const distance = next.threshold - xp;
  return { rank, nextRank: next.name, xpToNextRank: distance < XP_MAX ? distance : XP_MAX };
}

/**
 * On an Auto Clan an award of more than 0 that leaves someone at or above the first NORMAL rank makes them a member,
 * unless removed.
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
