// An award: a request to change one member. Its entry is in entry.ts, its outcome in outcome.ts.

export type AwardSource = { placeId?: string; matchId?: string; verified?: boolean };

/**
 * The kind of a change that is not an award of XP: a reversal of an award, a membership that is created or ended, an
 * appointment that is made or withdrawn, or the loss of XP in a reset.
 */
export const changeKinds = ["reversal", "membership", "appointment", "reset"] as const;
export type ChangeKind = (typeof changeKinds)[number];
export const entryKinds = ["award", ...changeKinds] as const;
export type EntryKind = (typeof entryKinds)[number];

/** A validated request to change one member. The awards of a batch carry its id and never create a membership. */
export type Award = {
  /**
   * Absent for an award of XP. A membership or an appointment has the amount 0. A reversal has the negated applied
   * amount, and its fingerprint is the id of the reversal that selected the award. A reset likewise has its own id.
   */
  kind?: ChangeKind;
  /** Only for an appointment: the id of the STAFF or OWNER rank; null withdraws it. */
  appoints?: string | null;
  /** Only for a reversal: the key and the number of the entry that it takes back. */
  reverses?: { key: string; seq: number };
  /** Only for a reset: the number of the member's newest entry when it was read what they had. */
  seenSeq?: number;
  /** Only for a membership: true if it ends. */
  ends?: true;
  clanId: string;
  platformId: string;
  /** Identifies this award among the member's, see award-key.ts: an equal key means the same award. */
  key: string;
  /** Identifies what the key was used for: another fingerprint under the same key is an error of the caller. */
  fingerprint: string;
  amount: bigint;
  reason?: string;
  source?: AwardSource;
  /** For a change without an API key: `cli` or `dashboard`, through which its `actor` made it. */
  apiKeyId: string;
  actor?: string;
  batchId?: string;
  /** Of an imported change: the name of the import. */
  importName?: string;
  /** Its entry has no events. */
  silent?: true;
};

/** Changes by people, imports, reversals and resets: all that no API key awarded. */
export function isByPerson({ kind, actor }: Pick<Award, "kind" | "actor">): boolean {
  return kind !== undefined || actor !== undefined;
}
