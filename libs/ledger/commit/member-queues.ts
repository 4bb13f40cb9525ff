// The waiting awards, in one queue for each member, in order of arrival. A member's awards are in one commit group at a
// time, in that order.
import {
  AWARDS_BLOCKED_PER_MEMBER_MAX,
  CONFLICT_PAUSE_MAX_MS,
  CONFLICT_PAUSE_MS,
  CONFLICTS_REPORTED_AT,
} from "#ledger/bounds.ts";
import type { PendingAward } from "#ledger/commit/pending-award.ts";
import { memberRefOf, type MemberId } from "#domain/member-id.ts";
import type { Log } from "#kernel/log.ts";

export type MemberQueue = {
  readonly id: MemberId;
  waiting: PendingAward[];
  inGroup: boolean;
  /** When another process was first found to hold the member's lock; bounds the wait for it. */
  lockRequestedSinceMs: number | null;
  /** How many times in a row its awards returned from a group unsettled. */
  returns: number;
  /** The member is being erased, as far as the last group saw. */
  blocked: boolean;
};

export type MemberQueues = {
  add(pending: PendingAward): void;
  /**
   * Number of queues whose awards can be taken. Queues that returned from a group are counted separately, and are
   * taken together.
   */
  ready(): number;
  returned(): number;
  /**
   * Takes awards from the front, and a whole queue if it fits: from queues that returned first, otherwise from ready
   * ones.
   */
  take(awardsMax: number): Map<MemberQueue, PendingAward[]>;
  /** The queue's group has ended and has settled all of its awards. */
  settled(queue: MemberQueue): void;
  /** Puts awards back at the front of their queue, which can be taken again after a pause. */
  requeue(queue: MemberQueue, awards: readonly PendingAward[]): void;
};

/** `onReady` is called when there may be something to take. */
// oxlint-disable-next-line eslint/max-lines-per-function -- the steps of a queue share its two sets
export function makeMemberQueues(deps: { random: () => number; log: Log; onReady: () => void }): MemberQueues {
  const { random, log, onReady } = deps;
  const queues = new Map<MemberId, MemberQueue>();
  /** Oldest first. */
  const ready = new Set<MemberQueue>();
  /** Kept apart, so that they cannot delay the others. */
  const returned = new Set<MemberQueue>();

  function settled(queue: MemberQueue): void {
    queue.inGroup = false;
    queue.returns = 0;
    queue.blocked = false;
    if (queue.waiting.length > 0) ready.add(queue);
    else queues.delete(queue.id);
  }

  /** Awards of a member that is being erased must not take the places of others until the erasure ends. */
  function shed(queue: MemberQueue): void {
    if (!queue.blocked || queue.waiting.length <= AWARDS_BLOCKED_PER_MEMBER_MAX) return;
    for (const pending of queue.waiting.slice(AWARDS_BLOCKED_PER_MEMBER_MAX)) pending.shed();
    queue.waiting = queue.waiting.filter((pending) => pending.isOpen());
  }

  return {
    add(pending) {
      const id = pending.member;
      let queue = queues.get(id);
      if (!queue) {
        queue = { id, waiting: [], inGroup: false, lockRequestedSinceMs: null, returns: 0, blocked: false };
        queues.set(id, queue);
      }
      queue.waiting.push(pending);
      shed(queue);
      if (queue.inGroup) return;
      if (queue.returns === 0) ready.add(queue);
      onReady();
    },
    ready: () => ready.size,
    returned: () => returned.size,
    take(awardsMax) {
      const taken = new Map<MemberQueue, PendingAward[]>();
      const from = returned.size > 0 ? returned : ready;
      let capacity = awardsMax;
      for (const queue of from) {
        if (capacity === 0) break;
        const awards = queue.waiting.splice(0, capacity);
        capacity -= awards.length;
        from.delete(queue);
        queue.inGroup = true;
        taken.set(queue, awards);
      }
      return taken;
    },
    settled,
    requeue(queue, awards) {
      queue.waiting.unshift(...awards.filter((pending) => pending.isOpen()));
      queue.returns += 1;
      queue.blocked = awards.some((pending) => pending.wasBlocked());
      shed(queue);
      // The log line names no member: a platform ID is personal data, and logs outlive an erasure. `clanxp reconcile`
      // finds the member.
      const { clanId } = memberRefOf(queue.id);
      const { returns } = queue;
      if (returns === CONFLICTS_REPORTED_AT && !queue.blocked)
        log.warn({ clanId, returns }, "award.repeated_conflicts");
      const pauseMs = Math.min(CONFLICT_PAUSE_MS * queue.returns, CONFLICT_PAUSE_MAX_MS) * (0.5 + random());
      setTimeout(() => {
        queue.inGroup = false;
        if (queue.waiting.length === 0) settled(queue);
        else returned.add(queue);
        onReady();
      }, pauseMs);
    },
  };
}
