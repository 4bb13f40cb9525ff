// One seeded history: several processes' committers on one store, each with its own troubles, callers that retry until
// they know. Time is virtual, so an hour of faults takes milliseconds.
import { XP_MAX } from "#domain/bounds.ts";
import type { Boost } from "#domain/boost.ts";
import type { Clan } from "#domain/clan.ts";
import { CONTENTION_MS, RECORD_EVERY_MS, RECORD_REPLY_MS_MAX } from "#ledger/bounds.ts";
import type { Clock } from "#kernel/clock.ts";
import { chanceOf, type Chance } from "../support/chance.ts";
import { call, callWithMany, type Callers, type SimulatedAward } from "./callers.ts";
import { makeFaultyLock } from "../support/faulty-lock.ts";
import { makeCorrectLock } from "./correct-lock.ts";
import { makeFakeReversals } from "./fake-reversals.ts";
import { makeFakeStore, type FakeStore } from "./fake-store.ts";
import { erase, reverse, type Operators, type SimulatedErasure, type SimulatedReversal } from "./operators.ts";
import { startSimulatedProcess, type SimulatedProcess } from "./simulated-process.ts";
import { NO_FAULTS, type FaultRates } from "./faulty-store.ts";

export type History = {
  sent: SimulatedAward[];
  store: FakeStore;
  platformIds: readonly string[];
  /** Nothing failed in it, and the locks were reliable: every conflict of commits is then an error. */
  isCalm: boolean;
  conflicts: number;
  /** A process was killed: what it had not projected is behind until somebody projects it. */
  killed: boolean;
  /** What was asked before a backup was restored may be lost, or applied again. */
  restoredAtMs: number;
  reversed: SimulatedReversal[];
  erased: SimulatedErasure[];
  clan: Clan;
};

const DAY_MS = 86_400_000;
const PROCESSES = 3;
const MEMBERS = 4;
/** Where the clan is closed at times: most of them have no membership then. */
const STRANGERS = 24;
const CALLERS = 12;
const QUEUES = 2;
/** Troubles end, or nobody would ever know anything. */
const FAULTS_MS = 40_000;
/** A restore that interrupts no connection is noticed at the next renewal of the record: callers are let in then. */
const CLOSED_MS = RECORD_EVERY_MS + RECORD_REPLY_MS_MAX + 1_000;
const RESTORE_MS_MAX = 12_000;
/** Where somebody corrects: so many reverse awards and erase members, while callers go on for long enough. */
const CORRECTS_SHARE = 0.3;
const REVERSERS = 2;
const ERASERS = 2;
const PACE_MS = 2_500;
/** An erasure supposes that what is sent arrives within a second (decision 0028). */
const LATE_MS_MAX = 15_000;
const LATE_MS_MAX_ERASING = 900;
const DELAY_MS_MAX_ERASING = 50;
const PROJECTION_POLL_MS = 10_000;
/** In this share of the histories, a router is between the processes and MongoDB, and loses this share of responses. */
const ROUTER_SHARE = 0.3;
const ROUTER_LOSES = 0.1;
/** Processes go without locks most of the time, now and then, or hardly ever. */
const CONTENTION_MS_IN = [1, 100, CONTENTION_MS] as const;

/** In this share of the histories, boosts run and a day's XP is limited, with a midnight UTC in between. */
const GAINS_SHARE = 0.5;
/** How far the clocks of processes differ from MongoDB's then. */
const SKEWS_MS = [0, 0, -2_000, 700] as const;

const plainClan: Clan = {
  clanId: "c",
  name: "C",
  autoClan: true,
  ranks: [
    { name: "Guest", kind: "GUEST" },
    { name: "Recruit", kind: "NORMAL", threshold: 60n },
    { name: "Chief", kind: "OWNER" },
  ],
  xpFloor: 0n,
  xpCap: XP_MAX,
  amountMax: 1_000_000,
};

/** Runs the history of this seed; `advance` must let virtual time pass until the work is done. */
export async function simulate(seed: number, advance: (work: Promise<unknown>) => Promise<void>): Promise<History> {
  const chance = chanceOf(seed);
  const isCalm = chance.hits(0.1);
  const startMs = Date.now();
  const majorityMsMax = isCalm ? 3 : chance.pick([0, 5, 200, 3_000]);
  const store = makeFakeStore({ majorityMs: () => Math.ceil(chance.next() * majorityMsMax) });
  const lock = isCalm || chance.hits(0.3) ? makeCorrectLock(chance) : makeFaultyLock(chance, { delayMsMax: 300 });
  // From a separate random sequence, so that stored seeds keep their histories.
  const corrects = !isCalm && chanceOf(~seed).hits(CORRECTS_SHARE);
  const isOver = (): boolean => Date.now() - startMs > FAULTS_MS;
  const faultRates = isCalm ? () => ({ ...NO_FAULTS, delayMs: 2 }) : makeFaultRates(chance, { isOver, corrects, seed });
  // Now and then somebody closes the clan for a while, in some histories.
  const closes = !isCalm && chance.hits(0.3);
  const members = closes ? STRANGERS : MEMBERS;
  const isAuto = (): boolean => !(closes && chance.hits(0.3));
  const { clan, shiftMs, skewMs } = makeRules(seed, startMs);
  const clock = makeClock(shiftMs);
  const reversals = makeFakeReversals(store);
  const contentionMs = isCalm ? Infinity : chanceOf(seed ^ 1).pick(CONTENTION_MS_IN);
  const start = (): SimulatedProcess =>
    startSimulatedProcess({
      clan,
      store,
      reversals,
      lock,
      contentionMs,
      faultRates,
      isAuto,
      clock: skewed(clock, skewMs()),
      chance,
    });
  const processes = Array.from({ length: PROCESSES }, start);
  const callers: Callers = {
    chance,
    isCalm,
    members,
    services: processes,
    sent: [],
    clan,
    paceMs: corrects ? PACE_MS : 0,
  };
  const operators: Operators = { chance, callers, services: processes, store, reversals, reversed: [], erased: [] };
  const calls = [
    ...Array.from({ length: CALLERS }, (_, caller) => call(caller, callers)),
    ...Array.from({ length: QUEUES }, (_, queue) => callWithMany(queue, callers)),
    ...Array.from({ length: corrects ? REVERSERS : 0 }, (_, operator) => reverse(operator, operators)),
    ...Array.from({ length: corrects ? ERASERS : 0 }, (_, operator) => erase(operator, operators)),
  ];
  const kills = isCalm ? 0 : chance.pick([0, 0, 1, 3]);
  const elections = isCalm ? 0 : chance.pick([0, 0, 1, 4]);
  for (let kill = 0; kill < kills; kill += 1) {
    setTimeout(
      () => {
        const index = chance.int(0, PROCESSES - 1);
        processes[index]?.kill();
        processes[index] = start();
      },
      chance.int(0, FAULTS_MS),
    );
  }
  for (let election = 0; election < elections; election += 1) setTimeout(store.failOver, chance.int(0, FAULTS_MS));
  let restoredAtMs = -Infinity;
  // A backup that holds who was erased since is another matter.
  if (!isCalm && chance.hits(0.15) && !corrects) {
    const interrupts = chance.hits(0.5);
    const closedMs = interrupts ? 0 : CLOSED_MS;
    const stopAfterMs = chance.int(1_000, FAULTS_MS / 2);
    setTimeout(() => store.stop({ interrupts }), stopAfterMs);
    setTimeout(
      () => {
        store.restore(chance.next(), closedMs);
        restoredAtMs = Date.now() + closedMs;
      },
      stopAfterMs + chance.int(1, RESTORE_MS_MAX),
    );
  }
  const faultsEnd = new Promise((resolve) => setTimeout(resolve, FAULTS_MS));
  await advance(Promise.all([...calls, faultsEnd]));
  await advance(Promise.all(processes.map(untilProjected)));
  await advance(Promise.all(processes.map((process) => process.close())));
  return {
    sent: callers.sent,
    store,
    platformIds: Array.from({ length: members }, (_, index) => `m${index + 1}`),
    isCalm,
    conflicts: processes.reduce((sum, process) => sum + process.conflicts(), 0),
    killed: kills > 0,
    restoredAtMs,
    reversed: operators.reversed,
    erased: operators.erased,
    clan,
  };
}

/** From a separate random sequence, so that stored seeds keep their histories. */
function makeRules(seed: number, startMs: number): { clan: Clan; shiftMs: number; skewMs: () => number } {
  const chance = chanceOf(seed ^ 7);
  if (!chance.hits(GAINS_SHARE)) return { clan: plainClan, shiftMs: 0, skewMs: () => 0 };
  const midnightMs = Math.ceil(startMs / DAY_MS) * DAY_MS;
  const shiftMs = midnightMs - chance.int(0, FAULTS_MS) - startMs;
  const boosts = ["a", "b", "c"].map((boostId): Boost => {
    const fromMs = startMs + shiftMs + chance.int(-5_000, FAULTS_MS);
    const to = new Date(fromMs + chance.int(100, FAULTS_MS / 2));
    const ranks = chance.hits(0.3) ? ["Recruit"] : [];
    return { boostId, name: boostId, percent: chance.int(101, 400), from: new Date(fromMs), to, ranks, placeIds: [] };
  });
  const clan = { ...plainClan, boosts, dailyCap: { xp: BigInt(chance.int(20, 400)), since: 1 } };
  return { clan, shiftMs, skewMs: () => chance.pick(SKEWS_MS) };
}

function skewed(clock: Clock, skewMs: number): Clock {
  return { ...clock, now: () => new Date(clock.now().getTime() + skewMs) };
}

/** What a commit without a result may still write is read again for a quarter of an hour. */
async function untilProjected({ projection }: SimulatedProcess): Promise<void> {
  while (projection.waiting() + projection.rechecking() > 0)
    await new Promise((resolve) => setTimeout(resolve, PROJECTION_POLL_MS));
}

/** No two decisions at the same moment, so that an award recognizes its own entry. */
function makeClock(shiftMs: number): Clock {
  let decisions = 0;
  return {
    now: () => new Date(Date.now() + shiftMs + (decisions += 1)),
    monotonicMs: () => Date.now(),
    agingMs: () => Date.now(),
  };
}

/** What goes wrong in this history, and how often: nothing of most things, much of a few. */
function makeFaultRates(
  chance: Chance,
  { isOver, corrects, seed }: { isOver: () => boolean; corrects: boolean; seed: number },
): () => FaultRates {
  const share = (max: number): number => (chance.hits(0.5) ? 0 : chance.next() * max);
  const faultRates: FaultRates = {
    readFails: share(0.4),
    unavailable: share(0.4),
    conflict: share(0.6),
    rejected: chance.hits(0.8) ? 0 : 0.05,
    unknownApplied: share(0.4),
    routerLoses: chanceOf(seed ^ 5).hits(ROUTER_SHARE) ? ROUTER_LOSES : 0,
    unknownLost: share(0.4),
    unknownPart: share(0.4),
    zombie: share(0.4),
    lateMsMax: corrects ? LATE_MS_MAX_ERASING : LATE_MS_MAX,
    delayMs: chance.pick([0, 3, 50, 2_000]),
  };
  if (corrects) faultRates.delayMs = Math.min(faultRates.delayMs, DELAY_MS_MAX_ERASING);
  return () => (isOver() ? NO_FAULTS : faultRates);
}
