// Whether other processes award the members that this process awards: what conflicts, locks and reads have shown.
//
// Locks only save conflicts, so a process that has met no other does not need them. A conflict shows another process at
// the latest: to at most one in CONTENTION_FREE_LOCKS awards, because so many are locked after each.
import { CONTENTION_FREE_LOCKS, HEADS_REMEMBERED_MAX } from "#usecases/awards/bounds.ts";
import { dropOldest } from "#async/drop-oldest.ts";
import type { MemberId } from "#domain/member-id.ts";

export type Contention = {
  /**
   * Another process awards this member, too. `knownIn`: the episode in which the head that turned out to be outdated was
   * remembered. In an earlier one, that other process may have stopped long ago.
   */
  found(id: MemberId, knownIn?: number): void;
  /** Counts how often another process was found while none was expected. Heads of earlier episodes may be outdated. */
  episode(): number;
  /** Whether this was found of the member, as far as it is remembered. */
  isShared(id: MemberId): boolean;
  /**
   * So many members were locked, with a number that would show that another process awarded them. If one did, `found` is
   * called as well.
   */
  locked(members: number): void;
  /** False once CONTENTION_FREE_LOCKS members in a row were locked without another process being found. */
  isExpected(): boolean;
};

export function makeContention(freeLocksMax = CONTENTION_FREE_LOCKS): Contention {
  /** Those found the longest ago first. */
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
      dropOldest(shared, HEADS_REMEMBERED_MAX);
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
