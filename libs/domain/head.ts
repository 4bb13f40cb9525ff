// A member's head: the state after the newest entry. The rank is not part of it (rank.ts).
import type { DayGains } from "#domain/daily-cap.ts";
import { isByPerson } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";

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
  /** What the member has gained today. Only in a clan that limits it. */
  gains?: DayGains;
  /** Time of the newest award with an API key; null if there is none. Absent if the newest entry does not say it. */
  lastAwardAt?: Date | null;
  /** The member is being erased: nothing is decided on this head. */
  erasing?: true;
};

export const NEW_HEAD: Head = { xp: 0n, seq: 0, membership: null, appointedRank: null, lastAwardAt: null };

type HeadOfEntry = Pick<
  Entry,
  "xp" | "seq" | "memberSince" | "appointedRank" | "removed" | "gains" | "at" | "lastAwardAt" | "kind" | "actor"
>;

/** The head after an entry; null if the entry does not contain the membership (written by version 0.1.0). */
export function headAfter({ xp, seq, memberSince, appointedRank, removed, gains, ...entry }: HeadOfEntry): Head | null {
  if (memberSince === undefined) return null;
  const lastAwardAt = lastAwardAtOf(entry);
  return {
    xp,
    seq,
    membership: memberSince && { since: memberSince },
    appointedRank: appointedRank ?? null,
    ...(removed ? { removed } : {}),
    ...(gains ? { gains } : {}),
    ...(lastAwardAt === undefined ? {} : { lastAwardAt }),
  };
}

/** The newest award with an API key, this entry included; undefined if the entry does not say it. */
export function lastAwardAtOf({
  at,
  lastAwardAt,
  ...entry
}: Pick<Entry, "at" | "lastAwardAt" | "kind" | "actor">): Date | null | undefined {
  if (lastAwardAt !== undefined) return lastAwardAt;
  return isByPerson(entry) ? undefined : at;
}
