// One flight: plan, commit, answer; after conflicts again, then in halves, so that one bad award fails alone.
//
// Invariant: an award is answered only from a commit that is known to have happened, from an entry read with majority concern, or
// from a decision that writes nothing.
import { AppError } from "#domain/app-error.ts";
import { ANSWERS_PER_TURN, AWARD_DEADLINE_MS, CONFLICT_PAUSE_MS, GROUP_TRIES_MAX } from "#usecases/bounds.ts";
import type { ClanRules } from "#usecases/clan-rules.ts";
import type { PendingAward } from "#usecases/pending-award.ts";
import { makePlanFlight, type Answer, type Heads, type Plan } from "#usecases/plan-flight.ts";
import { memberIdOf, type AwardStore, type Clock, type CommitResult, type Log, type Meter, type Tracer } from "#usecases/ports.ts";

/** Settles a flight's awards, at first with `ahead`, heads that were read already; returns those to be queued again, in order. Never throws. */
export type CommitFlight = (awards: readonly PendingAward[], ahead?: Promise<Heads>) => Promise<PendingAward[]>;

export function makeCommitFlight(world: {
  store: AwardStore;
  rules: ClanRules;
  clock: Clock;
  random: () => number;
  meter: Meter;
  tracer?: Tracer | null;
  log: Log;
}): CommitFlight {
  const { store, clock, random, meter, tracer = null, log } = world;
  const { plan: planFlight, expectRepeats } = makePlanFlight(world);

  async function commitFlight(awards: readonly PendingAward[], ahead?: Promise<Heads>): Promise<PendingAward[]> {
    let open = stillOpen(awards);
    let refused = false;
    for (let tries = 0; tries < GROUP_TRIES_MAX; tries += 1) {
      if (tries > 0) await pause(CONFLICT_PAUSE_MS * tries * random());
      open = stillOpen(open);
      const [lone, another] = open;
      if (!lone) return [];

      const readAhead = tries === 0 ? ahead : undefined;
      const { inDoubt, ...result } = await tryOnce(open, readAhead);
      if (result.kind === "committed") return inDoubt;
      if (result.kind === "unavailable") return open;
      refused = result.kind === "refused";
      // What was read ahead holds heads also of members that were refused their lock: they may be what cannot be read.
      if (refused && readAhead) continue;
      if (refused && !another) return refuse(lone, result.cause);
      if (refused) break;
    }
    // Halves of one member's awards would only conflict again; but what the store refuses is one award, whoever's it is.
    if (!refused && isOneMember(open)) return open;
    return await inHalves(open);
  }

  async function inHalves(open: readonly PendingAward[]): Promise<PendingAward[]> {
    const middle = Math.ceil(open.length / 2);
    const first = await commitFlight(open.slice(0, middle));
    // A member's awards keep their order: what follows an unsettled one waits with it.
    const held = new Set(first.map((pending) => memberIdOf(pending.award)));
    const isHeld = (pending: PendingAward): boolean => held.has(memberIdOf(pending.award));
    const second = open.slice(middle);
    const free = await commitFlight(second.filter((pending) => !isHeld(pending)));
    return [...first, ...second.filter(isHeld), ...free];
  }

  async function tryOnce(open: readonly PendingAward[], ahead?: Promise<Heads>): Promise<Try> {
    let plan: Plan;
    try {
      plan = await planFlight(open, ahead);
    } catch (error) {
      // A document that makes no sense: one member's or one clan's, and no reason to keep the others waiting.
      if (!(error instanceof AppError)) return { kind: "refused", cause: error, inDoubt: [] };
      for (const pending of open) pending.delayed(error);
      return { kind: "unavailable", cause: error, inDoubt: [] };
    }
    settle(plan.settled);
    if (plan.commits.length === 0) return { kind: "committed", inDoubt: plan.inDoubt };

    for (const { pending } of plan.answers) pending.began();
    const beganAtMs = clock.monotonicMs();
    const result = await (tracer ? tracer.commit(() => store.commit(plan.commits)) : store.commit(plan.commits));
    meter.commit(result.kind, (clock.monotonicMs() - beganAtMs) / 1_000);
    // Answered "unknown" meanwhile, their callers retry: without a look-up their flight would conflict, which doubles the time that made them late.
    if (plan.answers.some(({ pending }) => !pending.isOpen())) expectRepeats(AWARD_DEADLINE_MS);
    if (result.kind === "committed") settle(plan.answers);
    else {
      noteFailure(plan.answers, result);
      log.debug({ kind: result.kind, awards: open.length, err: result.cause }, "flight.not_committed");
    }
    return { ...result, inDoubt: plan.inDoubt };
  }

  function settle(answers: readonly Answer[]): void {
    meter.settled(answers);
    answerSome(answers);
  }

  /** Once alone. Returns it where an earlier commit of it may still take effect: only its deadline can say that nobody knows. */
  function refuse(pending: PendingAward, cause: unknown): PendingAward[] {
    if (!pending.refuse(cause)) return [pending];
    log.error({ err: cause, member: memberIdOf(pending.award) }, "award.refused_by_store");
    return [];
  }

  return commitFlight;
}

/** `inDoubt`: awards that the commit did not carry, and that cannot be answered. */
type Try = CommitResult & { inDoubt: PendingAward[] };

function noteFailure(answers: readonly Answer[], { kind, cause }: Exclude<CommitResult, { kind: "committed" }>): void {
  for (const { pending, outcome } of answers) {
    if (kind === "unknown") pending.unknown(outcome.kind === "applied" ? outcome.entry : null, cause);
    else pending.absent(kind === "unavailable" ? cause : null);
  }
}

/** Some in each turn of the event loop: what MongoDB replies to the next flight is not to wait until hundreds of answers are written. */
function answerSome(answers: readonly Answer[], from = 0): void {
  const to = from + ANSWERS_PER_TURN;
  for (const { pending, outcome } of answers.slice(from, to)) pending.answer(outcome);
  if (to < answers.length) setImmediate(answerSome, answers, to);
}

function stillOpen(awards: readonly PendingAward[]): PendingAward[] {
  return awards.filter((pending) => pending.isOpen());
}

function isOneMember(awards: readonly PendingAward[]): boolean {
  const [first] = awards;
  return !first || awards.every((pending) => memberIdOf(pending.award) === memberIdOf(first.award));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
