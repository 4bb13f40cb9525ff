// One process of a simulated service: its committer over the shared store, and what it does for callers and operators.
// It can be killed.
import { awardIdOf } from "#contract/award-id.ts";
import type { Clan } from "#domain/clan.ts";
import { makeCounters } from "#telemetry/metrics/counters.ts";
import { makeApplyAwards } from "#awards/apply-awards.ts";
import { makeLedger, type Ledger } from "#ledger/ledger.ts";
import { makeContention } from "#ledger/heads/contended-lock.ts";
import { makeFindReplays } from "#awards/find-replays.ts";
import type { MemberLock } from "#ledger/ports.ts";
import { makeClanRules } from "#clans/clan-rules.ts";
import { makeEraseMember } from "#erasure/erase-member.ts";
import type { Clock } from "#kernel/clock.ts";
import { makeRunReversal } from "#reversals/run-reversal.ts";
import { makeSelectAwards } from "#reversals/select-awards.ts";
import { makeSubmitReversal } from "#reversals/submit-reversal.ts";
import type { Chance } from "../support/chance.ts";
import { silentLog as log } from "../support/silent-log.ts";
import { readCallerAward, type Service } from "./callers.ts";
import type { FakeReversals } from "./fake-reversals.ts";
import type { FakeStore } from "./fake-store.ts";
import type { Corrections } from "./operators.ts";
import { makeFaultyCalls } from "./faulty-calls.ts";
import { makeFaultyStore, type FaultRates } from "./faulty-store.ts";

export type SimulatedProcess = Ledger & Service & Corrections & { kill: () => void; conflicts: () => number };

type World = {
  clan: Clan;
  store: FakeStore;
  reversals: FakeReversals;
  lock: MemberLock;
  /** For how long it takes locks after a sign of another process. */
  contentionMs: number;
  faultRates: () => FaultRates;
  isAuto: () => boolean;
  clock: Clock;
  chance: Chance;
};

export function startSimulatedProcess(world: World): SimulatedProcess {
  const { clan, store, lock, contentionMs, faultRates, isAuto, clock, chance } = world;
  let alive = true;
  const isAlive = (): boolean => alive;
  const killed = Promise.withResolvers<void>();
  const faulty = makeFaultyStore(store, { faultRates, chance, isAlive });
  const meter = makeCounters();
  const rules = makeClanRules({
    store: { read: async () => new Map([[clan.clanId, { ...clan, autoClan: isAuto() }]]) },
    clock,
  });
  const isThrottled = (): boolean => chance.next() < 0.2;
  const committer = makeLedger({
    store: faulty,
    epochs: faulty.epochs,
    processes: faulty.processes,
    processId: `p${chance.int(0, 2 ** 48)}`,
    lock,
    contention: makeContention(clock, contentionMs),
    rules,
    clock,
    random: chance.next,
    isThrottled,
    meter,
    log,
  });
  const findReplays = makeFindReplays(faulty);
  const claimAwards = async (): Promise<null> => null;
  return {
    ...committer,
    committer,
    applyAwards: makeApplyAwards({
      committer,
      findReplays,
      claimPriority() {},
      rules,
      readCallerAward,
      claimAwards,
      meter,
    }),
    ...correctionsOf({ ...world, committer, isAlive }),
    killed: killed.promise,
    kill() {
      alive = false;
      killed.resolve();
    },
    conflicts: () => meter.commits.conflict,
  };
}

function correctionsOf(world: World & { committer: Pick<Ledger, "submit"> } & { isAlive: () => boolean }): Corrections {
  const { store, clock, chance, committer } = world;
  const through = makeFaultyCalls(world);
  const [reversals, selection] = [through(world.reversals.records), through(world.reversals.selection)];
  const meter = makeCounters();
  return {
    submitReversal: makeSubmitReversal({
      reversals,
      selectAwards: makeSelectAwards({ selection, clock }),
      queue: { add: async () => {} },
      clock,
      digest: (text) => text,
      ids: { reversal: () => `rev_${chance.int(0, 2 ** 48)}` },
      log,
    }),
    runReversal: makeRunReversal({
      reversals,
      selection,
      batches: { read: async () => null },
      hasAllUntil: async () => true,
      committer,
      isThrottled: () => false,
      clock,
      awardIdOf,
      meter,
      log,
    }),
    eraseMember: makeEraseMember({
      parts: {
        chain: through(store.chain),
        erasures: { ...through(store.erasures), ...noRecords },
        batches: noRuns,
        reversals: noRuns,
        events: noEvents,
        forgetHours: async () => {},
        names: { begin: async () => false, end: async () => {} },
        eraseRoleSyncs: async () => {},
        eraseStandings: async () => false,
        recheckRequests: async () => {},
      },
      epochs: through({ draw: store.epochs.draw }),
      clans: { list: async () => [] },
      deleteLocks: async () => {},
      announceEvents: () => {},
      ids: { event: () => `evt_${chance.int(0, 2 ** 48)}` },
      clock,
      log,
    }),
  };
}

/**
 * Neither batches nor records of reversals name anybody here. So no history has a run that read its batch before the
 * erasure: test/faults/erasure.test.ts has.
 */
const noRuns = { redact: async () => 0, hasRunning: async () => false };

const noEvents = {
  newest: async () => ({ n: 0, interruptions: 0 }),
  append: async () => 1,
  listNumbered: async () => new Set<string>(),
  eraseUnnumbered: async () => {},
  async *listWithoutEntry() {},
  deleteContent: async () => {},
  deleteReasons: async () => {},
};

/** Who works on an erasure is known here. */
const noRecords = {
  begin: (): never => {
    throw new Error("nobody asks");
  },
  noteAlive: async () => {},
  claimSilent: async () => null,
  read: async () => null,
  unfinished: async () => ({ count: 0, oldestCreatedAt: null, held: 0 }),
};
