// The cache of heads: a bounded number of those that this process committed or read last.
//
// A known head may be outdated, which costs a conflict: the store's unique indexes decide. It is never ahead of the
// ledger: only heads that a majority acknowledged are cached, and a new epoch of the ledger (after a restore or during
// an erasure) clears the cache.
import type { Head } from "#domain/head.ts";
import { EPOCH_AGE_MAX_MS, HEADS_REMEMBERED_MAX } from "#usecases/awards/bounds.ts";
import { dropOldest } from "#async/drop-oldest.ts";
import { makeTtlCache } from "#async/ttl-cache.ts";
import { memberIdOf, type MemberId, type MemberRef } from "#domain/member-id.ts";
import type { Contention } from "#usecases/awards/contention.ts";
import type { AwardStore, EpochStore, Heads } from "#usecases/awards/ports.ts";
import type { Clock, Meter } from "#usecases/ports.ts";

export type Epoch = string;

/** `episode`: of the contention in which the head was read or committed. */
type Known = { head: Head; episode: number };

export type KnownHeads = {
  /** The current epoch. Throws AppError `unavailable`. */
  epoch(): Promise<Epoch>;
  /**
   * Heads to decide on. `seqs`: the number at which each member was last released. A known head with that number is not
   * read again, and one with a lower number is replaced by the head of that number. If there is no number, a known head
   * is used unless it is suspect or another process was found to award the member.
   */
  find(members: readonly MemberRef[], epoch: Epoch, seqs: ReadonlyMap<MemberId, number>): Promise<Heads>;
  /** The newest heads, each confirmed by a read. */
  validate(members: readonly MemberRef[], epoch: Epoch): Promise<Heads>;
  /** Only for heads that a majority holds and that were decided in this epoch. */
  remember(id: MemberId, head: Head, epoch: Epoch): void;
  forget(id: MemberId): void;
  /** The number to store in Redis. None while the member is being erased, because nothing may be stored about them. */
  seqOf(id: MemberId): number | undefined;
  /**
   * Whether its head was cached before another process was detected, so that the number that a lock returns is needed.
   */
  isSuspect(id: MemberId): boolean;
  /** The episode in which its head was cached, if it is cached. */
  episodeOf(id: MemberId): number | undefined;
};

/** Long: the cache and its epoch are one state, which every function reads and two functions clear. */
export function makeKnownHeads(world: {
  store: Pick<AwardStore, "readHeads" | "readHeadsAt" | "advanceHeads">;
  epochs: Pick<EpochStore, "read">;
  contention: Contention;
  clock: Clock;
  meter: Meter;
}): KnownHeads {
  const { store, epochs, contention, clock, meter } = world;
  const fresh = makeTtlCache({
    load: async ([name = ""]) => new Map([[name, await epochs.read()]]),
    ageMaxMs: EPOCH_AGE_MAX_MS,
    sizeMax: 1,
    clock,
  });
  /** In order of use, the least recent first. */
  const memory = new Map<MemberId, Known>();
  let memoryEpoch: Epoch | null = null;

  async function epoch(): Promise<Epoch> {
    const now = (await fresh.get("ledger")) ?? "";
    if (now !== memoryEpoch) memory.clear();
    memoryEpoch = now;
    return now;
  }

  function knownOf(id: MemberId, ofEpoch: Epoch): Known | undefined {
    return ofEpoch === memoryEpoch ? memory.get(id) : undefined;
  }

  function isSuspect(id: MemberId): boolean {
    const known = memory.get(id);
    return known !== undefined && known.episode !== contention.episode();
  }

  function remember(id: MemberId, head: Head, ofEpoch: Epoch): void {
    if (ofEpoch !== memoryEpoch) return;
    memory.delete(id);
    memory.set(id, { head, episode: contention.episode() });
    dropOldest(memory, HEADS_REMEMBERED_MAX);
  }

  function rememberAll(heads: Heads, ofEpoch: Epoch): Heads {
    for (const [id, head] of heads) remember(id, head, ofEpoch);
    return heads;
  }

  async function find(
    members: readonly MemberRef[],
    ofEpoch: Epoch,
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
      const at = rememberAll(await store.readHeadsAt(moved), ofEpoch);
      meter.heads("read", at.size);
      for (const [id, head] of at) found.set(id, head);
      // A number that no entry has is ignored.
      unsure.push(...members.filter((member) => moved.has(memberIdOf(member)) && !at.has(memberIdOf(member))));
    }
    if (unsure.length > 0) for (const [id, head] of await validate(unsure, ofEpoch)) found.set(id, head);
    return found;
  }

  async function validate(members: readonly MemberRef[], ofEpoch: Epoch): Promise<Heads> {
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
    return rememberAll(new Map([...advanced, ...read]), ofEpoch);
  }

  return {
    epoch,
    find,
    validate,
    remember,
    forget: (id) => void memory.delete(id),
    isSuspect,
    episodeOf: (id) => memory.get(id)?.episode,
    seqOf(id) {
      const head = memory.get(id)?.head;
      return head?.erasing ? undefined : head?.seq;
    },
  };
}
