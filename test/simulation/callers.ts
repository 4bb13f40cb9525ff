// The callers of a simulated service: with one award at a time, or with several in a call; each retries until it knows.
import { KEY_LIMITS_DEFAULT } from "#domain/key-limits.ts";
import { problems } from "#contract/problem.ts";
import { AppError } from "#kernel/app-error.ts";
import { callerAwardKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import type { Clan } from "#domain/clan.ts";
import type { ErrorCode } from "#kernel/error-code.ts";
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import type { ApplyAwards } from "#awards/apply-awards.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { makeReadCallerAward, type CallerAward } from "#awards/caller-award.ts";
import type { Principal } from "#domain/key.ts";
import type { SeenAnswer, SentAward } from "../support/oracle.ts";
import type { Chance } from "../support/chance.ts";

/**
 * What a caller remembers, when it asked first, and when it asked what was answered last: of two who ask at the same
 * time, the first may be answered last.
 */
export type SimulatedAward = SentAward & { firstSentAtMs: number; lastSentAtMs: number; does: Deed };

/** What operators do beside callers' awards; null: an award of XP. */
type Deed = Pick<Award, "kind" | "ends" | "appoints"> | null;
const DEEDS: readonly Deed[] = [
  { kind: "membership" },
  { kind: "membership", ends: true },
  { kind: "appointment", appoints: "Chief" },
];

/** A process as its callers know it. */
export type Service = { committer: Pick<Ledger, "submit">; applyAwards: ApplyAwards; killed: Promise<void> };

/** `paceMs`: how long they wait at most before their next award. */
export type Callers = {
  chance: Chance;
  isCalm: boolean;
  members: number;
  services: readonly Service[];
  sent: SimulatedAward[];
  clan: Clan;
  paceMs: number;
};

const AWARDS_PER_CALLER = 6;
const AWARDS_PER_CALL = 6;
const CALLS_PER_QUEUE = 2;
const RETRY_MS_MAX = 3_000;
/** More than any history needs: an award that is never settled would be retried for ever. */
const TRIES_MAX = 200;

export const readCallerAward = makeReadCallerAward({ digest: (text) => text, ids: { award: () => "none" } });

/** Everybody may do everything here. */
const principalOf = ({ clanId }: Clan): Principal => ({
  keyId: "k",
  clanId,
  scopes: ["award", "deduct"],
  limits: { ...KEY_LIMITS_DEFAULT, requestsPerSecond: null, awardsPerSecond: null },
});

/**
 * Sends some awards one after the other, sometimes one to two processes at the same time, and most of them until the
 * answer is definite.
 */
export async function call(caller: number, callers: Callers): Promise<void> {
  const { chance, isCalm, sent, paceMs } = callers;
  for (let index = 0; index < AWARDS_PER_CALLER; index += 1) {
    if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, chance.int(0, paceMs)));
    const award = newAward(`${caller}-${index}`, callers, chance.hits(0.08) ? chance.pick(DEEDS) : null);
    sent.push(award);
    const twins = !isCalm && chance.hits(0.3) ? 2 : 1;
    // Some stop at the first rejection: an answer "not applied" must stay true.
    const retries = chance.hits(0.7);
    await Promise.all(Array.from({ length: twins }, () => send(award, callers, retries)));
  }
}

/**
 * Sends several awards in a call, some of them also alone at the same time, and those that failed again in a call of
 * what is left.
 */
export async function callWithMany(queue: number, callers: Callers): Promise<void> {
  const { chance, isCalm, sent } = callers;
  for (let round = 0; round < CALLS_PER_QUEUE; round += 1) {
    const awards = Array.from({ length: AWARDS_PER_CALL }, (_, index) =>
      newAward(`queue-${queue}-${round}-${index}`, callers, null),
    );
    sent.push(...awards);
    const alone = awards.filter(() => !isCalm && chance.hits(0.2)).map((award) => send(award, callers, true));
    let open: readonly SimulatedAward[] = awards;
    for (let tries = 0; open.length > 0; tries += 1) {
      if (tries > TRIES_MAX) throw new Error(`queue-${queue} is never settled`);
      open = await sendCall(open, callers);
      if (open.length > 0) await pause(callers);
    }
    await Promise.all(alone);
  }
}

function newAward(key: string, { chance, members }: Callers, does: Deed): SimulatedAward {
  const amount = does ? 0 : chance.int(-10, 40);
  return {
    platformId: `m${chance.int(1, members)}`,
    key,
    amount,
    does,
    answers: [],
    firstSentAtMs: Date.now(),
    lastSentAtMs: 0,
  };
}

const asCalled = ({ platformId, key, amount }: SimulatedAward): CallerAward => ({
  platformId,
  amount,
  idempotencyKey: key,
});
function note(award: SimulatedAward, sentAtMs: number, answer: SeenAnswer): void {
  award.answers.push(answer);
  award.lastSentAtMs = sentAtMs;
}
const rejection = (code: ErrorCode): SeenAnswer => ({ status: problems[code].status, xp: null, replayed: false, code });
const BROKEN: SeenAnswer = { status: 0, xp: null, replayed: false, code: null };
const acknowledgement = (kind: "applied" | "replayed", entry: Entry): SeenAnswer => ({
  status: 200,
  xp: entry.xp.toString(),
  replayed: kind === "replayed",
  code: null,
});
const pause = ({ chance }: Callers): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, chance.pick([chance.int(0, RETRY_MS_MAX), 5])));

/** An operator's change has a key as well, so that it differs from its twin. */
function changeOf(award: SimulatedAward, clan: Clan) {
  const { clanId } = clan;
  const { platformId, key, does } = award;
  if (!does) return readCallerAward(asCalled(award), principalOf(clan));
  return { ...does, clanId, platformId, key: callerAwardKey(key), fingerprint: "", amount: 0n, apiKeyId: "k" };
}

async function send(award: SimulatedAward, callers: Callers, retries: boolean): Promise<void> {
  const { chance, services, clan } = callers;
  for (let tries = 0; ; tries += 1) {
    if (tries > TRIES_MAX) throw new Error(`${award.key} is never settled`);
    const { committer, killed } = chance.pick(services);
    const sentAtMs = Date.now();
    try {
      const submitted = committer.submit(changeOf(award, clan), AWARD_DEADLINE_MS);
      submitted.catch(() => {});
      const outcome = await Promise.race([submitted, killed]);
      if (outcome) {
        const { kind } = outcome;
        const answer = kind === "rejected" ? rejection(outcome.code) : acknowledgement(kind, outcome.entry);
        return note(award, sentAtMs, answer);
      }
      note(award, sentAtMs, BROKEN);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      note(award, sentAtMs, rejection(error.code));
    }
    if (!retries) return;
    await pause(callers);
  }
}

/** Notes an answer for each award; returns those that are to be sent again. */
async function sendCall(awards: readonly SimulatedAward[], callers: Callers): Promise<readonly SimulatedAward[]> {
  const { chance, services, clan } = callers;
  const { applyAwards, killed } = chance.pick(services);
  const sentAtMs = Date.now();
  try {
    const called = applyAwards({
      principal: principalOf(clan),
      awards: awards.map(asCalled),
      spendAwards: async () => {},
    });
    called.catch(() => {});
    const results = await Promise.race([called, killed]);
    if (!results) {
      for (const award of awards) note(award, sentAtMs, BROKEN);
      return awards;
    }
    return awards.filter((award, index) => {
      const result = results[index];
      if (result && "entry" in result) note(award, sentAtMs, acknowledgement(result.kind, result.entry));
      else if (result) note(award, sentAtMs, rejection(result.code));
      return result?.kind === "failed";
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Every one failed: of the others the first one's code says nothing.
    for (const [index, award] of awards.entries()) {
      note(award, sentAtMs, rejection(index === 0 ? error.code : "outcome_unknown"));
    }
    return awards;
  }
}
