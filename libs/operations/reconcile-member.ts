// Verifies one member's part of the ledger: its entries in order, then its head. Memory does not grow with the entries.
import { PROJECTION_LAG_MAX_MS } from "#ledger/bounds.ts";
import type { Difference, DifferenceKind } from "#operations/difference.ts";
import type { SnapshotEntry, SnapshotMember } from "#operations/ports.ts";

export type ReconcileMember = {
  /** Takes the entries by seq. */
  add(entry: SnapshotEntry): void;
  /** Returns at most one difference of each kind. */
  close(): Difference[];
};

/** `member` null: no such member is stored. `now`: the time of the snapshot. */
// oxlint-disable-next-line eslint/max-lines-per-function -- each check compares with the sum before it
export function makeReconcileMember(deps: {
  clanId: string;
  platformId: string;
  member: SnapshotMember | null;
  now: Date;
}): ReconcileMember {
  const { clanId, platformId, member, now } = deps;
  const found = new Map<DifferenceKind, Difference>();
  let entries = 0;
  /**
   * The membership according to the entries; null if no entry contains it yet. Version 0.1.0 created memberships
   * without an entry.
   */
  let isMember: boolean | null = null;
  let sum = 0n;
  let last: { seq: number; xp: bigint | null; isErasing?: boolean } = { seq: 0, xp: 0n };
  /** The state after the entries up to the head, and the first entry behind it, which is about to be projected. */
  const head = { seq: member?.seq ?? 0, sum: 0n, isMember: null as boolean | null };
  let unprojected: SnapshotEntry | null = null;

  function note(kind: DifferenceKind, detail: string, seq?: number): void {
    if (!found.has(kind)) found.set(kind, { kind, clanId, platformId, ...(seq === undefined ? {} : { seq }), detail });
  }

  function isLagging(): boolean {
    return unprojected !== null && now.getTime() - unprojected.at.getTime() < PROJECTION_LAG_MAX_MS;
  }

  function closeHead({ wellFiled, seq, xp, isMember: headIsMember }: SnapshotMember): void {
    if (!wellFiled) note("member_misfiled", "the record's clanId or platformId is not the one of its id");
    if (entries === 0 && (seq !== 0 || xp !== 0n)) {
      note("entries_missing", `the head says ${xp} XP after ${seq} entries, and there are none`);
      return;
    }
    if (seq !== last.seq && !isLagging())
      note("seq_broken", `the head says ${seq} entries, the last one is ${last.seq}`);
    const expected = isLagging() ? head : { sum, isMember };
    if (xp !== expected.sum)
      note("xp_not_sum", `the head says ${xp} XP, the ${entries} entries applied ${expected.sum} in all`);
    if (expected.isMember === true && !headIsMember)
      note("membership_missing", "an entry created a membership, and there is none");
    if (expected.isMember === false && headIsMember)
      note("membership_left", "an entry ended the membership, and there is one");
  }

  return {
    add(entry) {
      entries += 1;
      sum += entry.applied ?? 0n;
      if (entry.membershipCreated) {
        if (isMember)
          note("membership_twice", "the entry says that it created the membership, which existed", entry.seq);
        isMember = true;
      }
      if (entry.membershipEnded) isMember = false;
      if (entry.seq <= head.seq) Object.assign(head, { sum, isMember });
      else unprojected ??= entry;
      const follows = entry.seq === last.seq + 1;
      if (!follows) note("seq_broken", `entry ${entry.seq} comes after ${last.seq}`, entry.seq);
      // After a missing entry the previous XP is unknown.
      const before = follows ? last.xp : null;
      if (entry.applied === null || entry.xp === null)
        note("running_xp", "the entry's numbers are not integers", entry.seq);
      else if (before !== null && entry.xp !== before + entry.applied) {
        note(
          "running_xp",
          `${before} XP and ${entry.applied} applied are not the ${entry.xp} XP of the entry`,
          entry.seq,
        );
      }
      last = { seq: entry.seq, xp: entry.xp, isErasing: entry.isErasing };
    },
    close() {
      // Its entries are being deleted, and the document is meaningless until that is done.
      if (last.isErasing) return [];
      if (member) closeHead(member);
      else if (!isLagging()) note("member_missing", `${entries} entries belong to no member`);
      return [...found.values()];
    },
  };
}
