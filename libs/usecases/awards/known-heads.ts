// The cache of heads: a bounded number of those that this process committed or read last.
//
// A known head may be outdated, which costs a conflict: the store's unique indexes decide. It is never ahead of the
// ledger: only heads that a majority acknowledged are cached, and a new epoch of the ledger (after a restore or during
// an erasure) clears the cache. An epoch that only renews the previous one keeps it: the heads of the last two epochs
// are confirmed by a read first, because a backup from within an epoch may have been restored (decision 0035).
import type { Head } from "#domain/head.ts";
import { EPOCH_AGE_MAX_MS, HEADS_PER_CONFIRMATION_MAX, HEADS_CACHED_MAX } from "#usecases/awards/bounds.ts";
import { chunks } from "#async/chunks.ts";
import { dropOldest } from "#async/drop-oldest.ts";
import { makeTtlCache } from "#async/ttl-cache.ts";
import { memberIdOf, type MemberId, type MemberRef } from "#domain/member-id.ts";
import type { Contention } from "#usecases/awards/contention.ts";
import type { AwardStore, Epoch, EpochId, EpochStore, Heads } from "#usecases/awards/ports.ts";
import type { Clock, Log, Meter } from "#usecases/ports.ts";

/**
 * `episode`: of the contention in which the head was read or committed. `renewals`: how many renewals of the epoch
 * this process had seen by then.
 */
type Known = { head: Head; episode: number; renewals: number };

const NO_EPOCH: Epoch = { id: "", renews: null };

export type KnownHeads = {
  /** The current epoch. Throws AppError `unavailable`. */
  epoch(): Promise<EpochId>;
  /**
   * Heads to decide on. `seqs`: the number at which each member was last released. A known head with that number is not
   * read again, and one with a lower number is replaced by the head of that number. If there is no number, a known head
   * is used unless it is suspect or another process was found to award the member.
   */
  find(members: readonly MemberRef[], epoch: EpochId, seqs: ReadonlyMap<MemberId, number>): Promise<Heads>;
  /** The newest heads, each confirmed by a read. */
  validate(members: readonly MemberRef[], epoch: EpochId): Promise<Heads>;
  /** Only for heads that a majority holds and that were decided in this epoch. */
  cache(id: MemberId, head: Head, epoch: EpochId): void;
  evict(id: MemberId): void;
  /** The number to store in Redis. None while the member is being erased, because nothing may be stored about them. */
  seqOf(id: MemberId): number | undefined;
  /**
   * Whether its head was cached before another process was detected, so that the number that a lock returns is needed.
   */
  isSuspect(id: MemberId): boolean;
  /** The episode in which its head was cached, if it is cached. */
  episodeOf(id: MemberId): number | undefined;
};

// oxlint-disable-next-line eslint/max-lines-per-function -- the cache and its epoch are one state
export function makeKnownHeads(world: {
  store: Pick<AwardStore, "readHeads" | "readHeadsAt" | "advanceHeads">;
  epochs: Pick<EpochStore, "read">;
  contention: Contention;
  clock: Clock;
  meter: Meter;
  log: Log;
}): KnownHeads {
  const { store, epochs, contention, clock, meter, log } = world;
  const fresh = makeTtlCache({
    load: async ([name = ""]) => new Map([[name, await epochs.read()]]),
    ageMaxMs: EPOCH_AGE_MAX_MS,
    sizeMax: 1,
    clock,
  });
  /** In order of use, the least recent first. */
  const memory = new Map<MemberId, Known>();
  /** Heads that are used again once a read has confirmed them. None of their members is in `memory`. */
  const unconfirmed = new Map<MemberId, Known>();
  let memoryEpoch: Epoch = NO_EPOCH;
  let renewals = 0;
  let isConfirming = false;

  async function epoch(): Promise<EpochId> {
    const now = (await fresh.get("ledger")) ?? NO_EPOCH;
    if (now.id !== memoryEpoch.id) enter(now);
    if (unconfirmed.size > 0 && !isConfirming) void confirm();
    return now.id;
  }

  function enter(next: Epoch): void {
    if (next.renews === memoryEpoch.id) {
      // A head of the last epoch may have been committed shortly after its end, so it is confirmed in two epochs.
      for (const [id, known] of memory) {
        if (known.renewals < renewals - 1) continue;
        memory.delete(id);
        unconfirmed.set(id, known);
      }
      renewals += 1;
    } else {
      memory.clear();
      unconfirmed.clear();
    }
    memoryEpoch = next;
  }

  /** Never rejects: heads that cannot be confirmed now are read by the next awards of their members. */
  async function confirm(): Promise<void> {
    isConfirming = true;
    try {
      for (const group of chunks([...unconfirmed], HEADS_PER_CONFIRMATION_MAX)) await confirmGroup(group);
    } catch (error) {
      unconfirmed.clear();
      log.debug({ err: error }, "heads.confirmation_failed");
    }
    isConfirming = false;
  }

  async function confirmGroup(group: readonly [MemberId, Known][]): Promise<void> {
    const existing = await store.readHeadsAt(new Map(group.map(([id, { head }]) => [id, head.seq])));
    meter.heads("confirmed", existing.size);
    for (const [id, known] of group) {
      // It was committed, read or dropped since.
      if (unconfirmed.get(id) !== known) continue;
      unconfirmed.delete(id);
      const head = existing.get(id);
      if (head) memory.set(id, { ...known, head });
    }
    dropOldest(memory, HEADS_CACHED_MAX);
  }

  function knownOf(id: MemberId, ofEpoch: EpochId): Known | undefined {
    return ofEpoch === memoryEpoch.id ? memory.get(id) : undefined;
  }

  function isSuspect(id: MemberId): boolean {
    const known = memory.get(id);
    return known !== undefined && known.episode !== contention.episode();
  }

  function cache(id: MemberId, head: Head, ofEpoch: EpochId): void {
    // A head of the renewed epoch was committed during the renewal.
    const part = ofEpoch === memoryEpoch.id ? memory : ofEpoch === memoryEpoch.renews ? unconfirmed : null;
    if (!part) return;
    evict(id);
    part.set(id, { head, episode: contention.episode(), renewals });
    dropOldest(memory, HEADS_CACHED_MAX);
  }

  function evict(id: MemberId): void {
    memory.delete(id);
    unconfirmed.delete(id);
  }

  function cacheAll(heads: Heads, ofEpoch: EpochId): Heads {
    for (const [id, head] of heads) cache(id, head, ofEpoch);
    return heads;
  }

  async function find(
    members: readonly MemberRef[],
    ofEpoch: EpochId,
    seqs: ReadonlyMap<MemberId, number>,
  ): Promise<Heads> {
    const found = new Map<MemberId, Head>();
    const unsure: MemberRef[] = [];
    const moved = new Map<MemberId, number>();
    for (const member of members) {
      const id = memberIdOf(member);
      const seq = seqs.get(id) ?? 0;
      const known = knownOf(id, ofEpoch);
      const head = known?.head;
      // Without a known head, the newest one is read: the number may have been stored before awards without locks.
      if (!head) unsure.push(member);
      else if (seq > head.seq) {
        contention.found(id, known.episode);
        moved.set(id, seq);
      }
      // A number below that of the known head is outdated, and is treated like a missing one.
      else if (seq === head.seq || (!contention.isShared(id) && !isSuspect(id))) found.set(id, head);
      else unsure.push(member);
    }
    meter.heads("cached", found.size);
    if (moved.size > 0) {
      const at = cacheAll(await store.readHeadsAt(moved), ofEpoch);
      meter.heads("read", at.size);
      for (const [id, head] of at) found.set(id, head);
      // A number that no entry has is ignored.
      unsure.push(...members.filter((member) => moved.has(memberIdOf(member)) && !at.has(memberIdOf(member))));
    }
    if (unsure.length > 0) for (const [id, head] of await validate(unsure, ofEpoch)) found.set(id, head);
    return found;
  }

  async function validate(members: readonly MemberRef[], ofEpoch: EpochId): Promise<Heads> {
    const known = new Map<MemberId, Known>();
    const unknown: MemberRef[] = [];
    for (const member of members) {
      const id = memberIdOf(member);
      const cached = knownOf(id, ofEpoch);
      if (cached) known.set(id, cached);
      else unknown.push(member);
    }
    const heads = new Map([...known].map(([id, { head }]) => [id, head]));
    const [advanced, read] = await Promise.all([
      heads.size > 0 ? store.advanceHeads(heads) : heads,
      unknown.length > 0 ? store.readHeads(unknown) : new Map<MemberId, Head>(),
    ]);
    for (const [id, { seq }] of advanced) {
      const cached = known.get(id);
      if (cached && seq > cached.head.seq) contention.found(id, cached.episode);
    }
    meter.heads("validated", members.length);
    return cacheAll(new Map([...advanced, ...read]), ofEpoch);
  }

  return {
    epoch,
    find,
    validate,
    cache,
    evict,
    isSuspect,
    episodeOf: (id) => memory.get(id)?.episode,
    seqOf(id) {
      const head = memory.get(id)?.head;
      return head?.erasing ? undefined : head?.seq;
    },
  };
}
