// Verifies one member's reversals: each takes back the applied amount of one earlier award or reset of the member,
// and is the only one that does.
//
// Memory does not grow with the entries: a bounded number of reversals is compared with the awards that they name,
// which are looked up in the same snapshot.
import { reversalKey } from "#domain/award-key.ts";
import type { MemberRef } from "#domain/member-id.ts";
import { REVERSALS_PER_CHECK } from "#operations/bounds.ts";
import type { Difference, DifferenceKind } from "#operations/difference.ts";
import type { ReconcileSnapshot, SnapshotEntry } from "#operations/ports.ts";
import type { AwardIdOf } from "#reversals/ports.ts";

export type ReconcileReversals = {
  /** Takes the member's reversals, and the entry that closes the chain of a member who is being erased. */
  add(entry: SnapshotEntry): Promise<void>;
  /** Returns at most one difference of each kind. */
  close(): Promise<Difference[]>;
};

export function makeReconcileReversals(
  deps: MemberRef & { snapshot: Pick<ReconcileSnapshot, "entriesAmong">; awardIdOf: AwardIdOf },
): ReconcileReversals {
  const { clanId, platformId, snapshot, awardIdOf } = deps;
  const found = new Map<DifferenceKind, Difference>();
  let waiting: SnapshotEntry[] = [];
  let isErasing = false;

  /** The number of the entry that is taken back; 0 if there is none. */
  function seqOf({ seq, key, reversesSeq }: SnapshotEntry): number {
    if (reversesSeq !== null) return reversesSeq;
    // Older entries do not store it. Their keys contain it.
    for (let earlier = seq - 1; earlier > 0; earlier -= 1)
      if (key === reversalKey(awardIdOf({ clanId, platformId, seq: earlier }))) return earlier;
    return 0;
  }

  function check(reversal: SnapshotEntry, award: SnapshotEntry | undefined, withSameKey: number): void {
    const { seq, amount } = reversal;
    const note = (kind: DifferenceKind, detail: string): void => {
      if (!found.has(kind)) found.set(kind, { kind, clanId, platformId, seq, detail });
    };
    if (withSameKey > 1) note("reversal_twice", `${withSameKey} entries reverse the award that entry ${seq} reverses`);
    if (!award || (award.kind !== null && award.kind !== "reset") || award.isCancellation || award.seq >= seq) {
      note("reversal_of_nothing", `entry ${seq} is a reversal, and of no earlier award or reset of the member`);
      return;
    }
    if (reversal.key !== reversalKey(awardIdOf({ clanId, platformId, seq: award.seq })))
      note("reversal_misnamed", `entry ${seq} reverses entry ${award.seq}, and is listed with another award`);
    // Numbers that are not integers are reported as a difference of the running XP.
    if (amount !== null && award.applied !== null && amount !== -award.applied)
      note("reversal_amount", `entry ${seq} reverses ${amount} XP, entry ${award.seq} applied ${award.applied}`);
  }

  async function checkWaiting(): Promise<void> {
    if (waiting.length === 0) return;
    const reversals = waiting;
    waiting = [];
    const [seqs, keys] = [reversals.map(seqOf), reversals.map(({ key }) => key)];
    const entries = await snapshot.entriesAmong({ clanId, platformId }, { seqs, keys });
    const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
    const byKey = Map.groupBy(entries, ({ key }) => key);
    reversals.forEach((reversal, index) =>
      check(reversal, bySeq.get(seqs[index] ?? 0), byKey.get(reversal.key)?.length ?? 0),
    );
  }

  return {
    async add(entry) {
      if (entry.isErasing) isErasing = true;
      else waiting.push(entry);
      if (waiting.length >= REVERSALS_PER_CHECK) await checkWaiting();
    },
    async close() {
      // Its entries are being deleted, awards before their reversals.
      if (isErasing) return [];
      await checkWaiting();
      return [...found.values()];
    },
  };
}
