// An award store in memory that keeps the real one's guarantees: a ledger in the order of insertion, of which a majority holds the first
// part, and the projected heads. test/store/award-store.test.ts holds it against the same suite as MongoDB's.
import type { Entry } from "#domain/award.ts";
import { headAfter, NEW_HEAD, type Head } from "#domain/member.ts";
import { memberIdOf, type MemberId, type MemberRef } from "#domain/member-id.ts";
import type { AwardStore, CommitResult, EpochStore } from "#usecases/awards/ports.ts";

export type FakeStore = AwardStore & {
  epochs: EpochStore;
  entries(): Entry[];
  /** When an entry was inserted, by member and key. */
  insertedAtMs(entry: Entry): number;
  projected(member: MemberRef): Head | undefined;
  /** An election: what no majority held is gone. Commits that wait for one end without a result. */
  failOver(): void;
  /** MongoDB stops, and everything that was sent to it is lost. */
  stop(): void;
  /** It is back with a backup that holds the first `share` of the ledger, and another epoch. */
  restore(share: number): void;
  /** Rises with each stop; null: it is stopped. */
  server(): number | null;
};

type Row = { entry: Entry; position: number; atMs: number };
type Waiter = { position: number; tell: (isHeld: boolean) => void };

/** `majorityMs`: how long after its insertion a majority holds an entry; absent: at once. */
export function makeFakeStore({ majorityMs = () => 0 }: { majorityMs?: () => number } = {}): FakeStore {
  let log: Row[] = [];
  let held = 0;
  let term = 0;
  let epoch = 1;
  let stops = 0;
  let isStopped = false;
  let waiters: Waiter[] = [];
  const ledger = new Map<MemberId, { bySeq: Map<number, Row>; byKey: Map<string, Row> }>();
  const members = new Map<MemberId, Head>();

  function rowsOf(id: MemberId): { bySeq: Map<number, Row>; byKey: Map<string, Row> } {
    const found = ledger.get(id) ?? { bySeq: new Map<number, Row>(), byKey: new Map<string, Row>() };
    ledger.set(id, found);
    return found;
  }

  function heldEntry(id: MemberId, seq: number): Entry | undefined {
    const row = rowsOf(id).bySeq.get(seq);
    return row && row.position < held ? row.entry : undefined;
  }

  function insert(entry: Entry): string | null {
    const rows = rowsOf(memberIdOf(entry));
    if (rows.bySeq.has(entry.seq)) return `seq ${entry.seq} exists`;
    if (rows.byKey.has(entry.key)) return `the key ${entry.key} exists`;
    const row = { entry, position: log.length, atMs: Date.now() };
    log.push(row);
    rows.bySeq.set(entry.seq, row);
    rows.byKey.set(entry.key, row);
    return null;
  }

  /** Resolves once a majority holds all that is in the ledger by now; false when an election takes it back. */
  function untilHeld(): Promise<boolean> {
    const position = log.length;
    const [ms, ofTerm] = [majorityMs(), term];
    if (ms === 0) hold(position);
    else setTimeout(() => ofTerm === term && hold(position), ms);
    if (held >= position) return Promise.resolve(true);
    return new Promise((tell) => waiters.push({ position, tell }));
  }

  function hold(position: number): void {
    held = Math.max(held, position);
    for (const waiter of waiters) if (waiter.position <= held) waiter.tell(true);
    waiters = waiters.filter((waiter) => waiter.position > held);
  }

  function truncate(length: number): void {
    term += 1;
    for (const { entry } of log.slice(length)) {
      const rows = rowsOf(memberIdOf(entry));
      rows.bySeq.delete(entry.seq);
      rows.byKey.delete(entry.key);
    }
    log = log.slice(0, length);
    held = Math.min(held, length);
    for (const waiter of waiters) waiter.tell(false);
    waiters = [];
  }

  function forward(id: MemberId, from: Head): Head {
    let head = from;
    for (let next = heldEntry(id, head.seq + 1); next; next = heldEntry(id, head.seq + 1)) head = headAfter(next) ?? head;
    return head;
  }

  async function commit(entries: readonly Entry[]): Promise<CommitResult> {
    let stored = 0;
    let clash: string | null = null;
    for (const entry of entries) {
      clash = insert(entry);
      if (clash !== null) break;
      stored += 1;
    }
    // After a conflict too: for all that was written by then.
    if (!(await untilHeld())) return { kind: "unknown", cause: new Error("an election") };
    return clash === null ? { kind: "committed" } : { kind: "conflict", stored, cause: new Error(clash) };
  }

  return {
    commit,
    async readHeads(refs) {
      const heads = new Map<MemberId, Head>();
      for (const id of refs.map(memberIdOf)) {
        const projected = members.get(id);
        const head = forward(id, projected ?? NEW_HEAD);
        if (projected || head.seq > 0) heads.set(id, head);
      }
      return heads;
    },
    advanceHeads: async (known) => new Map([...known].map(([id, head]) => [id, forward(id, head)])),
    async readHeadsAt(seqs) {
      const heads = new Map<MemberId, Head>();
      for (const [id, seq] of seqs) {
        const entry = heldEntry(id, seq);
        const head = entry && headAfter(entry);
        if (head) heads.set(id, head);
      }
      return heads;
    },
    async readEntries(awards, { local = false } = {}) {
      const found = new Map<MemberId, Map<string, Entry>>();
      for (const award of awards) {
        const id = memberIdOf(award);
        const row = rowsOf(id).byKey.get(award.key);
        if (row && (local || row.position < held)) {
          found.set(id, (found.get(id) ?? new Map<string, Entry>()).set(award.key, row.entry));
        }
      }
      return found;
    },
    async project(heads) {
      for (const [id, head] of heads) if ((members.get(id)?.seq ?? 0) < head.seq) members.set(id, head);
    },
    epochs: {
      read: async () => `${epoch}`,
      draw: async () => void (epoch += 1),
      renew: async () => void (epoch += 1),
    },
    entries: () => log.map(({ entry }) => entry),
    insertedAtMs: (entry) => rowsOf(memberIdOf(entry)).byKey.get(entry.key)?.atMs ?? Infinity,
    projected: (member) => members.get(memberIdOf(member)),
    failOver: () => truncate(held),
    stop() {
      stops += 1;
      isStopped = true;
    },
    server: () => (isStopped ? null : stops),
    restore(share) {
      isStopped = false;
      epoch += 1;
      truncate(Math.floor(log.length * share));
      for (const id of members.keys()) {
        const head = forward(id, NEW_HEAD);
        if (head.seq > 0) members.set(id, head);
        else members.delete(id);
      }
    },
  };
}
