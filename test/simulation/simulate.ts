// One seeded history: several processes' committers on one store, each with its own troubles, callers that retry until they know.
// Time is virtual, so an hour of faults takes milliseconds.
import { AppError } from "#domain/app-error.ts";
import { callerAwardKey } from "#domain/award-key.ts";
import { XP_MAX } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import { makeTally } from "#runtime/tally.ts";
import { makeAwardPipeline, type AwardPipeline } from "#usecases/award-pipeline.ts";
import { AWARD_DEADLINE_MS } from "#usecases/bounds.ts";
import { makeClanRules } from "#usecases/clan-rules.ts";
import type { Log, MemberLock } from "#usecases/ports.ts";
import type { SentAward } from "../faults/history.ts";
import { makeHonestLock, makeLyingLock } from "./fake-locks.ts";
import { makeFakeStore, type FakeStore } from "./fake-store.ts";
import { chanceOf, type Chance } from "./random.ts";
import { makeTroubledStore, NO_TROUBLE, type Trouble } from "./troubled-store.ts";
import { noProcesses } from "../support/no-processes.ts";

/** What a caller remembers, and when it asked last. */
export type SimulatedAward = SentAward & { lastAskedAtMs: number };
export type History = {
  sent: SimulatedAward[];
  store: FakeStore;
  platformIds: readonly string[];
  /** Nothing went wrong in it, and the locks kept their promise: commits that conflicted are a mistake then. */
  isCalm: boolean;
  conflicts: number;
  /** A process was killed: what it had not projected is behind until somebody projects it. */
  killed: boolean;
};

const PROCESSES = 3;
const MEMBERS = 4;
const CALLERS = 12;
const AWARDS_PER_CALLER = 6;
/** Troubles end, or nobody would ever know anything. */
const TROUBLE_MS = 40_000;
const RETRY_MS_MAX = 3_000;
/** More than any history needs: an award that is never settled would be retried for ever. */
const TRIES_MAX = 200;

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
const clan: Clan = {
  clanId: "c",
  name: "C",
  autoClan: true,
  ranks: [
    { name: "Guest", kind: "GUEST" },
    { name: "Recruit", kind: "NORMAL", threshold: 60n },
  ],
  xpFloor: 0n,
  xpCap: XP_MAX,
  amountMax: 1_000_000,
};

type Process = AwardPipeline & { killed: Promise<void>; kill: () => void; conflicts: () => number };
type Simulation = { chance: Chance; isCalm: boolean; processes: Process[]; sent: SimulatedAward[] };

/** Runs the history of this seed; `advance` must let virtual time pass until nothing is left to do. */
export async function simulate(seed: number, advance: () => Promise<void>): Promise<History> {
  const chance = chanceOf(seed);
  const isCalm = chance.hits(0.1);
  const startMs = Date.now();
  const majorityMsMax = isCalm ? 3 : chance.pick([0, 5, 200, 3_000]);
  const store = makeFakeStore({ majorityMs: () => Math.ceil(chance.next() * majorityMsMax) });
  const lock = isCalm || chance.hits(0.3) ? makeHonestLock(chance) : makeLyingLock(chance);
  const trouble = isCalm ? () => ({ ...NO_TROUBLE, delayMs: 2 }) : makeTrouble(chance, () => Date.now() - startMs > TROUBLE_MS);
  // Now and then somebody closes the clan for a while, in some histories.
  const closes = !isCalm && chance.hits(0.3);
  const isAuto = (): boolean => !(closes && chance.hits(0.3));
  const start = (): Process => startProcess({ store, lock, trouble, isAuto, chance });

  const simulation: Simulation = { chance, isCalm, processes: Array.from({ length: PROCESSES }, start), sent: [] };
  const calls = Array.from({ length: CALLERS }, (_, caller) => call(caller, simulation));
  const kills = isCalm ? 0 : chance.pick([0, 0, 1, 3]);
  const elections = isCalm ? 0 : chance.pick([0, 0, 1, 4]);
  for (let kill = 0; kill < kills; kill += 1) {
    setTimeout(
      () => {
        const index = chance.int(0, PROCESSES - 1);
        simulation.processes[index]?.kill();
        simulation.processes[index] = start();
        void store.epochs.draw();
      },
      chance.int(0, TROUBLE_MS),
    );
  }
  for (let election = 0; election < elections; election += 1) setTimeout(store.failOver, chance.int(0, TROUBLE_MS));
  await advance();
  await Promise.all(calls);
  const closing = Promise.all(simulation.processes.map((process) => process.close()));
  await advance();
  await closing;
  return {
    sent: simulation.sent,
    store,
    platformIds: Array.from({ length: MEMBERS }, (_, index) => `m${index + 1}`),
    isCalm,
    conflicts: simulation.processes.reduce((sum, process) => sum + process.conflicts(), 0),
    killed: kills > 0,
  };
}

function startProcess(world: {
  store: FakeStore;
  lock: MemberLock;
  trouble: () => Trouble;
  isAuto: () => boolean;
  chance: Chance;
}): Process {
  const { store, lock, trouble, isAuto, chance } = world;
  let isAlive = true;
  const killed = Promise.withResolvers<void>();
  const troubled = makeTroubledStore(store, { trouble, chance, isAlive: () => isAlive });
  const clock = makeClock();
  const meter = makeTally();
  const pipeline = makeAwardPipeline({
    store: troubled,
    epochs: troubled.epochs,
    processes: noProcesses,
    processId: "p",
    lock,
    rules: makeClanRules({ store: { read: async () => new Map([[clan.clanId, { ...clan, autoClan: isAuto() }]]) }, clock }),
    clock,
    random: chance.next,
    makesWay: () => chance.next() < 0.2,
    meter,
    log: silent,
  });
  return {
    ...pipeline,
    killed: killed.promise,
    kill() {
      isAlive = false;
      killed.resolve();
    },
    conflicts: () => meter.commits.conflict,
  };
}

let decisions = 0;
/** No two decisions at the same moment, by which an award tells its own entry from that of its twin. */
function makeClock(): { now: () => Date; monotonicMs: () => number } {
  return { now: () => new Date(Date.now() + (decisions += 1)), monotonicMs: () => Date.now() };
}

/** What goes wrong in this history, and how often: nothing of most things, much of a few. */
function makeTrouble(chance: Chance, isOver: () => boolean): () => Trouble {
  const share = (max: number): number => (chance.hits(0.5) ? 0 : chance.next() * max);
  const trouble: Trouble = {
    readFails: share(0.4),
    unavailable: share(0.4),
    conflict: share(0.6),
    refused: chance.hits(0.8) ? 0 : 0.05,
    unknownApplied: share(0.4),
    unknownLost: share(0.4),
    unknownPart: share(0.4),
    zombie: share(0.4),
    delayMs: chance.pick([0, 3, 50, 2_000]),
  };
  return () => (isOver() ? NO_TROUBLE : trouble);
}

/** Sends some awards one after the other, now and then the same one to two processes at once, most until the answer is definite. */
async function call(caller: number, simulation: Simulation): Promise<void> {
  const { chance, isCalm, sent } = simulation;
  for (let index = 0; index < AWARDS_PER_CALLER; index += 1) {
    const joins = chance.hits(0.03);
    const award: SimulatedAward = {
      platformId: `m${chance.int(1, MEMBERS)}`,
      key: `${caller}-${index}`,
      amount: joins ? 0 : chance.int(-10, 40),
      answers: [],
      lastAskedAtMs: 0,
    };
    sent.push(award);
    const twins = !isCalm && chance.hits(0.3) ? 2 : 1;
    // Some give up at the first refusal: whoever was told "not applied" must be right for ever.
    const retries = chance.hits(0.7);
    await Promise.all(Array.from({ length: twins }, () => send(award, simulation, { retries, joins })));
  }
}

async function send(
  award: SimulatedAward,
  simulation: Simulation,
  { retries, joins }: { retries: boolean; joins: boolean },
): Promise<void> {
  const { chance, processes } = simulation;
  for (let tries = 0; ; tries += 1) {
    if (tries > TRIES_MAX) throw new Error(`${award.key} is never settled`);
    const process = chance.pick(processes);
    award.lastAskedAtMs = Date.now();
    try {
      const submitted = process.committer.submit(
        {
          ...(joins ? { kind: "membership" as const } : {}),
          clanId: clan.clanId,
          platformId: award.platformId,
          key: callerAwardKey(award.key),
          fingerprint: `${award.amount}`,
          amount: BigInt(award.amount),
          apiKeyId: "k",
        },
        AWARD_DEADLINE_MS,
      );
      const outcome = await Promise.race([submitted, process.killed]);
      if (outcome?.kind === "applied" || outcome?.kind === "replayed") {
        award.answers.push({ status: 200, xp: outcome.entry.xp.toString(), replayed: outcome.kind === "replayed", code: null });
        return;
      }
      if (outcome?.kind === "rejected") {
        award.answers.push({ status: 404, xp: null, replayed: false, code: outcome.code });
        return;
      }
      submitted.catch(() => {});
      award.answers.push({ status: 0, xp: null, replayed: false, code: null });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      award.answers.push({ status: error.code === "internal" ? 500 : 503, xp: null, replayed: false, code: error.code });
    }
    if (!retries) return;
    await new Promise((resolve) => setTimeout(resolve, chance.int(0, RETRY_MS_MAX)));
  }
}
