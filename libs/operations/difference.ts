// What reconcile reports if members, entries, reversals and batches disagree.
import { DIFFERENCES_REPORTED_MAX } from "#operations/bounds.ts";

/** Each with the guarantee that is violated. */
export const differenceKinds = {
  clan_missing: "members and entries belong to a clan that has a record",
  member_missing: "entries belong to a member",
  member_misfiled: "a member's fields match its id",
  entries_missing: "a member with XP has entries",
  seq_broken: "a member's entries are numbered 1 to n, and n is the number in its head",
  key_twice: "a member's entries have different keys, so that an award is applied once",
  xp_not_sum: "a member's XP is the sum of what its entries applied",
  running_xp: "an entry's XP is the one before it plus what it applied",
  membership_twice: "a membership is created once, and again only after it was ended",
  membership_missing: "a membership that was created lasts until an entry ends it",
  membership_left: "a membership that an entry ended does not exist until another entry creates one",
  reversal_of_nothing: "a reversal takes back an earlier award or reset of the same member",
  reversal_misnamed: "the award that a reversal takes back is the one that it is listed with",
  reversal_amount: "a reversal takes back what its award applied",
  reversal_twice: "an award is reversed once",
  standing_wrong:
    "a standing in a period that is not final is what the member's awards in it and their reversals applied",
  batch_missing: "entries of a batch belong to one that has a record",
  batch_result: "the results of a finished batch are those of the ledger",
} as const;
export type DifferenceKind = keyof typeof differenceKinds;

export type Difference = {
  kind: DifferenceKind;
  clanId: string;
  platformId?: string;
  batchId?: string;
  /** The index of the award in the batch. */
  index?: number;
  /** The number of the member's entry. */
  seq?: number;
  detail: string;
};

/** The first differences, and the number of all: bounded, however much is damaged. */
export type Findings = { reported: Difference[]; total: number };

export function noFindings(): Findings {
  return { reported: [], total: 0 };
}

export function addFindings(findings: Findings, more: Findings): void {
  findings.total += more.total;
  findings.reported.push(...more.reported.slice(0, DIFFERENCES_REPORTED_MAX - findings.reported.length));
}
