// The cache of heads: a bounded number of those that this process committed or read last.
//
// A cached head may be outdated, which costs a conflict: the store's unique indexes decide. It is never ahead of the
// ledger: only heads that a majority has stored are cached, and the cache is emptied when an erasure draws a new epoch
// and when the database may have gone back to an earlier state, as a restored backup does (process-record.ts).
import { dropOldest } from "#async/drop-oldest.ts";
import { makeTtlCache } from "#async/ttl-cache.ts";
import type { Head } from "#domain/head.ts";
import { memberIdOf, type MemberId, type MemberRef } from "#domain/member-id.ts";
import { EPOCH_AGE_MAX_MS, HEADS_CACHED_MAX } from "#ledger/bounds.ts";
import type { Contention } from "#ledger/heads/contended-lock.ts";
import type { EpochStore, Heads, LedgerMeter, LedgerStore } from "#ledger/ports.ts";
import type { ProcessRecord } from "#ledger/heads/process-record.ts";
import type { Clock } from "#kernel/clock.ts";

export type HeadCache = {
  /**
   * Names the state of the ledger in which heads may be used together: another epoch was drawn, or the database may
   * have gone back, if it changes. Throws AppError `unavailable`.
   */
  epoch(): Promise<string>;
  /**
   * Heads to decide on: cached ones, and read ones. `seqs`: the number at which each locked member was last released;
   * null if no locks were needed. A head with a lower number is replaced by the head of that number, and a locked
   * member without a number is read.
   */
  find(members: readonly MemberRef[], epoch: string, seqs: ReadonlyMap<MemberId, number> | null): Promise<Heads>;
  /** The newest heads, each confirmed by a read. */
  validate(members: readonly MemberRef[], epoch: string): Promise<Heads>;
  /** Only for heads that a majority holds and that were decided in this epoch. */
  cache(id: MemberId, head: Head, epoch: string): void;
  evict(id: MemberId): void;
  /** The number of the cached head. None while the member is being erased, because nothing may be stored about them. */
  seqOf(id: MemberId): number | undefined;
};

// oxlint-disable-next-line eslint/max-lines-per-function -- the cache and its epoch are one state
export function makeHeadCache(deps: {
  store: Pick<LedgerStore, "readHeads" | "readHeadsAt" | "advanceHeads">;
  epochs: Pick<EpochStore, "read">;
  record: Pick<ProcessRecord, "resets">;
  contention: Pick<Contention, "found">;
  clock: Clock;
  meter: LedgerMeter;
}): HeadCache {
  const { store, epochs, record, contention, clock, meter } = deps;
  const drawn = makeTtlCache({
    load: async ([name = ""]) => new Map([[name, await epochs.read()]]),
    ageMaxMs: EPOCH_AGE_MAX_MS,
    sizeMax: 1,
    clock,
  });
  /** In order of use, the least recent first. */
  const memory = new Map<MemberId, Head>();
  let memoryEpoch = "";

  async function epoch(): Promise<string> {
    const lastDrawn = await drawn.get("ledger");
    const now = `${lastDrawn}/${await record.resets()}`;
    if (now !== memoryEpoch) memory.clear();
    memoryEpoch = now;
    return now;
  }

  function cachedIn(ofEpoch: string): ReadonlyMap<MemberId, Head> {
    return ofEpoch === memoryEpoch ? memory : NO_HEADS;
  }

  function cache(id: MemberId, head: Head, ofEpoch: string): void {
    if (ofEpoch !== memoryEpoch) return;
    memory.delete(id);
    memory.set(id, head);
    dropOldest(memory, HEADS_CACHED_MAX);
  }

  function cacheAll(heads: Heads, ofEpoch: string): Heads {
    for (const [id, head] of heads) cache(id, head, ofEpoch);
    return heads;
  }

  async function find(
    members: readonly MemberRef[],
    ofEpoch: string,
    seqs: ReadonlyMap<MemberId, number> | null,
  ): Promise<Heads> {
    const cached = cachedIn(ofEpoch);
    const found = new Map<MemberId, Head>();
    const unsure: MemberRef[] = [];
    const moved = new Map<MemberId, number>();
    for (const member of members) {
      const id = memberIdOf(member);
      const head = cached.get(id);
      const seq = seqs ? seqs.get(id) : 0;
      // Without a cached head, the newest one is read: the number may have been stored before awards without locks.
      if (!head || seq === undefined) unsure.push(member);
      else if (seq > head.seq) moved.set(id, seq);
      else found.set(id, head);
    }
    meter.heads("cached", found.size);
    if (moved.size > 0) {
      contention.found();
      const at = cacheAll(await store.readHeadsAt(moved), ofEpoch);
      meter.heads("read", at.size);
      for (const [id, head] of at) found.set(id, head);
      // A number that no entry has is ignored.
      unsure.push(...members.filter((member) => moved.has(memberIdOf(member)) && !at.has(memberIdOf(member))));
    }
    if (unsure.length > 0) for (const [id, head] of await validate(unsure, ofEpoch)) found.set(id, head);
    return found;
  }

  async function validate(members: readonly MemberRef[], ofEpoch: string): Promise<Heads> {
    const cached = cachedIn(ofEpoch);
    const before = new Map<MemberId, Head>();
    const unknown: MemberRef[] = [];
    for (const member of members) {
      const head = cached.get(memberIdOf(member));
      if (head) before.set(memberIdOf(member), head);
      else unknown.push(member);
    }
    const [advanced, read] = await Promise.all([
      before.size > 0 ? store.advanceHeads(before) : before,
      unknown.length > 0 ? store.readHeads(unknown) : NO_HEADS,
    ]);
    if ([...advanced].some(([id, { seq }]) => seq > (before.get(id)?.seq ?? seq))) contention.found();
    meter.heads("validated", members.length);
    return cacheAll(new Map([...advanced, ...read]), ofEpoch);
  }

  return {
    epoch,
    find,
    validate,
    cache,
    evict: (id) => void memory.delete(id),
    seqOf(id) {
      const head = memory.get(id);
      return head?.erasing ? undefined : head?.seq;
    },
  };
}

const NO_HEADS: ReadonlyMap<MemberId, Head> = new Map();
