// Counts the work of this process in plain numbers: counting must cost nothing on the path of awards. A scrape converts
// them to metrics (metrics.ts). No label comes from a caller, so their number is bounded.
import type { ErrorCode } from "#kernel/error-code.ts";
import type { EventType } from "#domain/event.ts";
import { makeBuckets, type Buckets } from "#telemetry/metrics/buckets.ts";
import type { CommitResult } from "#ledger/ports.ts";
import type { Meter } from "#telemetry/meter.ts";
import type { RateKind } from "#domain/key-limits.ts";

/** From a lookup in memory to a commit during an election of MongoDB; the waits for a batch exceed it. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** A lock is a call of Redis: faster than all other operations, and abandoned after 0.25 s. */
const LOCK_SECONDS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1] as const;
/** From a pass of a worker to an outage of a day. */
const EVENT_SECONDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 60, 600, 3_600, 86_400] as const;
/** Up to AWARDS_PER_GROUP_MAX. */
const AWARDS = [1, 2, 5, 10, 20, 50, 100, 200, 500] as const;

/** All other methods are counted together, because callers can invent methods. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export type RequestCounters = { route: string; method: string; statuses: Map<number, number>; seconds: Buckets };

export type Counters = Meter & {
  requests: Map<string, Map<string, RequestCounters>>;
  problems: Map<ErrorCode, number>;
  awards: { applied: number; replayed: number; rejected: number };
  rejections: Map<ErrorCode, number>;
  commits: Record<CommitResult["kind"], number>;
  commitSeconds: Buckets;
  groupAwards: Buckets;
  lockSeconds: Buckets;
  locksContended: number;
  locksSkipped: number;
  locksNotNeeded: number;
  headsKnown: { cached: number; read: number; validated: number };
  recoveryScans: number;
  requeued: number;
  batchesDone: number;
  reversalsDone: number;
  resetsDone: number;
  reversals: { reversed: number; skipped: number };
  events: Map<EventType, number>;
  eventSeconds: Buckets;
  keyLookups: number;
  keyMisses: number;
  rateLimited: Record<RateKind, number>;
};

// oxlint-disable-next-line eslint/max-lines-per-function -- a list of counters, which nobody reads in parts
export function makeCounters(): Counters {
  const counters: Counters = {
    requests: new Map(),
    // Starts at 0, because a single error raises an alert: Prometheus would see no increase in a series that appears
    // with its first error.
    problems: new Map([["internal", 0]]),
    awards: { applied: 0, replayed: 0, rejected: 0 },
    rejections: new Map(),
    commits: { committed: 0, conflict: 0, unknown: 0, unavailable: 0, rejected: 0 },
    commitSeconds: makeBuckets(SECONDS),
    groupAwards: makeBuckets(AWARDS),
    lockSeconds: makeBuckets(LOCK_SECONDS),
    locksContended: 0,
    locksSkipped: 0,
    locksNotNeeded: 0,
    headsKnown: { cached: 0, read: 0, validated: 0 },
    recoveryScans: 0,
    requeued: 0,
    batchesDone: 0,
    reversalsDone: 0,
    resetsDone: 0,
    reversals: { reversed: 0, skipped: 0 },
    events: new Map(),
    eventSeconds: makeBuckets(EVENT_SECONDS),
    keyLookups: 0,
    keyMisses: 0,
    rateLimited: { requests: 0, awards: 0 },

    request(route, method, status, seconds) {
      const { statuses, seconds: buckets } = requestsOf(
        counters.requests,
        route,
        METHODS.has(method) ? method : "other",
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      buckets.observe(seconds);
    },
    problem: (code) => add(counters.problems, code, 1),
    rateLimit(kind) {
      counters.rateLimited[kind] += 1;
    },
    settled(answers) {
      for (const { outcome } of answers) {
        counters.awards[outcome.kind] += 1;
        if (outcome.kind === "rejected") add(counters.rejections, outcome.code, 1);
      }
    },
    rejected(code) {
      counters.awards.rejected += 1;
      add(counters.rejections, code, 1);
    },
    group: (awards) => counters.groupAwards.observe(awards),
    commit(result, seconds) {
      counters.commits[result] += 1;
      counters.commitSeconds.observe(seconds);
    },
    lock(seconds, contended) {
      counters.lockSeconds.observe(seconds);
      counters.locksContended += contended;
    },
    lockSkipped() {
      counters.locksSkipped += 1;
    },
    lockNotNeeded() {
      counters.locksNotNeeded += 1;
    },
    heads(source, heads) {
      counters.headsKnown[source] += heads;
    },
    recoveryScan(requeued) {
      counters.recoveryScans += 1;
      counters.requeued += requeued;
    },
    batchDone() {
      counters.batchesDone += 1;
    },
    resetDone() {
      counters.resetsDone += 1;
    },
    reversalDone(reversed, skipped) {
      counters.reversalsDone += 1;
      counters.reversals.reversed += reversed;
      counters.reversals.skipped += skipped;
    },
    eventsNumbered(events, now) {
      for (const { type, at } of events) {
        add(counters.events, type, 1);
        counters.eventSeconds.observe(Math.max(0, now.getTime() - at.getTime()) / 1_000);
      }
    },
    keyLookup() {
      counters.keyLookups += 1;
    },
    keyMiss() {
      counters.keyMisses += 1;
    },
  };
  return counters;
}

function requestsOf(requests: Counters["requests"], route: string, method: string): RequestCounters {
  const known = requests.get(route)?.get(method);
  if (known) return known;
  const made = { route, method, statuses: new Map<number, number>(), seconds: makeBuckets(SECONDS) };
  requests.set(route, (requests.get(route) ?? new Map<string, RequestCounters>()).set(method, made));
  return made;
}

function add<Name>(counts: Map<Name, number>, name: Name, amount: number): void {
  counts.set(name, (counts.get(name) ?? 0) + amount);
}
