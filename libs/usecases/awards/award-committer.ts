// The only path to XP: collects awards, commits them in groups (flights), and answers each award with its outcome.
//
// A flight starts immediately if none is in progress. A second one starts when it is as large as the first, when the
// first ends, or when the first takes too long. So a single award never waits, and under load the groups grow. That an
// award is applied exactly once depends neither on the lock nor on this file: the unique indexes on an entry's key and
// `_id` ensure it.
import { pause } from "#async/pause.ts";
import { AppError } from "#domain/app-error.ts";
import type { Award } from "#domain/award.ts";
import type { Outcome } from "#domain/outcome.ts";
import {
  AWARDS_PER_FLIGHT_THROTTLED,
  AWARDS_PER_FLIGHT_MAX,
  AWARDS_WAITING_MAX,
  FLIGHTS_MAX,
  GATHER_MS_MAX,
  LOCK_WAIT_MS,
  REST_MS_MAX,
  REST_SHARE_THROTTLED,
} from "#usecases/awards/bounds.ts";
import type { ClanRules } from "#usecases/clans/clan-rules.ts";
import { makeCommitFlight } from "#usecases/awards/commit-flight.ts";
import type { Contention } from "#usecases/awards/contention.ts";
import type { KnownHeads } from "#usecases/awards/known-heads.ts";
import { makeMemberQueues, type MemberQueue } from "#usecases/awards/member-queues.ts";
import { makePendingAward, type PendingAward } from "#usecases/awards/pending-award.ts";
import { memberIdOf, type MemberId } from "#domain/member-id.ts";
import type { AwardStore, MemberLock } from "#usecases/awards/ports.ts";
import type { Clock, Log, Meter, Tracer } from "#usecases/ports.ts";
import type { Projector } from "#usecases/projection/projector.ts";

export type AwardCommitter = {
  /**
   * Applies one award. Rejects with AppError after the deadline: `busy` or `unavailable` if the award was not applied
   * and never will be, `outcome_unknown` if only a retry under the same key can find out.
   */
  submit(award: Award, deadlineMs: number): Promise<Outcome>;
  /** Number of awards that have no answer yet. */
  waiting(): number;
  /** Resolves when every submitted award has been answered. */
  drained(): Promise<void>;
};

type Flight = Map<MemberQueue, PendingAward[]>;

// oxlint-disable-next-line eslint/max-lines-per-function -- flights, queues and timers share their counters
export function makeAwardCommitter(world: {
  store: AwardStore;
  heads: KnownHeads;
  contention: Pick<Contention, "found">;
  projector: Pick<Projector, "note" | "suspect" | "capacity">;
  lock: Pick<MemberLock, "acquire">;
  rules: ClanRules;
  clock: Clock;
  random: () => number;
  meter: Meter;
  tracer?: Tracer | null;
  /** Whether these awards must leave capacity of MongoDB to the awards of other processes. */
  isThrottled?: () => boolean;
  log: Log;
}): AwardCommitter {
  const { heads, lock, clock, random, meter, tracer = null, isThrottled = () => false, log } = world;
  const commitFlight = makeCommitFlight(world);
  const queues = makeMemberQueues({ random, log, onReady: launchSoon });
  let flights = 0;
  let membersInFlight = 0;
  let launching = false;
  /** Set while queues collect awards during a larger flight. */
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
    for (const tell of onDrained) tell();
    onDrained = [];
  }

  /** Awards that arrive in one turn of the event loop share a flight. */
  function launchSoon(): void {
    if (launching) return;
    launching = true;
    setImmediate(() => {
      launching = false;
      launch();
    });
  }

  function launch(evenSmall = false): void {
    const flightsMax = isThrottled() ? 1 : FLIGHTS_MAX;
    while (flights < flightsMax && mayLeave(evenSmall)) {
      const flight = queues.take(isThrottled() ? AWARDS_PER_FLIGHT_THROTTLED : AWARDS_PER_FLIGHT_MAX);
      const size = flight.size;
      flights += 1;
      membersInFlight += size;
      const leftAtMs = clock.monotonicMs();
      void fly(flight)
        .then(() => (isThrottled() ? rest(clock.monotonicMs() - leftAtMs) : undefined))
        .finally(() => {
          flights -= 1;
          membersInFlight -= size;
          launchSoon();
        });
    }
    if (queues.ready() > 0 && flights < flightsMax) {
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
   * The cost of a commit is its round trips, whatever its size. A small flight beside a large one would halve the total
   * throughput.
   */
  function mayLeave(evenSmall: boolean): boolean {
    return queues.returned() > 0 || (queues.ready() > 0 && (evenSmall || queues.ready() >= membersInFlight));
  }

  function rest(flightMs: number): Promise<void> {
    return pause(Math.min(flightMs * REST_SHARE_THROTTLED, REST_MS_MAX));
  }

  async function fly(flight: Flight): Promise<void> {
    const held = await lock.acquire([...flight.keys()].map((queue) => queue.id));
    const locked: PendingAward[] = [];
    for (const [queue, awards] of flight) {
      if (held.granted.has(queue.id) || lockWaitIsOver(queue)) locked.push(...awards);
      else {
        flight.delete(queue);
        queues.requeue(queue, awards);
      }
    }
    if (locked.length > 0) meter.flight(locked.length);
    const unsettled = locked.length > 0 ? await commit(locked, held.seqs) : [];
    held.release(seqsOf(held.granted));

    const left = Map.groupBy(unsettled, (pending) => memberIdOf(pending.award));
    for (const queue of flight.keys()) {
      queue.lockRequestedSinceMs = null;
      const awards = left.get(queue.id);
      if (awards) queues.requeue(queue, awards);
      else queues.settled(queue);
    }
  }

  function commit(awards: readonly PendingAward[], seqs: ReadonlyMap<MemberId, number>): Promise<PendingAward[]> {
    if (!tracer) return commitFlight(awards, seqs);
    return tracer.flight(
      awards.map((pending) => pending.step),
      () => commitFlight(awards, seqs),
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
