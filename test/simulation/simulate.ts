// One seeded history: several processes' committers on one store, each with its own troubles, callers that retry until they know.
// Time is virtual, so an hour of faults takes milliseconds.
import { AppError } from "#domain/app-error.ts";
import { XP_MAX } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import type { ErrorCode } from "#domain/error-code.ts";
import { makeTally } from "#runtime/tally.ts";
import { problems } from "#contract/problem.ts";
import { makeApplyAwards, type ApplyAwards } from "#usecases/apply-awards.ts";
import { makeAwardCommitter, type AwardCommitter } from "#usecases/award-committer.ts";
import { AWARD_DEADLINE_MS } from "#usecases/bounds.ts";
import { makeReadCallerAward, type CallerAward } from "#usecases/caller-award.ts";
import { makeClanRules } from "#usecases/clan-rules.ts";
import { makeFindReplays } from "#usecases/find-replays.ts";
import type { Principal } from "#usecases/key.ts";
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
/** Callers that send several awards in each call. */
const QUEUES = 3;
const AWARDS_PER_CALL = 5;
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

/** Whoever calls: everybody may do everything here. */
const principal: Principal = {
  keyId: "k",
  clanId: clan.clanId,
  scopes: ["award", "deduct"],
  limits: { requestsPerSecond: null, awardsPerSecond: null },
};
const readCallerAward = makeReadCallerAward({ digest: (text) => text, ids: { award: () => "none" } });

/** An API process as its callers know it: for one award, and for several. */
type Process = { committer: AwardCommitter; applyAwards: ApplyAwards };

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
  const processes = Array.from({ length: PROCESSES }, (): Process => {
    const troubled = makeTroubledStore(store, trouble, chance);
    const rules = makeClanRules({ store: { read: async () => new Map([[clan.clanId, { ...clan, autoClan: isAuto() }]]) }, clock });
    const meter = makeTally();
    const makesWay = (): boolean => chance.next() < 0.2;
    const committer = makeAwardCommitter({
      store: troubled,
      lock: makeLyingLock(chance),
      rules,
      clock,
      random: chance.next,
      makesWay,
      meter,
      log: silent,
    });
    const findReplays = makeFindReplays(troubled);
    return { committer, applyAwards: makeApplyAwards({ committer, findReplays, claimRightOfWay() {}, rules, readCallerAward, meter }) };
  });

  const sent: SentAward[] = [];
  const calls = [
    ...Array.from({ length: CALLERS }, (_, caller) => call(caller, processes, sent, chance)),
    ...Array.from({ length: QUEUES }, (_, queue) => callWithMany(queue, processes, sent, chance)),
  ];
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
async function call(caller: number, processes: readonly Process[], sent: SentAward[], chance: Chance): Promise<void> {
  for (let index = 0; index < AWARDS_PER_CALLER; index += 1) {
    const award = newAward(`${caller}-${index}`, chance);
    sent.push(award);
    const twins = chance.hits(0.3) ? 2 : 1;
    // Some give up at the first refusal: whoever was told "not applied" must be right for ever.
    const retries = chance.hits(0.7);
    await Promise.all(Array.from({ length: twins }, () => send(award, processes, chance, retries)));
  }
}

/** Sends several awards in a call, some of them also alone at the same time, and those that failed again in a call of what is left. */
async function callWithMany(queue: number, processes: readonly Process[], sent: SentAward[], chance: Chance): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    const awards = Array.from({ length: AWARDS_PER_CALL }, (_, index) => newAward(`queue-${queue}-${round}-${index}`, chance));
    sent.push(...awards);
    const alone = awards.filter(() => chance.hits(0.2)).map((award) => send(award, processes, chance, true));
    for (let open: readonly SentAward[] = awards; open.length > 0;) {
      open = await sendCall(open, processes, chance);
      if (open.length > 0) await pauseOf(chance);
    }
    await Promise.all(alone);
  }
}

function newAward(key: string, chance: Chance): SentAward {
  return { platformId: `m${chance.int(1, MEMBERS)}`, key, amount: chance.int(-10, 40), answers: [] };
}

const asCalled = ({ platformId, key, amount }: SentAward): CallerAward => ({ platformId, amount, idempotencyKey: key });
const refused = (award: SentAward, code: ErrorCode): void =>
  void award.answers.push({ status: problems[code].status, xp: null, replayed: false, code });
const acknowledged = (award: SentAward, kind: "applied" | "replayed", entry: Entry): void =>
  void award.answers.push({ status: 200, xp: entry.xp.toString(), replayed: kind === "replayed", code: null });
const pauseOf = (chance: Chance): Promise<void> => new Promise((resolve) => setTimeout(resolve, chance.int(0, RETRY_MS_MAX)));

async function send(award: SentAward, processes: readonly Process[], chance: Chance, retries: boolean): Promise<void> {
  for (;;) {
    try {
      const outcome = await chance.pick(processes).committer.submit(readCallerAward(asCalled(award), principal), AWARD_DEADLINE_MS);
      if (outcome.kind === "rejected") refused(award, outcome.code);
      else acknowledged(award, outcome.kind, outcome.entry);
      return;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused(award, error.code);
      if (!retries) return;
      await pauseOf(chance);
    }
  }
}

/** Notes an answer for each award; returns those that are to be sent again. */
async function sendCall(awards: readonly SentAward[], processes: readonly Process[], chance: Chance): Promise<readonly SentAward[]> {
  const request = { principal, awards: awards.map(asCalled), spendAwards: async () => {} };
  try {
    const results = await chance.pick(processes).applyAwards(request);
    return awards.filter((award, index) => {
      const result = results[index];
      if (result && "entry" in result) acknowledged(award, result.kind, result.entry);
      else if (result && "code" in result) refused(award, result.code);
      return result?.kind === "failed";
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Every one failed: of the others the first one's code says nothing.
    for (const [index, award] of awards.entries()) refused(award, index === 0 ? error.code : "outcome_unknown");
    return awards;
  }
}
