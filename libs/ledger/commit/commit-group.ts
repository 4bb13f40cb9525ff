// One commit group: plan, commit, respond. After a conflict, the remaining awards are planned and committed again. An
// award that the store rejects fails alone.
//
// Invariant: an award is answered only from an entry that a majority is known to have stored, or from a decision that
// writes nothing.
import { pause } from "#async/pause.ts";
import { AppError } from "#kernel/app-error.ts";
import type { Entry } from "#domain/entry.ts";
import { headAfter, type Head } from "#domain/head.ts";
import { OUTCOMES_PER_TURN, AWARD_DEADLINE_MS, CONFLICT_PAUSE_MS, CONFLICTS_PER_GROUP_MAX } from "#ledger/bounds.ts";
import type { Contention } from "#ledger/heads/contended-lock.ts";
import type { HeadCache } from "#ledger/heads/head-cache.ts";
import type { PendingAward } from "#ledger/commit/pending-award.ts";
import { makePlanGroup, type Decision, type Plan, type Seqs } from "#ledger/commit/plan-group.ts";
import { isStillEpoch } from "#ledger/heads/guard-epoch.ts";
import type { Projector } from "#ledger/projection/projector.ts";
import { memberIdOf, type MemberId } from "#domain/member-id.ts";
import type { ClanRules, CommitFailure, CommitResult, LedgerMeter, LedgerStore, Tracer } from "#ledger/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

/**
 * Settles a group's awards, and returns those that must be queued again, in order. `seqs` are the numbers that were
 * returned with the members' locks. Never throws.
 */
export type CommitGroup = (awards: readonly PendingAward[], seqs: Seqs) => Promise<PendingAward[]>;

export type CommitGroupDeps = {
  store: LedgerStore;
  heads: HeadCache;
  contention: Pick<Contention, "found">;
  projector: Pick<Projector, "note" | "recheck" | "capacity">;
  rules: ClanRules;
  clock: Clock;
  random: () => number;
  meter: LedgerMeter;
  tracer?: Tracer | null;
  log: Log;
};

// oxlint-disable-next-line eslint/max-lines-per-function -- a rejected group is halved and committed again by it
export function makeCommitGroup(deps: CommitGroupDeps): CommitGroup {
  const { store, heads: headCache, contention, projector, clock, random, meter, tracer = null, log } = deps;
  const { plan: planGroup, expectRetries } = makePlanGroup(deps);

  async function commitGroup(awards: readonly PendingAward[], seqs: Seqs): Promise<PendingAward[]> {
    const left: PendingAward[] = [];
    let open = byClan(stillOpen(awards));
    let conflicts = 0;
    for (let next = seqs; open.length > 0;) {
      const tried = await tryOnce(open, next);
      left.push(...tried.inDoubt);
      open = stillOpen(tried.open);
      switch (tried.kind) {
        case "committed":
          return left;
        case "unavailable":
        case "unknown":
          return [...open, ...left];
        case "conflict":
          conflicts += 1;
          if (conflicts >= CONFLICTS_PER_GROUP_MAX) return [...open, ...left];
          open = withLast(open, tried.at);
          next = "validate";
          await pause(CONFLICT_PAUSE_MS * random());
          break;
        case "rejected":
          return [...left, ...(await isolate(open, tried))];
      }
    }
    return left;
  }

  /**
   * The award that caused the rejection fails alone, and the others continue. If it is not known which one it is, both
   * halves are tried.
   */
  async function isolate(open: readonly PendingAward[], { at, cause }: Try): Promise<PendingAward[]> {
    const [only, another] = open;
    const failed = at && open.find(({ award, member }) => award.key === at.key && member === memberIdOf(at));
    const single = failed ?? (another ? null : only);
    if (single) {
      const others = open.filter((pending) => pending !== single);
      const waits = single.isOpen() && !rejectAward(single, cause);
      return [...(waits ? [single] : []), ...(await commitGroup(others, "validate"))];
    }
    const middle = Math.ceil(open.length / 2);
    const first = await commitGroup(open.slice(0, middle), "validate");
    // A member's awards keep their order: awards after an unsettled one wait with it.
    const unsettled = new Set(first.map(({ member }) => member));
    const mustWait = ({ member }: PendingAward): boolean => unsettled.has(member);
    const second = open.slice(middle);
    const free = await commitGroup(
      second.filter((pending) => !mustWait(pending)),
      "validate",
    );
    return [...first, ...second.filter(mustWait), ...free];
  }

  async function tryOnce(open: readonly PendingAward[], seqs: Seqs): Promise<Try> {
    let plan: Plan;
    let isValid: boolean;
    try {
      await projector.capacity();
      const plannedAtMs = clock.agingMs();
      plan = await planGroup(open, seqs);
      isValid = await mayCommit(plan, plannedAtMs);
    } catch (error) {
      // An invalid document affects one member or one clan, and must not delay the awards of others.
      if (!(error instanceof AppError)) return { ...NOTHING, kind: "rejected", open, cause: error };
      for (const pending of open) pending.delayed(error);
      return { ...NOTHING, kind: "unavailable", open };
    }
    for (const pending of plan.blocked) pending.blocked();
    const inDoubt = stillOpen([...plan.inDoubt, ...plan.blocked]);
    settle(plan.settled);
    noteReplayed(plan);
    if (plan.entries.length === 0) return { ...NOTHING, inDoubt };
    if (!isValid) {
      return { ...NOTHING, kind: "conflict", open: plan.decisions.map(({ pending }) => pending), inDoubt };
    }

    for (const { pending } of plan.decisions) pending.began();
    const beganAtMs = clock.monotonicMs();
    const result = await (tracer ? tracer.commit(() => store.commit(plan.entries)) : store.commit(plan.entries));
    meter.commit(result.kind, (clock.monotonicMs() - beganAtMs) / 1_000);
    // A caller that receives `outcome_unknown` retries. The key is looked up, because the retry would otherwise
    // conflict and take twice as long.
    if (plan.decisions.some(({ pending }) => !pending.isOpen())) expectRetries(AWARD_DEADLINE_MS);
    const stored = storedOf(result, plan);
    noteHeads(plan, stored, result);
    settle(plan.decisions.filter(({ needs }) => needs <= stored));
    if (result.kind === "committed") return { ...NOTHING, inDoubt };

    const behind = plan.decisions.filter(({ needs }) => needs > stored);
    noteFailure(behind, result);
    log.debug({ kind: result.kind, awards: open.length, stored, err: result.cause }, "commit_group.failed");
    return { ...whatStopped(result, plan), open: behind.map(({ pending }) => pending), inDoubt };
  }

  /**
   * If reads are slow, a plan is too old before it is complete, and so would be the next one. Therefore only the epoch
   * is read again. An award whose deadline has passed meanwhile must not be committed.
   */
  async function mayCommit({ epoch, decisions }: Plan, plannedAtMs: number): Promise<boolean> {
    const isSame = await isStillEpoch({ epoch, beganAtMs: plannedAtMs, readEpoch: headCache.epoch, clock });
    return isSame && decisions.every(({ pending }) => pending.isOpen());
  }

  /** Caches only heads that a majority has stored, and removes those whose state is unknown from the cache. */
  function noteHeads({ entries, heads, epoch }: Plan, stored: number, result: CommitResult): void {
    const reached = stored === entries.length ? heads : headsAfter(entries.slice(0, stored));
    projector.note(reached, epoch);
    if (result.kind === "unknown") projector.recheck(heads.keys());
    const entry = result.kind === "conflict" ? entries[stored] : undefined;
    const conflicted = entry && memberIdOf(entry);
    // An existing key indicates a retry.
    if (result.kind === "conflict" && result.over === "seq") contention.found();
    for (const [id, head] of heads) {
      const now = reached.get(id);
      if (now?.seq === head.seq) headCache.cache(id, head, epoch);
      else if (id === conflicted) headCache.evict(id);
      else if (now || result.kind === "unknown") headCache.evict(id);
    }
  }

  /** If the commit of an entry had no result, or its process crashed, the entry may not be projected yet. */
  function noteReplayed({ settled, epoch }: Plan): void {
    for (const { outcome } of settled) {
      const head = outcome.kind !== "rejected" && headAfter(outcome.entry);
      if (head) projector.note(new Map([[memberIdOf(outcome.entry), head]]), epoch);
    }
  }

  function settle(decisions: readonly Decision[]): void {
    meter.settled(decisions);
    resolveSome(decisions);
  }

  /**
   * False if an earlier commit of the award may still take effect: then only the deadline resolves it, with
   * `outcome_unknown`.
   */
  function rejectAward(pending: PendingAward, cause: unknown): boolean {
    if (!pending.reject(cause)) return false;
    log.error({ err: cause, clanId: pending.award.clanId }, "award.rejected_by_mongo");
    return true;
  }

  return commitGroup;
}

type Try = {
  kind: CommitResult["kind"];
  /** Awards that were in the commit, or should have been, and are not settled. */
  open: readonly PendingAward[];
  /** Awards that were not in the commit and cannot be answered. */
  inDoubt: readonly PendingAward[];
  /** The entry that conflicted or was rejected, if it is known. */
  at: Entry | null;
  cause: unknown;
};
const NOTHING: Try = { kind: "committed", open: [], inDoubt: [], at: null, cause: null };

function storedOf(result: CommitResult, plan: Plan): number {
  if (result.kind === "committed") return plan.entries.length;
  return result.kind === "unknown" ? 0 : result.stored;
}

function whatStopped(result: CommitFailure, { entries }: Plan): Pick<Try, "kind" | "at" | "cause"> {
  const { kind, cause } = result;
  const isKnown = kind === "conflict" || (kind === "rejected" && result.alone);
  return { kind, cause, at: (isKnown && entries[result.stored]) || null };
}

function noteFailure(decisions: readonly Decision[], { kind, cause }: CommitFailure): void {
  for (const { pending, outcome } of decisions) {
    if (kind === "unknown") pending.unknown(outcome.kind === "applied" ? outcome.entry : null, cause);
    else pending.absent(kind === "unavailable" ? cause : null);
  }
}

function headsAfter(entries: readonly Entry[]): Map<MemberId, Head> {
  const heads = new Map<MemberId, Head>();
  for (const entry of entries) {
    const head = headAfter(entry);
    if (head) heads.set(memberIdOf(entry), head);
  }
  return heads;
}

/**
 * Writes some decisions in each turn of the event loop, so that MongoDB's reply to the next group does not wait for
 * hundreds of them.
 */
function resolveSome(decisions: readonly Decision[], from = 0): void {
  const to = from + OUTCOMES_PER_TURN;
  for (const { pending, outcome } of decisions.slice(from, to)) pending.resolve(outcome);
  if (to < decisions.length) setImmediate(resolveSome, decisions, to);
}

function stillOpen(awards: readonly PendingAward[]): PendingAward[] {
  return awards.filter((pending) => pending.isOpen());
}

/**
 * A router (mongos) writes an ordered insert one shard after the other: entries of one shard are adjacent then. A
 * member's awards stay in order.
 */
function byClan(open: readonly PendingAward[]): PendingAward[] {
  return open.toSorted(
    ({ award: a }, { award: b }) => compare(a.clanId, b.clanId) || compare(a.platformId, b.platformId),
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * The conflicting award moves behind all others, so that another conflict of it delays nobody. A member's awards stay
 * in order.
 */
function withLast(open: readonly PendingAward[], at: Entry | null): PendingAward[] {
  const isLast = ({ member }: PendingAward): boolean => at !== null && member === memberIdOf(at);
  return [...open.filter((pending) => !isLast(pending)), ...open.filter(isLast)];
}
