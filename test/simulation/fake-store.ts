// An award store in memory that keeps the real one's guarantees: a ledger in the order of insertion, of which a
// majority holds the first part, and the projected heads. test/libs/ledger/store/ledger-store.test.ts holds it against the same
// suite as MongoDB's.
import type { Entry } from "#domain/entry.ts";
import { headAfter, NEW_HEAD, type Head } from "#domain/head.ts";
import { memberIdOf, type MemberId, type MemberRef } from "#domain/member-id.ts";
import { AppError } from "#kernel/app-error.ts";
import type { LedgerStore, CommitResult, EpochStore, ProcessStore } from "#ledger/ports.ts";
import { makeFakeRecords } from "./fake-records.ts";
import type { ChainErasure, ErasureStore } from "#erasure/ports.ts";

export type FakeStore = LedgerStore & {
  epochs: EpochStore;
  processes: Pick<ProcessStore, "note" | "remove" | "interruptions">;
  /** Members' chains as an erasure closes and deletes them, and its record. */
  chain: ChainErasure;
  erasures: Pick<ErasureStore, "finish">;
  entries(): Entry[];
  /** Those that a majority holds. */
  heldEntries(): Entry[];
  /** Members whose chain is closed. */
  fencedMembers(): MemberId[];
  /** When this erasure closed the chain; null: there was none. */
  fencedAtMs(erasureId: string): number | null;
  /** When an entry was inserted, by member and key. */
  insertedAtMs(entry: Entry): number;
  projected(member: MemberRef): Head | undefined;
  /** An election: what no majority held is gone. Commits that wait for one end without a result. */
  failOver(): void;
  /**
   * MongoDB stops responding, and everything that was sent to it is lost. `interrupts`: processes lose their
   * connections.
   */
  stop(options: { interrupts: boolean }): void;
  /**
   * It is back with a backup that holds at most the first `share` of the ledger, and with the epoch and the records of
   * processes of that time. `closedMs`: for so long only processes that renew their record reach it. Then the backup is
   * older than each of these records.
   */
  restore(share: number, closedMs?: number): void;
  /** Rises with each stop; null: it is stopped, or closed. */
  server(): number | null;
  /** The same for the records of processes: null only if it is stopped. */
  serverOfRecords(): number | null;
};

/** `fences`: the erasure whose fence this is. */
type Row = { entry: Entry; position: number; atMs: number; fences?: string; marked?: true; deleted?: true };
type Waiter = { position: number; settle: (isHeld: boolean) => void };

/** `majorityMs`: how long after its insertion a majority holds an entry; absent: immediately. */
export function makeFakeStore({ majorityMs = () => 0 }: { majorityMs?: () => number } = {}): FakeStore {
  let log: Row[] = [];
  let held = 0;
  let term = 0;
  /** How long the ledger was when each epoch began. An epoch is named by its place, from 1; the last one is current. */
  const epochs = [0];
  const records = makeFakeRecords(() => log.length);
  let closedUntilMs = 0;
  let stops = 0;
  let interruptions = 0;
  let isStopped = false;
  let waiters: Waiter[] = [];
  const ledger = new Map<MemberId, { bySeq: Map<number, Row>; byKey: Map<string, Row> }>();
  const members = new Map<MemberId, Head>();
  const fencedAtMs = new Map<string, number>();
  const finished = new Set<string>();

  function rowsOf(id: MemberId): { bySeq: Map<number, Row>; byKey: Map<string, Row> } {
    const found = ledger.get(id) ?? { bySeq: new Map<number, Row>(), byKey: new Map<string, Row>() };
    ledger.set(id, found);
    return found;
  }

  function heldEntry(id: MemberId, seq: number): Entry | undefined {
    const row = rowsOf(id).bySeq.get(seq);
    return row && row.position < held ? row.entry : undefined;
  }

  function headOf(id: MemberId, entry: Entry): Head | null {
    const head = headAfter(entry);
    const row = rowsOf(id).bySeq.get(entry.seq);
    return head && (row?.fences !== undefined || row?.marked) ? { ...head, erasing: true } : head;
  }

  /** What exists already, or null. */
  function insert(entry: Entry, fences?: string): "seq" | "key" | null {
    const rows = rowsOf(memberIdOf(entry));
    if (rows.bySeq.has(entry.seq)) return "seq";
    if (rows.byKey.has(entry.key)) return "key";
    const row: Row = { entry, position: log.length, atMs: Date.now(), ...(fences === undefined ? {} : { fences }) };
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
    return new Promise((settle) => waiters.push({ position, settle }));
  }

  function hold(position: number): void {
    held = Math.max(held, position);
    for (const waiter of waiters) if (waiter.position <= held) waiter.settle(true);
    waiters = waiters.filter((waiter) => waiter.position > held);
  }

  /** Its position in the log stays, so that those of others do. */
  function remove(row: Row): void {
    if (row.deleted) return;
    const rows = rowsOf(memberIdOf(row.entry));
    rows.bySeq.delete(row.entry.seq);
    rows.byKey.delete(row.entry.key);
    row.deleted = true;
  }

  function truncate(length: number): void {
    term += 1;
    log.slice(length).forEach(remove);
    log = log.slice(0, length);
    held = Math.min(held, length);
    for (const waiter of waiters) waiter.settle(false);
    waiters = [];
  }

  function project(id: MemberId, head: Head): void {
    if ((members.get(id)?.seq ?? 0) < head.seq && !head.erasing) members.set(id, head);
  }

  function forward(id: MemberId, from: Head): Head {
    let head = from;
    for (let next = heldEntry(id, head.seq + 1); next; next = heldEntry(id, head.seq + 1))
      head = headOf(id, next) ?? head;
    return head;
  }

  /** The fence of this erasure, once a majority holds it, and all that is behind it. */
  function closedBy(erasureId: string, member: MemberRef): Row[] {
    const { byKey, bySeq } = rowsOf(memberIdOf(member));
    const fence = byKey.get(`erasure/${erasureId}`);
    if (!fence || fence.position >= held) return [];
    return [...bySeq.values()].filter(({ entry }) => entry.seq <= fence.entry.seq);
  }

  async function commit(entries: readonly Entry[]): Promise<CommitResult> {
    let stored = 0;
    let clash: "seq" | "key" | null = null;
    for (const entry of entries) {
      clash = insert(entry);
      if (clash !== null) break;
      stored += 1;
    }
    // After a conflict too: for all that was written by then.
    if (!(await untilHeld())) return { kind: "unknown", cause: new Error("an election") };
    if (clash === null) return { kind: "committed" };
    return { kind: "conflict", over: clash, stored, cause: new Error(`the ${clash} exists`) };
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
        const head = entry && headOf(id, entry);
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
    async projectExisting(heads) {
      for (const [id, head] of heads) if (members.has(id)) project(id, head);
      return new Map([...heads].filter(([id, { erasing }]) => !erasing && !members.has(id)));
    },
    async project(heads) {
      for (const [id, head] of heads) project(id, head);
    },
    epochs: {
      read: async () => `${epochs.length}`,
      draw: async () => void epochs.push(log.length),
    },
    processes: { ...records, interruptions: () => interruptions },
    chain: {
      async fence(erasureId, member) {
        const id = memberIdOf(member);
        const seqs = [...rowsOf(id).bySeq.keys()];
        if (finished.has(erasureId) || (seqs.length === 0 && !members.has(id))) return;
        const isClosed = fencedAtMs.has(erasureId);
        const seq = Math.max(...seqs, members.get(id)?.seq ?? 0) + 1;
        if (!isClosed) {
          fencedAtMs.set(erasureId, Date.now());
          insert({ ...FENCE, ...member, key: `erasure/${erasureId}`, seq }, erasureId);
        }
        // Also one that was closed by another process: a majority holds it then.
        if (!(await untilHeld())) {
          if (!isClosed) fencedAtMs.delete(erasureId);
          throw new AppError("unavailable", "an election");
        }
        if (!isClosed) members.set(id, { ...NEW_HEAD, seq, erasing: true });
      },
      async mark(erasureId, member) {
        for (const row of closedBy(erasureId, member)) row.marked = true;
      },
      async erase(erasureId, member) {
        const id = memberIdOf(member);
        const closed = closedBy(erasureId, member);
        closed.forEach(remove);
        if (closed.some(({ entry, fences }) => fences === erasureId && members.get(id)?.seq === entry.seq))
          members.delete(id);
      },
      async eraseRemaining(_erasureId, member) {
        const id = memberIdOf(member);
        const rows = [...rowsOf(id).bySeq.values()].toSorted((a, b) => a.entry.seq - b.entry.seq);
        if (rows.some(({ fences }) => fences !== undefined)) return;
        const strays = rows.filter(({ entry }, index) => entry.seq !== index + 1);
        strays.forEach(remove);
        const standsFor = members.get(id)?.seq ?? 0;
        if (standsFor > rows.length - strays.length) members.delete(id);
      },
      fencedClans: async (erasureId) => (fencedAtMs.has(erasureId) ? ["c"] : []),
    },
    erasures: {
      async finish(erasure, clans) {
        if (fencedAtMs.has(erasure.erasureId) && clans.length === 0) return { counts: {}, next: erasure };
        finished.add(erasure.erasureId);
        return { counts: {}, next: null };
      },
    },
    entries: () => log.filter(({ deleted }) => !deleted).map(({ entry }) => entry),
    heldEntries: () => log.slice(0, held).flatMap(({ entry, deleted }) => (deleted ? [] : [entry])),
    fencedMembers: () =>
      log.flatMap(({ entry, deleted, fences }) => (deleted || fences === undefined ? [] : [memberIdOf(entry)])),
    fencedAtMs: (erasureId) => fencedAtMs.get(erasureId) ?? null,
    insertedAtMs: (entry) => rowsOf(memberIdOf(entry)).byKey.get(entry.key)?.atMs ?? Infinity,
    projected: (member) => members.get(memberIdOf(member)),
    failOver: () => truncate(held),
    stop({ interrupts }) {
      stops += 1;
      if (interrupts) interruptions += 1;
      isStopped = true;
    },
    server: () => (isStopped || Date.now() < closedUntilMs ? null : stops),
    serverOfRecords: () => (isStopped ? null : stops),
    restore(share, closedMs = 0) {
      isStopped = false;
      closedUntilMs = Date.now() + closedMs;
      truncate(Math.min(Math.floor(log.length * share), ...(closedMs > 0 ? records.lastNotes() : [])));
      epochs.length = epochs.findLastIndex((length) => length <= log.length) + 1;
      records.restore(log.length, closedMs > 0 ? "before" : "after");
      for (const id of members.keys()) {
        const head = forward(id, NEW_HEAD);
        if (head.seq > 0) members.set(id, head);
        else members.delete(id);
      }
    },
  };
}

/** The entry that closes a chain, but for whose it is. */
const FENCE = {
  fingerprint: "",
  amount: 0n,
  applied: 0n,
  xp: 0n,
  rank: "",
  previousRank: "",
  nextRank: null,
  xpToNextRank: null,
  membershipCreated: false,
  memberSince: null,
  apiKeyId: "",
  at: new Date(0),
} as const;
