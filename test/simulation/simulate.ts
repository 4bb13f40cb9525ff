// One seeded history: several processes' committers on one store, each with its own troubles, callers that retry until they know.
// Time is virtual, so an hour of faults takes milliseconds.
import { AppError } from "#domain/app-error.ts";
import { callerAwardKey } from "#domain/award-key.ts";
import { XP_MAX } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import { makeTally } from "#runtime/tally.ts";
import { makeAwardCommitter, type AwardCommitter } from "#usecases/award-committer.ts";
import { AWARD_DEADLINE_MS } from "#usecases/bounds.ts";
import { makeClanRules } from "#usecases/clan-rules.ts";
import type { Log, MemberLock } from "#usecases/ports.ts";
import type { Entry } from "#domain/award.ts";
import type { SentAward } from "../faults/history.ts";
import { makeFakeStore, makeTroubledStore, type Trouble } from "./fake-store.ts";
import { chanceOf, type Chance } from "./random.ts";

export type History = { sent: SentAward[]; ledger: Entry[]; memberships: number; joined: number };

const PROCESSES = 3;
const MEMBERS = 4;
const CALLERS = 12;
const AWARDS_PER_CALLER = 6;
/** Troubles end, or nobody would ever know anything. */
const TROUBLE_MS = 40_000;
const RETRY_MS_MAX = 3_000;

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

/** Runs the history of this seed; `advance` must let virtual time pass until nothing is left to do. */
export async function simulate(seed: number, advance: () => Promise<void>): Promise<History> {
  const chance = chanceOf(seed);
  const store = makeFakeStore();
  const startMs = Date.now();
  // No two decisions at the same moment, by which an award tells its own entry from that of its twin.
  let decisions = 0;
  const clock = { now: () => new Date(startMs + (decisions += 1)), monotonicMs: () => Date.now() };
  // Now and then somebody closes the clan for a while, in some histories.
  const closes = chance.hits(0.3);
  const isAuto = (): boolean => !(closes && chance.hits(0.3));
  const trouble = makeTrouble(chance, () => Date.now() - startMs > TROUBLE_MS);
  const committers = Array.from({ length: PROCESSES }, () =>
    makeAwardCommitter({
      store: makeTroubledStore(store, trouble, chance),
      lock: makeLyingLock(chance),
      rules: makeClanRules({ store: { read: async () => new Map([[clan.clanId, { ...clan, autoClan: isAuto() }]]) }, clock }),
      clock,
      random: chance.next,
      makesWay: () => chance.next() < 0.2,
      meter: makeTally(),
      log: silent,
    }),
  );

  const sent: SentAward[] = [];
  const calls = Array.from({ length: CALLERS }, (_, caller) => call(caller, committers, sent, chance));
  await advance();
  await Promise.all(calls);
  const ledger = store.entries();
  const platformIds = [...new Set(ledger.map((entry) => entry.platformId))];
  return {
    sent,
    ledger,
    memberships: platformIds.filter((platformId) => store.head({ clanId: clan.clanId, platformId })?.membership).length,
    joined: ledger.filter((entry) => entry.membershipCreated).length,
  };
}

/** What goes wrong in this history, and how often: nothing of most things, much of a few. */
function makeTrouble(chance: Chance, isOver: () => boolean): () => Trouble {
  const share = (max: number): number => (chance.hits(0.5) ? 0 : chance.next() * max);
  const trouble: Trouble = {
    readFails: share(0.4),
    unavailable: share(0.4),
    conflict: share(0.6),
    unknownApplied: share(0.4),
    unknownLost: share(0.4),
    zombie: share(0.4),
    delayMs: chance.pick([0, 3, 50, 2_000]),
  };
  const peace: Trouble = { readFails: 0, unavailable: 0, conflict: 0, unknownApplied: 0, unknownLost: 0, zombie: 0, delayMs: 1 };
  return () => (isOver() ? peace : trouble);
}

function makeLyingLock(chance: Chance): MemberLock {
  return {
    async acquire(members) {
      if (chance.hits(0.2)) await new Promise((resolve) => setTimeout(resolve, chance.int(1, 300)));
      return { granted: new Set(members.filter(() => chance.hits(0.8))), release() {} };
    },
  };
}

/** Sends some awards one after the other, now and then the same one to two processes at once, most until the answer is definite. */
async function call(caller: number, committers: readonly AwardCommitter[], sent: SentAward[], chance: Chance): Promise<void> {
  for (let index = 0; index < AWARDS_PER_CALLER; index += 1) {
    const award: SentAward = {
      platformId: `m${chance.int(1, MEMBERS)}`,
      key: `${caller}-${index}`,
      amount: chance.int(-10, 40),
      answers: [],
    };
    sent.push(award);
    const twins = chance.hits(0.3) ? 2 : 1;
    // Some give up at the first refusal: whoever was told "not applied" must be right for ever.
    const retries = chance.hits(0.7);
    await Promise.all(Array.from({ length: twins }, () => send(award, committers, chance, retries)));
  }
}

async function send(award: SentAward, committers: readonly AwardCommitter[], chance: Chance, retries: boolean): Promise<void> {
  for (;;) {
    try {
      const outcome = await chance.pick(committers).submit(
        {
          clanId: clan.clanId,
          platformId: award.platformId,
          key: callerAwardKey(award.key),
          fingerprint: `${award.amount}`,
          amount: BigInt(award.amount),
          apiKeyId: "k",
        },
        AWARD_DEADLINE_MS,
      );
      if (outcome.kind === "rejected") award.answers.push({ status: 404, xp: null, replayed: false, code: outcome.code });
      else award.answers.push({ status: 200, xp: outcome.entry.xp.toString(), replayed: outcome.kind === "replayed", code: null });
      return;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      award.answers.push({ status: 503, xp: null, replayed: false, code: error.code });
      if (!retries) return;
      await new Promise((resolve) => setTimeout(resolve, chance.int(0, RETRY_MS_MAX)));
    }
  }
}
