// The only path to XP: collects awards, commits them in groups, and resolves each award with its outcome.
//
// A group starts immediately if none is in progress. A second one starts when it is as large as the first, when the
// first ends, or when the first takes too long. So a single award never waits, and under load the groups grow. That an
// award is applied exactly once depends neither on the lock nor on this file: the unique indexes on an entry's key and
// `_id` ensure it.
import { pause } from "#async/pause.ts";
import { AppError } from "#kernel/app-error.ts";
import type { Award } from "#domain/award.ts";
import type { Outcome } from "#domain/outcome.ts";
import {
  AWARDS_PER_GROUP_THROTTLED,
  AWARDS_PER_GROUP_MAX,
  AWARDS_WAITING_MAX,
  GROUPS_MAX,
  GATHER_MS_MAX,
  LOCK_WAIT_MS,
  REST_MS_MAX,
  REST_SHARE_THROTTLED,
} from "#ledger/bounds.ts";
import { makeCommitGroup, type CommitGroupDeps } from "#ledger/commit/commit-group.ts";
import type { ContendedLock } from "#ledger/heads/contended-lock.ts";
import { makeMemberQueues, type MemberQueue } from "#ledger/commit/member-queues.ts";
import type { Seqs } from "#ledger/commit/plan-group.ts";
import { makePendingAward, type PendingAward } from "#ledger/commit/pending-award.ts";
import { memberIdOf, type MemberId } from "#domain/member-id.ts";

export type Committer = {
  /**
   * Applies one award. Rejects with AppError after the deadline: `busy` or `unavailable` if the award was not applied
   * and never will be, `outcome_unknown` if only a retry under the same key can find out.
   */
  submit(award: Award, deadlineMs: number): Promise<Outcome>;
  /** Number of awards that have no outcome yet. */
  waiting(): number;
  /** Resolves when every submitted award has been answered. */
  drained(): Promise<void>;
};

type Group = Map<MemberQueue, PendingAward[]>;

export type CommitterDeps = CommitGroupDeps & {
  lock: ContendedLock;
  /** Whether these awards must leave capacity of MongoDB to the awards of other processes. */
  isThrottled?: () => boolean;
};

// oxlint-disable-next-line eslint/max-lines-per-function -- groups, queues and timers share their counters
export function makeCommitter(deps: CommitterDeps): Committer {
  const { heads, lock, clock, random, meter, tracer = null, isThrottled = () => false, log } = deps;
  const commitGroup = makeCommitGroup(deps);
  const queues = makeMemberQueues({ random, log, onReady: launchSoon });
  let groups = 0;
  let membersInGroups = 0;
  let launching = false;
  /** Set while queues collect awards during a larger group. */
  let gathering: NodeJS.Timeout | null = null;
  let unanswered = 0;
  let onDrained: (() => void)[] = [];

  function submit(award: Award, deadlineMs: number): Promise<Outcome> {
    if (unanswered >= AWARDS_WAITING_MAX) {
      return Promise.reject(
        new AppError("busy", "Too many awards are waiting. Nothing was applied: try again shortly."),
      );
    }
    return new Promise((resolve, reject) => {
      unanswered += 1;
      queues.add(makePendingAward(award, deadlineMs, { step: tracer?.here() ?? null, resolve, reject, closed }));
    });
  }

  function closed(): void {
    unanswered -= 1;
    if (unanswered > 0) return;
    for (const resolve of onDrained) resolve();
    onDrained = [];
  }

  /** Awards that arrive in one turn of the event loop share a group. */
  function launchSoon(): void {
    if (launching) return;
    launching = true;
    setImmediate(() => {
      launching = false;
      launch();
    });
  }

  function launch(evenSmall = false): void {
    const groupsMax = isThrottled() ? 1 : GROUPS_MAX;
    while (groups < groupsMax && mayStart(evenSmall)) {
      const group = queues.take(isThrottled() ? AWARDS_PER_GROUP_THROTTLED : AWARDS_PER_GROUP_MAX);
      const size = group.size;
      groups += 1;
      membersInGroups += size;
      const beganAtMs = clock.monotonicMs();
      void run(group)
        .then(() => (isThrottled() ? rest(clock.monotonicMs() - beganAtMs) : undefined))
        .finally(() => {
          groups -= 1;
          membersInGroups -= size;
          launchSoon();
        });
    }
    if (queues.ready() > 0 && groups < groupsMax) {
      gathering ??= setTimeout(() => {
        gathering = null;
        launch(true);
      }, GATHER_MS_MAX);
    } else if (gathering) {
      clearTimeout(gathering);
      gathering = null;
    }
  }

  /**
   * The cost of a commit is its round trips, whatever its size. A small group beside a large one would halve the total
   * throughput.
   */
  function mayStart(evenSmall: boolean): boolean {
    return queues.returned() > 0 || (queues.ready() > 0 && (evenSmall || queues.ready() >= membersInGroups));
  }

  function rest(groupMs: number): Promise<void> {
    return pause(Math.min(groupMs * REST_SHARE_THROTTLED, REST_MS_MAX));
  }

  async function run(group: Group): Promise<void> {
    const locks = await lock.acquire([...group.keys()].map((queue) => queue.id));
    const locked: PendingAward[] = [];
    for (const [queue, awards] of group) {
      if (locks.granted.has(queue.id) || lockWaitIsOver(queue)) locked.push(...awards);
      else {
        group.delete(queue);
        queues.requeue(queue, awards);
      }
    }
    if (locked.length > 0) meter.group(locked.length);
    const unsettled = locked.length > 0 ? await commit(locked, locks.seqs) : [];
    locks.release(seqsOf(locks.granted));

    const left = Map.groupBy(unsettled, (pending) => memberIdOf(pending.award));
    for (const queue of group.keys()) {
      queue.lockRequestedSinceMs = null;
      const awards = left.get(queue.id);
      if (awards) queues.requeue(queue, awards);
      else queues.settled(queue);
    }
  }

  function commit(awards: readonly PendingAward[], seqs: Seqs): Promise<PendingAward[]> {
    if (!tracer) return commitGroup(awards, seqs);
    return tracer.group(
      awards.map((pending) => pending.step),
      () => commitGroup(awards, seqs),
    );
  }

  /**
   * Releases only heads that a majority has stored: heads that became uncertain by a conflict or a lost result were
   * removed from the cache before.
   */
  function seqsOf(ids: Iterable<MemberId>): Map<MemberId, number> {
    const seqs = new Map<MemberId, number>();
    for (const id of ids) {
      const seq = heads.seqOf(id);
      if (seq !== undefined) seqs.set(id, seq);
    }
    return seqs;
  }

  function lockWaitIsOver(queue: MemberQueue): boolean {
    queue.lockRequestedSinceMs ??= clock.monotonicMs();
    return clock.monotonicMs() - queue.lockRequestedSinceMs >= LOCK_WAIT_MS;
  }

  function drained(): Promise<void> {
    return unanswered === 0 ? Promise.resolve() : new Promise((resolve) => onDrained.push(resolve));
  }

  return { submit, waiting: () => unanswered, drained };
}
