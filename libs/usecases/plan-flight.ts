// What a flight is to write, and what its awards are to be told: reads, decides, answers nobody.
import { isForeignAwardKey } from "#domain/award-key.ts";
import type { Award, Entry, Outcome } from "#domain/award.ts";
import type { Clan } from "#domain/clan.ts";
import { decideAwards } from "#domain/decide-awards.ts";
import { NEW_HEAD, type Head } from "#domain/member.ts";
import { REPEATS_EXPECTED_MS } from "#usecases/bounds.ts";
import type { ClanRules } from "#usecases/clan-rules.ts";
import type { PendingAward } from "#usecases/pending-award.ts";
import { memberIdOf, type AwardStore, type Clock, type MemberCommit, type MemberId } from "#usecases/ports.ts";

export type Heads = ReadonlyMap<MemberId, Head>;
export type Answer = { pending: PendingAward; outcome: Outcome };
export type Plan = {
  commits: MemberCommit[];
  /** True already, whatever becomes of the commit: entries that exist, and rejections that depend on nothing it writes. */
  settled: Answer[];
  /** True once the commit has succeeded. */
  answers: Answer[];
  /** Nothing that was decided may be told them: an earlier commit of them may still take effect. */
  inDoubt: PendingAward[];
};

type Entries = ReadonlyMap<MemberId, ReadonlyMap<string, Entry>>;
type Facts = { clans: ReadonlyMap<string, Clan>; heads: Heads; entries: Entries };

export type PlanFlight = {
  /** `ahead`: heads that were read already. Throws AppError `unavailable`; anything else where what was read makes no sense. */
  plan(awards: readonly PendingAward[], ahead?: Promise<Heads>): Promise<Plan>;
  /** Retries of awards that exist are likely for so long: keys are looked up before they are written. */
  expectRepeats(forMs: number): void;
};

export function makePlanFlight(world: { store: AwardStore; rules: ClanRules; clock: Clock }): PlanFlight {
  const { store, rules, clock } = world;
  let repeatsUntilMs = 0;

  async function plan(open: readonly PendingAward[], ahead?: Promise<Heads>): Promise<Plan> {
    // A caller's key is new, mostly. One that is not makes the commit conflict, and is looked up then: that spares all others a read.
    const repeatsExpected = clock.monotonicMs() < repeatsUntilMs;
    const looked = new Set(open.filter((pending) => (repeatsExpected ? mayExist(pending) : pending.wasTried())));
    const awards = open.map((pending) => pending.award);
    const [clans, heads, entries] = await Promise.all([
      rules.getMany(awards.map((award) => award.clanId)),
      ahead ?? store.readHeads(awards),
      lookUp([...looked]),
    ]);
    const facts: Facts = { clans, heads, entries };
    const decided = decide(open, facts, clock.now());
    // A rejection writes nothing that could conflict: its key is looked up first.
    const isUnsure = ({ pending, outcome }: Answer): boolean => outcome.kind === "rejected" && mayExist(pending) && !looked.has(pending);
    if (!decided.some(({ answers }) => answers.some(isUnsure))) return planOf(decided, facts.entries);

    facts.entries = await lookUp(open.filter(mayExist));
    return planOf(decide(open, facts, clock.now()), facts.entries);
  }

  async function lookUp(awards: readonly PendingAward[]): Promise<Entries> {
    const entries = await store.readEntries(awards.map((pending) => pending.award));
    if (entries.size > 0) expectRepeats(REPEATS_EXPECTED_MS);
    return entries;
  }

  function expectRepeats(forMs: number): void {
    repeatsUntilMs = Math.max(repeatsUntilMs, clock.monotonicMs() + forMs);
  }

  return { plan, expectRepeats };
}

/** An entry may exist under this award's key already. */
function mayExist(pending: PendingAward): boolean {
  return isForeignAwardKey(pending.award.key) || pending.wasTried();
}

/** One member's part. */
type Decided = { commit: MemberCommit | null; answers: Answer[] };

function decide(awards: readonly PendingAward[], facts: Facts, now: Date): Decided[] {
  const open = awards.filter((pending) => pending.isOpen());
  return [...Map.groupBy(open, (pending) => memberIdOf(pending.award))].map(([id, pendings]) => decideMember(id, pendings, facts, now));
}

function decideMember(id: MemberId, pendings: readonly PendingAward[], facts: Facts, now: Date): Decided {
  const awards = pendings.map((pending) => pending.award);
  const clan = facts.clans.get(awards[0]?.clanId ?? "");
  // Clans are never deleted; one that is missing was removed manually, and nothing can be stored for it.
  if (!clan) return { commit: null, answers: pendings.map((pending) => ({ pending, outcome: NOT_FOUND })) };

  const before = facts.heads.get(id) ?? null;
  const known = facts.entries.get(id) ?? new Map<string, Entry>();
  const { head, entries, outcomes } = decideAwards({ clan, head: before ?? NEW_HEAD, awards, known, now });
  const answers = pendings.flatMap((pending, index): Answer[] => {
    const outcome = outcomes[index];
    return outcome ? [{ pending, outcome }] : [];
  });
  const [first] = entries;
  if (!first) return { commit: null, answers };
  return { commit: { clanId: first.clanId, platformId: first.platformId, before, after: head, entries }, answers };
}

const NOT_FOUND: Outcome = { kind: "rejected", code: "member_not_found" };

function planOf(decided: readonly Decided[], entries: Entries): Plan {
  const plan: Plan = { commits: [], settled: [], answers: [], inDoubt: [] };
  for (const { commit, answers } of decided) {
    if (commit) plan.commits.push(commit);
    for (const { pending, outcome } of answers) {
      const told = pending.tellable(outcome);
      if (told === null) plan.inDoubt.push(pending);
      else (isSettled(pending.award, outcome, entries) ? plan.settled : plan.answers).push({ pending, outcome: told });
    }
  }
  return plan;
}

/** What a commit of this flight cannot change: nothing in it ends a membership, and what is in the ledger stays there. */
function isSettled(award: Award, outcome: Outcome, entries: Entries): boolean {
  if (outcome.kind === "rejected" && outcome.code === "member_not_found") return true;
  return outcome.kind !== "applied" && entries.get(memberIdOf(award))?.has(award.key) === true;
}
