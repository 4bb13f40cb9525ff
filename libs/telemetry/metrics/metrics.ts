// The metrics of a process that changes XP: its counters, and the state of the queue, which is read on a scrape. Each
// name has its row in docs/reference/metrics-and-logs.md.
import type { Registry } from "prom-client";
import { addCounter, addGauge, addGauges, byName, type Value } from "#telemetry/metrics/counters-and-gauges.ts";
import { addHistogram } from "#telemetry/metrics/histogram.ts";
import { makeRegistry, type RegistryDeps } from "#telemetry/metrics/registry.ts";
import type { Health } from "#process/health.ts";
import { makeCachedValue, type CachedValue } from "#telemetry/metrics/cached-value.ts";
import type { Counters } from "#telemetry/metrics/counters.ts";
import type { QueueDepth } from "#batches/ports.ts";
import type { UnfinishedErasures } from "#erasure/ports.ts";
import type { ExpiringKey, UsedBudget } from "#keys/ports.ts";
import type { CollectionSize } from "#operations/ports.ts";
import type { Clock } from "#kernel/clock.ts";

export type MetricsDeps = RegistryDeps & {
  counters: Counters;
  clock: Clock;
  awardsWaiting: () => number;
  projection: { waiting: () => number; oldestAgeMs: () => number };
  /** Null in a process that runs no batches. `utilization`: 0 to 1. `eventsBehindMs`: see NumberEvents. */
  worker: { utilization: () => number; isThrottled: () => boolean; eventsBehindMs: () => number } | null;
  /** The work that waits in the whole installation. */
  queued: {
    batches: { queueDepth: () => Promise<QueueDepth> };
    reversals: { countAllUnfinished: () => Promise<number> };
    queue: { isPaused: () => Promise<boolean> };
  };
  health: Pick<Health, "isUp">;
  /** Calls that wait for events, in the API. */
  callsWaitingForEvents?: () => number;
  readErasures?: () => Promise<UnfinishedErasures>;
  /** Metrics of the whole database, which workers read. `limit`: of the most used budgets, of the next keys to expire. */
  stored?: {
    readSizes: () => Promise<CollectionSize[]>;
    readBudgets: (limit: number) => Promise<UsedBudget[]>;
    readExpiring: (limit: number) => Promise<ExpiringKey[]>;
  };
};

/** Sizes and keys cost more to read than queues, and their alerts are less urgent. */
const STORED_EVERY_MS = 60_000;
/** Keys in a metric: those that need attention first, and their number does not grow with the number of clans. */
const KEYS_SHOWN_MAX = 20;

export function makeMetrics(deps: MetricsDeps): Registry {
  const registry = makeRegistry(deps);
  addRequests(registry, deps.counters);
  addAwards(registry, deps);
  addBatches(registry, deps);
  addEvents(registry, deps);
  addErasures(registry, deps);
  addStored(registry, deps);
  return registry;
}

function addRequests(registry: Registry, counters: Counters): void {
  const requests = () => [...counters.requests.values()].flatMap((methods) => [...methods.values()]);
  addCounter(
    registry,
    "http_requests_total",
    "HTTP requests answered, by route, method and status.",
    ["route", "method", "status"],
    () =>
      requests().flatMap(({ route, method, statuses }) =>
        [...statuses].map(([status, value]) => ({ labels: { route, method, status }, value })),
      ),
  );
  addHistogram(registry, "clanxp_http_request_duration_seconds", "Time from a request's headers to its response.", () =>
    requests().map(({ route, method, seconds }) => ({ labels: { route, method }, buckets: seconds })),
  );
  addCounter(registry, "problems_total", "Error responses by code.", ["code"], () => byName("code", counters.problems));
  addCounter(
    registry,
    "rate_limited_total",
    "Requests rejected because an API key exceeded its rate limit, by limit.",
    ["limit"],
    () => byName("limit", Object.entries(counters.rateLimited)),
  );
  addCounter(registry, "key_cache_lookups_total", "API key lookups, by result.", ["result"], () => [
    { labels: { result: "hit" }, value: counters.keyLookups - counters.keyMisses },
    { labels: { result: "miss" }, value: counters.keyMisses },
  ]);
}

function addAwards(registry: Registry, { counters, awardsWaiting, projection }: MetricsDeps): void {
  addCounter(registry, "awards_total", "Awards by outcome.", ["outcome"], () =>
    byName("outcome", Object.entries(counters.awards)),
  );
  addCounter(registry, "award_rejections_total", "Rejected awards by code.", ["code"], () =>
    byName("code", counters.rejections),
  );
  addCounter(registry, "commits_total", "Commits by result.", ["result"], () =>
    byName("result", Object.entries(counters.commits)),
  );
  addCounter(registry, "head_lookups_total", "Member states that awards were decided on, by source.", ["source"], () =>
    byName("source", Object.entries(counters.headsKnown)),
  );
  addHistogram(
    registry,
    "clanxp_commit_duration_seconds",
    "Duration of an insert of ledger entries, until a majority has journaled it.",
    () => [{ buckets: counters.commitSeconds }],
  );
  addHistogram(registry, "clanxp_commit_group_awards", "Awards per commit group.", () => [
    { buckets: counters.groupAwards },
  ]);
  addHistogram(registry, "clanxp_lock_wait_seconds", "Time that a commit group waited for its locks.", () => [
    { buckets: counters.lockSeconds },
  ]);
  addCounter(registry, "lock_contended_total", "Members whose lock another process held.", [], () => [
    { value: counters.locksContended },
  ]);
  addCounter(
    registry,
    "lock_skipped_total",
    "Commit groups that ran without locks because Redis did not respond.",
    [],
    () => [{ value: counters.locksSkipped }],
  );
  addCounter(
    registry,
    "lock_not_needed_total",
    "Commit groups that ran without locks because no other process awards the same members.",
    [],
    () => [{ value: counters.locksNotNeeded }],
  );
  addGauge(
    registry,
    "projection_pending_members",
    "Members whose document is behind their ledger entries.",
    projection.waiting,
  );
  const lagS = (): number => projection.oldestAgeMs() / 1_000;
  addGauge(
    registry,
    "projection_lag_seconds",
    "Age of the oldest change that the members' documents do not show yet.",
    lagS,
  );
  addGauge(registry, "awards_waiting", "Awards in this process without a response.", awardsWaiting);
}

function addBatches(registry: Registry, deps: MetricsDeps): void {
  const { counters, clock, queued: work, health, worker } = deps;
  const [queueDepth, reversals, lastPaused] = [
    makeCachedValue({ read: work.batches.queueDepth, clock }),
    makeCachedValue({ read: work.reversals.countAllUnfinished, clock }),
    makeCachedValue({ read: work.queue.isPaused, clock }),
  ];
  const queuePaused = async (): Promise<boolean | null> => (health.isUp("redis") ? lastPaused() : null);
  /** While the queue is paused, additional workers would be idle; while Redis is unavailable, nothing is known. */
  const toScaleOn =
    <T>(read: CachedValue<T>, valueOf: (known: T) => number) =>
    async (): Promise<Value> => {
      const [known, paused] = await Promise.all([read(), queuePaused()]);
      if (known === null || paused === null) return null;
      return paused ? 0 : valueOf(known);
    };
  const ageS = ({ oldestCreatedAt }: QueueDepth): number =>
    oldestCreatedAt ? Math.max(0, (clock.now().getTime() - oldestCreatedAt.getTime()) / 1_000) : 0;

  const [queued, running] = [
    "Batches that no worker has started, in all processes.",
    "Batches started and not completed, in all processes.",
  ];
  addGauge(registry, "batches_waiting", queued, async () => (await queueDepth())?.queued ?? null);
  addGauge(registry, "batches_running", running, async () => (await queueDepth())?.running ?? null);
  addGauge(
    registry,
    "batch_oldest_waiting_seconds",
    "Age of the oldest unfinished batch; 0 while paused.",
    toScaleOn(queueDepth, ageS),
  );
  const awards = toScaleOn(queueDepth, (known) => known.awards);
  addGauge(registry, "batch_awards_waiting", "Awards in unfinished batches; 0 while paused.", awards);
  const waitOrRun = "Reversals that wait or run, in all processes; 0 while paused.";
  addGauge(registry, "reversals_unfinished", waitOrRun, toScaleOn(reversals, Number));
  addGauge(registry, "queue_paused", "1 while the queue is paused.", queuePaused);
  addGauge(
    registry,
    "worker_utilization_ratio",
    "Share of the worker's batch slots in use.",
    () => worker?.utilization() ?? null,
  );
  addGauge(
    registry,
    "worker_throttled",
    "1 while batch processing yields to single awards.",
    () => worker?.isThrottled() ?? null,
  );
  addGauge(
    registry,
    "events_unnumbered_oldest_seconds",
    "Events of changes that were committed longer ago than this are readable.",
    () => (worker ? worker.eventsBehindMs() / 1_000 : null),
  );
  addCompleted(registry, counters);
  addCounter(registry, "reversed_awards_total", "Awards in completed reversals, by result.", ["result"], () =>
    byName("result", Object.entries(counters.reversals)),
  );
  addCounter(registry, "recovery_scans_total", "Recovery scans for batches without a queued job.", [], () => [
    { value: counters.recoveryScans },
  ]);
  addCounter(registry, "batches_requeued_total", "Batches that a recovery scan queued again.", [], () => [
    { value: counters.requeued },
  ]);
}

function addCompleted(registry: Registry, counters: MetricsDeps["counters"]): void {
  const completed = [
    ["batches_completed_total", "Batches that this worker completed.", () => counters.batchesDone],
    ["reversals_completed_total", "Reversals that this worker completed.", () => counters.reversalsDone],
    ["resets_completed_total", "Resets that this worker completed.", () => counters.resetsDone],
  ] as const;
  for (const [name, help, value] of completed) addCounter(registry, name, help, [], () => [{ value: value() }]);
}

function addEvents(registry: Registry, { counters, callsWaitingForEvents }: MetricsDeps): void {
  addCounter(registry, "events_total", "Events that this worker numbered, by type.", ["type"], () =>
    byName("type", counters.events),
  );
  addHistogram(registry, "clanxp_event_delay_seconds", "Time from a change until its event is readable.", () => [
    { buckets: counters.eventSeconds },
  ]);
  const waiters = "API calls in this process that wait for an event.";
  addGauge(registry, "event_waiters", waiters, () => callsWaitingForEvents?.() ?? null);
}

function addErasures(registry: Registry, { clock, health, readErasures }: MetricsDeps): void {
  if (!readErasures) return;
  const erasures = makeCachedValue({ read: readErasures, clock });
  // Autoscalers read it: a worker that is started while Redis is unavailable is never ready.
  addGauge(registry, "erasures_unfinished", "Erasures that wait or run, in all processes.", async () =>
    health.isUp("redis") ? ((await erasures())?.count ?? null) : null,
  );
  const held = "Roblox's erasure requests that wait for a person.";
  addGauge(registry, "erasure_requests_held", held, async () => (await erasures())?.held ?? null);
  addGauge(registry, "erasure_oldest_seconds", "Age of the oldest erasure that is not finished.", async () => {
    const known = await erasures();
    return (
      known &&
      (known.oldestCreatedAt ? Math.max(0, (clock.now().getTime() - known.oldestCreatedAt.getTime()) / 1_000) : 0)
    );
  });
}

function addStored(registry: Registry, { clock, stored }: MetricsDeps): void {
  const known = <T>(read: (() => Promise<T[]>) | undefined) => {
    const cached = makeCachedValue({ read: async () => (await read?.()) ?? [], clock, everyMs: STORED_EVERY_MS });
    return async (): Promise<T[]> => (await cached()) ?? [];
  };
  const sizes = known(stored?.readSizes);
  const budgets = known(stored && (() => stored.readBudgets(KEYS_SHOWN_MAX)));
  const expiring = known(stored && (() => stored.readExpiring(KEYS_SHOWN_MAX)));
  addGauges(registry, "collection_documents", "Documents in a collection.", ["collection"], async () =>
    (await sizes()).map(({ collection, documents }) => ({ labels: { collection }, value: documents })),
  );
  const onDisk = "Bytes of a collection on disk, indexes included.";
  addGauges(registry, "collection_bytes", onDisk, ["collection"], async () =>
    (await sizes()).map(({ collection, bytes }) => ({ labels: { collection }, value: bytes })),
  );
  const share =
    "Share of its XP per day that an API key has awarded today, of the keys that have awarded most of theirs.";
  addGauges(registry, "key_budget_used_ratio", share, ["clan", "key"], async () =>
    (await budgets()).map(({ clanId, keyId, used }) => ({ labels: { clan: clanId, key: keyId }, value: used })),
  );
  // The time itself, because the remaining time would be as old as the read.
  const end = "When a live API key expires, in seconds since 1970, of the keys that expire next.";
  addGauges(registry, "key_expires_timestamp_seconds", end, ["clan", "key"], async () =>
    (await expiring()).map(({ clanId, keyId, expiresAt }) => ({
      labels: { clan: clanId, key: keyId },
      value: expiresAt.getTime() / 1_000,
    })),
  );
}
