// Decides what a commit group writes and how its awards will be answered. It reads and decides, but sends no response.
//
// Invariant: a rejection is decided on a head that was read for it, and its key was looked up after that read.
import { isForeignAwardKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import type { Outcome } from "#domain/outcome.ts";
import type { Clan } from "#domain/clan.ts";
import { decideAwards } from "#domain/decide-awards.ts";
import { NEW_HEAD, type Head } from "#domain/head.ts";
import { endsMembership } from "#domain/membership.ts";
import { RETRIES_EXPECTED_MS } from "#ledger/bounds.ts";
import type { HeadCache } from "#ledger/heads/head-cache.ts";
import type { PendingAward } from "#ledger/commit/pending-award.ts";
import { memberIdOf, type MemberId } from "#domain/member-id.ts";
import type { ClanRules, LedgerStore, Entries, Heads } from "#ledger/ports.ts";
import type { Clock } from "#kernel/clock.ts";

export type Decision = { pending: PendingAward; outcome: Outcome };

export type Plan = {
  epoch: string;
  /** To be inserted in this order; each member's entries are adjacent. */
  entries: Entry[];
  /** The head of each member after all of its entries. */
  heads: Map<MemberId, Head>;
  /**
   * Final, whatever the result of the commit: entries that exist, and rejections that do not depend on what it writes.
   */
  settled: Decision[];
  /** True once the first `needs` entries are committed. */
  decisions: (Decision & { needs: number })[];
  /** They must not be answered from this plan: a commit of them may still take effect. */
  inDoubt: PendingAward[];
  /** Their member is being erased, so nothing was decided. */
  blocked: PendingAward[];
};

/**
 * The `seq` values that were returned with the locks; null if no locks were needed. "validate" after a conflict: every
 * head must be confirmed by a read.
 */
export type Seqs = ReadonlyMap<MemberId, number> | null | "validate";

export type PlanGroup = {
  /** Throws AppError `unavailable`; any other error if stored data is invalid. */
  plan(awards: readonly PendingAward[], seqs: Seqs): Promise<Plan>;
  /** For this long, retries of existing awards are likely, so keys are looked up before they are written. */
  expectRetries(forMs: number): void;
};

type Reads = { epoch: string; clans: ReadonlyMap<string, Clan>; heads: Heads; entries: Entries };

// oxlint-disable-next-line eslint/max-lines-per-function -- the order of the reads is the invariant
export function makePlanGroup(deps: {
  store: LedgerStore;
  heads: HeadCache;
  rules: ClanRules;
  clock: Clock;
}): PlanGroup {
  const { store, heads: headCache, rules, clock } = deps;
  let retriesUntilMs = 0;

  async function plan(awards: readonly PendingAward[], seqs: Seqs): Promise<Plan> {
    const [clans, { epoch, heads, entries }] = await Promise.all([
      rules.getMany(awards.map(({ award }) => award.clanId)),
      readLedger(awards, seqs),
    ]);
    const reads: Reads = { epoch, clans, heads, entries: await withReversed(awards, entries) };
    const open = stillOpen(awards);
    const decided = decide(open, reads, clock.now());
    const rejected = open.filter((pending) => decided.get(pending)?.outcome.kind === "rejected");
    if (rejected.length === 0) return planOf(open, decided, reads);

    // All awards of these members: with the heads that are read now, other awards may be rejected, too.
    const members = new Set(rejected.map(({ member }) => member));
    const sure = await makeSure(
      open.filter(({ member }) => members.has(member)),
      reads,
    );
    // An award whose deadline has passed meanwhile must not be committed.
    const left = stillOpen(open);
    return planOf(left, decide(left, sure, clock.now()), sure);
  }

  /**
   * Awards to be reversed are read after the heads: if the member's chain has been restarted since, the award is not
   * found.
   */
  async function withReversed(awards: readonly PendingAward[], entries: Entries): Promise<Entries> {
    const reversed = awards.flatMap(({ award }) => (award.reverses ? [{ ...award, key: award.reverses.key }] : []));
    return reversed.length === 0 ? entries : merged(entries, await store.readEntries(reversed));
  }

  /** Everything is read after the epoch: data that was erased since must not be cached as data of the new epoch. */
  async function readLedger(
    awards: readonly PendingAward[],
    seqs: Seqs,
  ): Promise<Pick<Reads, "epoch" | "heads" | "entries">> {
    const epoch = await headCache.epoch();
    const members = membersOf(awards);
    // Most keys are new. An existing key makes the commit conflict and is looked up then, which saves a read for all
    // other awards.
    const retriesExpected = clock.monotonicMs() < retriesUntilMs;
    const [heads, entries] = await Promise.all([
      seqs === "validate" ? headCache.validate(members, epoch) : headCache.find(members, epoch, seqs),
      lookUp(awards.filter((pending) => (retriesExpected ? mayExist(pending) : pending.wasTried()))),
    ]);
    return { epoch, heads, entries };
  }

  /**
   * Reads the heads of awards that may be rejected first, then their keys: an entry that was written before the head
   * was read is found by its key.
   */
  async function makeSure(awards: readonly PendingAward[], reads: Reads): Promise<Reads> {
    const heads = await headCache.validate(membersOf(awards), reads.epoch);
    const existing = awards.filter(mayExist);
    const [entries, local] = await Promise.all([
      lookUp(existing),
      existing.length > 0
        ? store.readEntries(
            existing.map(({ award }) => award),
            { local: true },
          )
        : NO_ENTRIES,
    ]);
    for (const pending of existing) {
      // Written, but not yet stored by a majority: it could still be rolled back.
      if (entryOf(pending.award, local) && !entryOf(pending.award, entries)) pending.unconfirmed();
    }
    return { ...reads, heads: new Map([...reads.heads, ...heads]), entries: merged(reads.entries, entries) };
  }

  async function lookUp(awards: readonly PendingAward[]): Promise<Entries> {
    if (awards.length === 0) return NO_ENTRIES;
    const entries = await store.readEntries(awards.map(({ award }) => award));
    if (entries.size > 0) expectRetries(RETRIES_EXPECTED_MS);
    return entries;
  }

  function expectRetries(forMs: number): void {
    retriesUntilMs = Math.max(retriesUntilMs, clock.monotonicMs() + forMs);
  }

  return { plan, expectRetries };
}

const NO_ENTRIES: Entries = new Map();
const NONE: ReadonlyMap<string, Entry> = new Map();
const NOT_FOUND: Outcome = { kind: "rejected", code: "member_not_found" };

function stillOpen(awards: readonly PendingAward[]): PendingAward[] {
  return awards.filter((pending) => pending.isOpen());
}

/** An entry may already exist under this award's key. */
function mayExist(pending: PendingAward): boolean {
  return isForeignAwardKey(pending.award.key) || pending.wasTried();
}

function membersOf(awards: readonly PendingAward[]): Award[] {
  const members = new Map<MemberId, Award>();
  for (const { member, award } of awards) members.set(member, award);
  return [...members.values()];
}

function entryOf(award: Award, entries: Entries): Entry | undefined {
  return entries.get(memberIdOf(award))?.get(award.key);
}

function merged(first: Entries, second: Entries): Entries {
  const all = new Map(first);
  for (const [id, entries] of second) all.set(id, new Map([...(all.get(id) ?? []), ...entries]));
  return all;
}

/** An award's outcome, and what the group writes for its member. */
type Decided = { outcome: Outcome; head: Head; entries: readonly Entry[] };

function decide(open: readonly PendingAward[], reads: Reads, now: Date): Map<PendingAward, Decided> {
  const decided = new Map<PendingAward, Decided>();
  for (const [id, pendings] of Map.groupBy(open, ({ member }) => member)) {
    const clan = reads.clans.get(pendings[0]?.award.clanId ?? "");
    const before = reads.heads.get(id) ?? NEW_HEAD;
    // The clan was deleted: from now on nothing is stored for it.
    if (!clan) {
      for (const pending of pendings) decided.set(pending, { outcome: NOT_FOUND, head: before, entries: [] });
      continue;
    }
    const known = reads.entries.get(id) ?? NONE;
    const { outcomes, head, entries } = decideAwards({
      clan,
      head: before,
      awards: pendings.map(({ award }) => award),
      known,
      now,
    });
    pendings.forEach((pending, index) => {
      const outcome = outcomes[index];
      if (outcome) decided.set(pending, { outcome, head, entries });
    });
  }
  return decided;
}

function planOf(open: readonly PendingAward[], decided: ReadonlyMap<PendingAward, Decided>, reads: Reads): Plan {
  const plan: Plan = {
    epoch: reads.epoch,
    entries: [],
    heads: new Map(),
    settled: [],
    decisions: [],
    inDoubt: [],
    blocked: [],
  };
  /** The number of entries that must be committed before this one is. */
  const needs = new Map<Entry, number>();
  for (const pending of open) {
    const { outcome, head, entries } = decided.get(pending) ?? { outcome: NOT_FOUND, head: NEW_HEAD, entries: [] };
    const id = pending.member;
    if (reads.heads.get(id)?.erasing) {
      plan.blocked.push(pending);
      continue;
    }
    if (entries.length > 0 && !plan.heads.has(id)) {
      plan.heads.set(id, head);
      for (const entry of entries) needs.set(entry, plan.entries.push(entry));
    }
    const returned = pending.returnable(outcome);
    if (returned === null) plan.inDoubt.push(pending);
    else if (isSettled(pending.award, { outcome, entries }, reads.entries))
      plan.settled.push({ pending, outcome: returned });
    else {
      const own = outcome.kind === "rejected" ? entries.find(({ key }) => key === pending.award.key) : outcome.entry;
      plan.decisions.push({ pending, outcome: returned, needs: (own && needs.get(own)) ?? plan.entries.length });
    }
  }
  return plan;
}

/**
 * Whether the commit of this group cannot change the outcome: entries in the ledger stay, and only a removal makes a
 * member unknown.
 */
function isSettled(award: Award, { outcome, entries }: Pick<Decided, "outcome" | "entries">, known: Entries): boolean {
  if (outcome.kind === "rejected" && outcome.code === "member_not_found") return !entries.some(endsMembership);
  return outcome.kind !== "applied" && entryOf(award, known) !== undefined;
}
