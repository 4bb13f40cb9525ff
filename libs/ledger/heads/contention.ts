// Whether other processes award the members that this process awards, as detected by conflicts, locks and reads.
//
// Locks only avoid conflicts, so a process that has not detected another one does not need them. At the latest, a
// conflict detects another process. At most one in CONTENTION_FREE_LOCKS awards conflicts, because that many members
// are locked after each conflict.
import { CONTENTION_FREE_LOCKS, HEADS_CACHED_MAX } from "#ledger/bounds.ts";
import { dropOldest } from "#async/drop-oldest.ts";
import type { MemberId } from "#domain/member-id.ts";

export type Contention = {
  /**
   * Another process awards this member, too. `knownIn`: the episode in which the outdated head was cached. If that was
   * an earlier episode, the other process may have stopped long ago.
   */
  found(id: MemberId, knownIn?: number): void;
  /** Counts how often another process was detected unexpectedly. Heads of earlier episodes may be outdated. */
  episode(): number;
  /** Whether another process was found to award this member, as far as this is still recorded. */
  isShared(id: MemberId): boolean;
  /**
   * This many members were locked, with numbers that would reveal another process. If they did, `found` is called as
   * well.
   */
  locked(members: number): void;
  /** False once CONTENTION_FREE_LOCKS members in a row were locked without another process being found. */
  isExpected(): boolean;
};

export function makeContention(freeLocksMax = CONTENTION_FREE_LOCKS): Contention {
  /** In order of detection, the oldest first. */
  const shared = new Set<MemberId>();
  let freeLocks = 0;
  let episode = 0;
  return {
    found(id, knownIn = episode) {
      if (knownIn === episode) {
        if (freeLocks >= freeLocksMax) episode += 1;
        freeLocks = 0;
      }
      shared.delete(id);
      shared.add(id);
      dropOldest(shared, HEADS_CACHED_MAX);
    },
    episode: () => episode,
    isShared: (id) => shared.has(id),
    locked(members) {
      freeLocks += members;
      if (freeLocks >= freeLocksMax) shared.clear();
    },
    isExpected: () => freeLocks < freeLocksMax,
  };
}
