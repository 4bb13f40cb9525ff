// One flight: read what the awards need, decide, commit; after conflicts again, then in halves, so that one bad award fails alone.
//
// Invariant: an award is answered only from a commit that is known to have happened, from an entry read with majority concern, or
// from a decision that writes nothing.
import { AppError } from "#domain/app-error.ts";
import { isForeignAwardKey } from "#domain/award-key.ts";
import type { Award, Entry, Outcome } from "#domain/award.ts";
import { decideAwards } from "#domain/decide-awards.ts";
import { NEW_HEAD, type Head } from "#domain/member.ts";
import type { Clan } from "#domain/clan.ts";
import { ANSWERS_PER_TURN, AWARD_DEADLINE_MS, CONFLICT_PAUSE_MS, GROUP_TRIES_MAX, REPEATS_EXPECTED_MS } from "#usecases/bounds.ts";
import type { ClanRules } from "#usecases/clan-rules.ts";
import {
  memberIdOf,
  type AwardStore,
  type Clock,
  type Log,
  type MemberCommit,
  type MemberId,
  type Meter,
  type Tracer,
  type TraceStep,
} from "#usecases/ports.ts";

/** An award under way, and the caller who waits for it. */
export type Passenger = {
  readonly award: Award;
  /** What its caller waits in, for traces. */
  readonly step: TraceStep | null;
  /** A commit of it is under way. */
  committing: boolean;
  /** A commit of it ended without telling its result. Once true it stays: that commit may still happen. */
  doubt: boolean;
  /** Its entries in commits that told no result. One that turns up in the ledger is its own doing, not a repeat. */
  untold: readonly Entry[];
  /** What kept MongoDB from answering, if that was the last thing that happened to it. */
  trouble: unknown;
  answered(): boolean;
  resolve(outcome: Outcome): void;
  reject(error: AppError): void;
};

export type Heads = ReadonlyMap<MemberId, Head>;
type Entries = ReadonlyMap<MemberId, ReadonlyMap<string, Entry>>;
type Facts = { clans: ReadonlyMap<string, Clan>; heads: Heads; entries: Entries };
type Answer = { passenger: Passenger; outcome: Outcome };
type Plan = { commits: MemberCommit[]; answers: Answer[] };

/** Settles a flight's awards, at first with `heads` as they were read ahead; returns those that must fly again, in order. Never throws. */
export type CommitFlight = (passengers: readonly Passenger[], heads?: Promise<Heads>) => Promise<Passenger[]>;

export function makeCommitFlight(world: {
  store: AwardStore;
  rules: ClanRules;
  clock: Clock;
  random: () => number;
  meter: Meter;
  tracer?: Tracer | null;
  log: Log;
}): CommitFlight {
  const { store, rules, clock, random, meter, tracer = null, log } = world;
  // Awards whose commit was tried before: their entries may stand although nobody else knows their keys.
  const tried = new WeakSet<Passenger>();
  let repeatsUntilMs = 0;

  async function commitFlight(passengers: readonly Passenger[], heads?: Promise<Heads>): Promise<Passenger[]> {
    let open = stillOpen(passengers);
    let refused = false;
    for (let tries = 0; tries < GROUP_TRIES_MAX; tries += 1) {
      if (tries > 0) await pause(CONFLICT_PAUSE_MS * tries * random());
      open = stillOpen(open);
      const [lone, another] = open;
      if (!lone) return [];

      const ahead = tries === 0 ? heads : undefined;
      const result = await tryOnce(open, ahead);
      if (result.kind === "committed") return [];
      if (result.kind === "unavailable") return open;
      refused = result.kind === "refused";
      // What was read ahead holds heads also of members that were refused their lock: they may be what cannot be read.
      if (refused && ahead) continue;
      if (refused && !another) return refuse(lone, result.cause);
      if (refused) break;
    }
    // Halves of one member's line would only clash again; but what the store refuses is one award, whoever's it is.
    if (!refused && isOneMember(open)) return open;
    const middle = Math.ceil(open.length / 2);
    const first = await commitFlight(open.slice(0, middle));
    // A member's awards keep their order: what follows an unsettled one waits with it.
    const held = new Set(first.map((passenger) => memberIdOf(passenger.award)));
    const [behind, free] = partition(open.slice(middle), (passenger) => held.has(memberIdOf(passenger.award)));
    return [...first, ...behind, ...(await commitFlight(free))];
  }

  async function tryOnce(open: readonly Passenger[], ahead?: Promise<Heads>): Promise<Awaited<ReturnType<AwardStore["commit"]>>> {
    let plan: Plan;
    try {
      plan = await readAndDecide(open, ahead);
    } catch (error) {
      // A document that says nothing: one member's or one clan's, and no reason to keep the others waiting.
      if (!(error instanceof AppError)) return { kind: "refused", cause: error };
      for (const passenger of open) passenger.trouble = error;
      return { kind: "unavailable", cause: error };
    }
    if (plan.commits.length > 0) {
      // From here on a deadline can only say "unknown".
      for (const { passenger } of plan.answers) {
        passenger.committing = true;
        tried.add(passenger);
      }
      const beganAtMs = clock.monotonicMs();
      const result = await (tracer ? tracer.commit(() => store.commit(plan.commits)) : store.commit(plan.commits));
      meter.commit(result.kind, (clock.monotonicMs() - beganAtMs) / 1_000);
      // Told "unknown" meanwhile, their callers ask again: without a look their flight would clash, which doubles the time that made them late.
      if (plan.answers.some(({ passenger }) => passenger.answered())) expectRepeats(AWARD_DEADLINE_MS);
      if (result.kind !== "committed") {
        for (const { passenger, outcome } of plan.answers) {
          passenger.committing = false;
          passenger.doubt ||= result.kind === "unknown";
          if (result.kind === "unknown" && outcome.kind === "applied") passenger.untold = [...passenger.untold, outcome.entry];
          passenger.trouble = result.kind === "unavailable" || result.kind === "unknown" ? result.cause : null;
        }
        log.debug({ kind: result.kind, awards: open.length, err: result.cause }, "flight.not_committed");
        return result;
      }
    }
    settle(plan.answers);
    return { kind: "committed" };
  }

  function settle(answers: readonly Answer[]): void {
    meter.settled(answers);
    answerSome(answers);
  }

  /** What to commit and whom to answer then. Answers repeats already: their entries stand, whatever becomes of the commit. */
  async function readAndDecide(open: readonly Passenger[], ahead?: Promise<Heads>): Promise<Plan> {
    // A caller's key is new, mostly. One that is not makes the commit clash, and is looked up then: that spares all others a read.
    const repeatsExpected = clock.monotonicMs() < repeatsUntilMs;
    const looked = new Set(open.filter((passenger) => (repeatsExpected ? canStand(passenger) : tried.has(passenger))));
    const awards = open.map((passenger) => passenger.award);
    const [clans, heads, entries] = await Promise.all([
      rules.getMany(awards.map((award) => award.clanId)),
      ahead ?? store.readHeads(awards),
      lookUp([...looked]),
    ]);
    const facts: Facts = { clans, heads, entries };
    let plan = decide(stillOpen(open), facts, clock.now());
    // A refusal writes nothing that could clash.
    if (plan.answers.some(({ passenger, outcome }) => outcome.kind === "rejected" && canStand(passenger) && !looked.has(passenger))) {
      facts.entries = await lookUp(open.filter(canStand));
      plan = decide(stillOpen(open), facts, clock.now());
    }
    const isRepeat = ({ passenger: { award }, outcome }: Answer): boolean =>
      outcome.kind === "replayed" && facts.entries.get(memberIdOf(award))?.get(award.key) === outcome.entry;
    const [repeats, answers] = partition(plan.answers, isRepeat);
    settle(repeats.map(orOwn));
    return { commits: plan.commits, answers: answers.filter((answer) => !isDoubtful(answer)) };
  }

  /** An entry may stand under this award's key already. */
  function canStand(passenger: Passenger): boolean {
    return isForeignAwardKey(passenger.award.key) || tried.has(passenger);
  }

  async function lookUp(passengers: readonly Passenger[]): Promise<Entries> {
    const entries = await store.readEntries(passengers.map((passenger) => passenger.award));
    if (entries.size > 0) expectRepeats(REPEATS_EXPECTED_MS);
    return entries;
  }

  function expectRepeats(forMs: number): void {
    repeatsUntilMs = Math.max(repeatsUntilMs, clock.monotonicMs() + forMs);
  }

  /** Once alone. Returns it where an earlier commit of it may still happen: only its deadline can say that nobody knows. */
  function refuse(passenger: Passenger, cause: unknown): Passenger[] {
    if (passenger.doubt) {
      passenger.trouble = cause;
      return [passenger];
    }
    log.error({ err: cause, member: memberIdOf(passenger.award) }, "award.refused_by_store");
    passenger.reject(new AppError("internal", "The award could not be stored. Nothing was applied.", { cause }));
    return [];
  }

  return commitFlight;
}

function decide(open: readonly Passenger[], facts: Facts, now: Date): Plan {
  const plan: Plan = { commits: [], answers: [] };
  for (const [id, passengers] of Map.groupBy(open, (passenger) => memberIdOf(passenger.award))) {
    const [first] = passengers;
    if (!first) continue;
    const { clanId, platformId } = first.award;
    const clan = facts.clans.get(clanId);
    if (!clan) {
      // Clans are never deleted; one that is missing was removed by hand, and nothing can be kept for it.
      for (const passenger of passengers) plan.answers.push({ passenger, outcome: { kind: "rejected", code: "member_not_found" } });
      continue;
    }
    const before = facts.heads.get(id) ?? null;
    const known = facts.entries.get(id) ?? new Map<string, Entry>();
    const awards = passengers.map((passenger) => passenger.award);
    const decision = decideAwards({ clan, head: before ?? NEW_HEAD, awards, known, now });
    if (decision.entries.length > 0) {
      plan.commits.push({ clanId, platformId, before, after: decision.head, entries: decision.entries });
    }
    passengers.forEach((passenger, index) => {
      const outcome = decision.outcomes[index];
      if (outcome) plan.answers.push({ passenger, outcome });
    });
  }
  return plan;
}

/** Not a member now, but a commit of it may still happen: no refusal is true, and its deadline says that nobody knows. */
function isDoubtful({ passenger, outcome }: Answer): boolean {
  return passenger.doubt && outcome.kind === "rejected" && outcome.code === "member_not_found";
}

/**
 * A repeat, unless the entry is what the award itself wrote in a commit that told no result. Should two processes have decided it on the
 * same head in the same millisecond, and neither was told, both call it theirs: it counts once all the same.
 */
function orOwn({ passenger, outcome }: Answer): Answer {
  if (outcome.kind !== "replayed") return { passenger, outcome };
  const { entry } = outcome;
  const isOwn = passenger.untold.some(({ seq, at }) => seq === entry.seq && at.getTime() === entry.at.getTime());
  return { passenger, outcome: isOwn ? { kind: "applied", entry } : outcome };
}

/** Some in each turn of the event loop: what MongoDB replies to the next flight is not to wait until hundreds of answers are written. */
function answerSome(answers: readonly Answer[], from = 0): void {
  const to = from + ANSWERS_PER_TURN;
  for (const { passenger, outcome } of answers.slice(from, to)) passenger.resolve(outcome);
  if (to < answers.length) setImmediate(answerSome, answers, to);
}

function stillOpen(passengers: readonly Passenger[]): Passenger[] {
  return passengers.filter((passenger) => !passenger.answered());
}

function isOneMember(passengers: readonly Passenger[]): boolean {
  const [first] = passengers;
  return !first || passengers.every((passenger) => memberIdOf(passenger.award) === memberIdOf(first.award));
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  const first: T[] = [];
  const second: T[] = [];
  for (const item of items) (isFirst(item) ? first : second).push(item);
  return [first, second];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
