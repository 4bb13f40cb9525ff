// The proof of one member's books: its entries in order, then its head. Memory does not grow with the entries.
import type { Difference, DifferenceKind } from "#usecases/difference.ts";
import type { BooksEntry, BooksMember } from "#usecases/ports.ts";

export type MemberAudit = {
  /** Entries come by seq. */
  add(entry: BooksEntry): void;
  /** `member` null: no such member is kept. Answers at most one difference of a kind. */
  close(member: BooksMember | null): Difference[];
};

export function makeMemberAudit(clanId: string, platformId: string): MemberAudit {
  const found = new Map<DifferenceKind, Difference>();
  let entries = 0;
  let sum = 0n;
  let membershipsCreated = 0;
  let last: { seq: number; xp: bigint | null } = { seq: 0, xp: 0n };

  function note(kind: DifferenceKind, detail: string, seq?: number): void {
    if (!found.has(kind)) found.set(kind, { kind, clanId, platformId, ...(seq === undefined ? {} : { seq }), detail });
  }

  function closeHead(member: BooksMember): void {
    if (!member.wellFiled) note("member_misfiled", "the record's clanId or platformId is not the one of its id");
    if (entries === 0 && (member.seq !== 0 || member.xp !== 0n)) {
      note("entries_missing", `the head says ${member.xp} XP after ${member.seq} entries, and there are none`);
      return;
    }
    if (member.seq !== last.seq) note("seq_broken", `the head says ${member.seq} entries, the last one is ${last.seq}`);
    if (member.xp !== sum) note("xp_not_sum", `the head says ${member.xp} XP, the ${entries} entries applied ${sum} in all`);
    if (membershipsCreated > 0 && !member.isMember) note("membership_missing", "an entry created a membership, and there is none");
  }

  return {
    add(entry) {
      entries += 1;
      sum += entry.applied ?? 0n;
      if (entry.membershipCreated) membershipsCreated += 1;
      const follows = entry.seq === last.seq + 1;
      if (!follows) note("seq_broken", `entry ${entry.seq} comes after ${last.seq}`, entry.seq);
      // After a hole nobody knows what the XP was before.
      const before = follows ? last.xp : null;
      if (entry.applied === null || entry.xp === null) note("running_xp", "the entry's numbers are no integers", entry.seq);
      else if (before !== null && entry.xp !== before + entry.applied) {
        note("running_xp", `${before} XP and ${entry.applied} applied are not the ${entry.xp} XP that the entry says`, entry.seq);
      }
      last = { seq: entry.seq, xp: entry.xp };
    },
    close(member) {
      if (membershipsCreated > 1) note("membership_twice", `${membershipsCreated} entries say that they created the membership`);
      if (member) closeHead(member);
      else note("member_missing", `${entries} entries belong to nobody`);
      return [...found.values()];
    },
  };
}
