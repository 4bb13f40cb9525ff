// The one road to XP: collects awards, commits them in groups (flights), answers each award with what became of it.
//
// A member's awards stand in a line and ride in order, in one flight at a time. A flight leaves at once when none is out, a second one
// when it is as large as the first, when that lands, or when that takes too long: a lone award never waits, and under load the groups
// grow by themselves. Exactly-once does not stand on the lock or on anything here: an entry's unique key and its unique `_id` decide, in
// the store's transaction (DESIGN 2).
import { AppError } from "#domain/app-error.ts";
import type { Award, Entry, Outcome } from "#domain/award.ts";
import {
  AWARDS_PER_FLIGHT_MAKING_WAY,
  AWARDS_PER_FLIGHT_MAX,
  AWARDS_WAITING_MAX,
  CONFLICT_PAUSE_MAX_MS,
  CONFLICT_PAUSE_MS,
  FLIGHTS_MAX,
  GATHER_MS_MAX,
  LOCK_WAIT_MS,
  REST_MS_MAX,
  REST_SHARE_MAKING_WAY,
} from "#usecases/bounds.ts";
import type { ClanRules } from "#usecases/clan-rules.ts";
import { makeCommitFlight, type Heads, type Passenger } from "#usecases/commit-flight.ts";
import {
  memberIdOf,
  type AwardStore,
  type Clock,
  type Log,
  type MemberId,
  type MemberLock,
  type Meter,
  type Tracer,
  type TraceStep,
} from "#usecases/ports.ts";

export type AwardCommitter = {
  /**
   * Applies one award. Rejects with AppError past the deadline: `busy` or `unavailable` when it was not applied and never will be,
   * `outcome_unknown` when only a retry under the same key can tell.
   */
  submit(award: Award, deadlineMs: number): Promise<Outcome>;
  /** Awards that have no answer yet. */
  waiting(): number;
  /** Resolves when every submitted award has its answer. */
  drained(): Promise<void>;
};

/** One member's awards in order of arrival. */
type Line = {
  id: MemberId;
  waiting: Passenger[];
  flying: boolean;
  /** When this line was first refused its lock, to bound the wait for it. */
  lockWantedSinceMs: number | null;
  /** Times in a row that its awards came back from a flight unsettled. */
  returns: number;
};

export function makeAwardCommitter(world: {
  store: AwardStore;
  lock: MemberLock;
  rules: ClanRules;
  clock: Clock;
  random: () => number;
  meter: Meter;
  tracer?: Tracer | null;
  /** Whether these awards are to leave MongoDB to others' for now. */
  makesWay?: () => boolean;
  log: Log;
}): AwardCommitter {
  const { store, lock, clock, random, meter, tracer = null, makesWay = () => false, log } = world;
  const commitFlight = makeCommitFlight(world);
  const lines = new Map<MemberId, Line>();
  /** Lines with awards to carry, oldest first. Lines that came back fly among themselves, so that they cannot hold up the others. */
  const ready = new Set<Line>();
  const returned = new Set<Line>();
  let flights = 0;
  let linesOut = 0;
  let launching = false;
  /** Runs while lines gather behind a larger flight. */
  let gathering: NodeJS.Timeout | null = null;
  let unanswered = 0;
  let onDrained: (() => void)[] = [];

  function submit(award: Award, deadlineMs: number): Promise<Outcome> {
    if (unanswered >= AWARDS_WAITING_MAX) {
      return Promise.reject(new AppError("busy", "Too many awards are waiting. Nothing was applied: try again shortly."));
    }
    return new Promise((resolve, reject) => {
      unanswered += 1;
      const answered = (): void => {
        unanswered -= 1;
        if (unanswered > 0) return;
        for (const tell of onDrained) tell();
        onDrained = [];
      };
      board(makePassenger(award, deadlineMs, { step: tracer?.here() ?? null, resolve, reject, answered }));
    });
  }

  function board(passenger: Passenger): void {
    const id = memberIdOf(passenger.award);
    let line = lines.get(id);
    if (!line) {
      line = { id, waiting: [], flying: false, lockWantedSinceMs: null, returns: 0 };
      lines.set(id, line);
    }
    line.waiting.push(passenger);
    if (line.flying) return;
    if (line.returns === 0) ready.add(line);
    launchSoon();
  }

  /** What arrives in one turn of the event loop goes together. */
  function launchSoon(): void {
    if (launching) return;
    launching = true;
    setImmediate(() => {
      launching = false;
      launch();
    });
  }

  function launch(evenSmall = false): void {
    const flightsMax = makesWay() ? 1 : FLIGHTS_MAX;
    while (flights < flightsMax && mayLeave(evenSmall)) {
      const flight = takeFlight(returned.size > 0 ? returned : ready);
      const size = flight.size;
      flights += 1;
      linesOut += size;
      const leftAtMs = clock.monotonicMs();
      void fly(flight)
        .then(() => (makesWay() ? rest(clock.monotonicMs() - leftAtMs) : undefined))
        .finally(() => {
          flights -= 1;
          linesOut -= size;
          launchSoon();
        });
    }
    if (ready.size > 0 && flights < flightsMax) {
      gathering ??= setTimeout(() => {
        gathering = null;
        launch(true);
      }, GATHER_MS_MAX);
    } else if (gathering) {
      clearTimeout(gathering);
      gathering = null;
    }
  }

  /** Every commit costs its round trips, whatever it carries: a small flight beside a large one would halve what is committed in all. */
  function mayLeave(evenSmall: boolean): boolean {
    return returned.size > 0 || (ready.size > 0 && (evenSmall || ready.size >= linesOut));
  }

  function rest(flewMs: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, Math.min(flewMs * REST_SHARE_MAKING_WAY, REST_MS_MAX)));
  }

  /** Takes lines from the front, whole where they fit; what is left of a line stays with it and goes next. */
  function takeFlight(from: Set<Line>): Map<Line, Passenger[]> {
    const flight = new Map<Line, Passenger[]>();
    let room = makesWay() ? AWARDS_PER_FLIGHT_MAKING_WAY : AWARDS_PER_FLIGHT_MAX;
    for (const line of from) {
      if (room === 0) break;
      const aboard = line.waiting.splice(0, room);
      room -= aboard.length;
      from.delete(line);
      line.flying = true;
      flight.set(line, aboard);
    }
    return flight;
  }

  async function fly(flight: Map<Line, Passenger[]>): Promise<void> {
    const wantedAtMs = clock.monotonicMs();
    // Read while the lock is asked for. Should a head move on meanwhile, the commit clashes: the lock can spare that, not prevent it.
    const heads = store.readHeads([...flight.values()].flatMap(([first]) => first?.award ?? []));
    heads.catch(() => {});
    const held = await lock.acquire([...flight.keys()].map((line) => line.id));
    meter.lock((clock.monotonicMs() - wantedAtMs) / 1_000, flight.size - held.granted.size);
    const aboard: Passenger[] = [];
    for (const [line, passengers] of flight) {
      if (held.granted.has(line.id) || lockWaitIsOver(line)) aboard.push(...passengers);
      else {
        flight.delete(line);
        comeBack(line, passengers);
      }
    }
    if (aboard.length > 0) meter.flight(aboard.length);
    const unsettled = aboard.length > 0 ? await carry(aboard, heads) : [];
    held.release();

    const left = Map.groupBy(unsettled, (passenger) => memberIdOf(passenger.award));
    for (const line of flight.keys()) {
      line.lockWantedSinceMs = null;
      const passengers = left.get(line.id);
      if (passengers) comeBack(line, passengers);
      else land(line);
    }
  }

  function carry(aboard: readonly Passenger[], heads: Promise<Heads>): Promise<Passenger[]> {
    if (!tracer) return commitFlight(aboard, heads);
    return tracer.flight(
      aboard.map((passenger) => passenger.step),
      () => commitFlight(aboard, heads),
    );
  }

  function lockWaitIsOver(line: Line): boolean {
    line.lockWantedSinceMs ??= clock.monotonicMs();
    return clock.monotonicMs() - line.lockWantedSinceMs >= LOCK_WAIT_MS;
  }

  function land(line: Line): void {
    line.flying = false;
    line.returns = 0;
    if (line.waiting.length > 0) ready.add(line);
    else lines.delete(line.id);
  }

  /** Puts awards back at the front of their line, which flies again after a pause. */
  function comeBack(line: Line, passengers: readonly Passenger[]): void {
    line.waiting.unshift(...passengers.filter((passenger) => !passenger.answered()));
    line.returns += 1;
    if (line.returns === 10) log.warn({ member: line.id, returns: line.returns }, "award.keeps_conflicting");
    const pauseMs = Math.min(CONFLICT_PAUSE_MS * line.returns, CONFLICT_PAUSE_MAX_MS) * (0.5 + random());
    setTimeout(() => {
      line.flying = false;
      if (line.waiting.length === 0) land(line);
      else returned.add(line);
      launch();
    }, pauseMs);
  }

  function drained(): Promise<void> {
    return unanswered === 0 ? Promise.resolve() : new Promise((resolve) => onDrained.push(resolve));
  }

  return { submit, waiting: () => unanswered, drained };
}

const NONE: readonly Entry[] = [];

/** An award with its caller. Whoever answers first wins: the flight that settles it, or its deadline. */
function makePassenger(
  award: Award,
  deadlineMs: number,
  caller: { step: TraceStep | null; resolve: (outcome: Outcome) => void; reject: (error: AppError) => void; answered: () => void },
): Passenger {
  let open = true;
  const close = (): boolean => {
    if (!open) return false;
    open = false;
    clearTimeout(deadline);
    caller.answered();
    return true;
  };
  const passenger: Passenger = {
    award,
    step: caller.step,
    committing: false,
    doubt: false,
    untold: NONE,
    trouble: null,
    answered: () => !open,
    resolve: (outcome) => void (close() && caller.resolve(outcome)),
    reject: (error) => void (close() && caller.reject(error)),
  };
  const deadline = setTimeout(() => passenger.reject(deadlineError(passenger)), deadlineMs);
  return passenger;
}

/** What is true of an award that ran out of time. */
function deadlineError(passenger: Passenger): AppError {
  const cause = passenger.trouble;
  if (passenger.committing || passenger.doubt) {
    return new AppError("outcome_unknown", "It is not known whether the award was applied. Retry with the same Idempotency-Key.", {
      cause,
    });
  }
  if (cause) return new AppError("unavailable", "The database cannot be reached. Nothing was applied: try again shortly.", { cause });
  return new AppError("busy", "The award did not get its turn in time. Nothing was applied: try again shortly.");
}
