// The metrics of a notifier: its counters, and the state of all destinations, which is read on a scrape. Each name has
// its row in docs/reference/metrics-and-logs.md.
import type { Registry } from "prom-client";
import { addCounter, addGauge, addGauges, byName } from "#telemetry/metrics/counters-and-gauges.ts";
import { makeCachedValue } from "#telemetry/metrics/cached-value.ts";
import { addHistogram } from "#telemetry/metrics/histogram.ts";
import type { NotifierCounters } from "#telemetry/metrics/notifier-counters.ts";
import { makeRegistry, type RegistryDeps } from "#telemetry/metrics/registry.ts";
import type { Clock } from "#kernel/clock.ts";
import type { DestinationsState } from "#delivery/meter.ts";

export type NotifierMetricsDeps = RegistryDeps & {
  counters: NotifierCounters;
  clock: Clock;
  readState: () => Promise<DestinationsState>;
};

export function makeNotifierMetrics(deps: NotifierMetricsDeps): Registry {
  const { counters, clock } = deps;
  const registry = makeRegistry(deps);
  const deliveries = () => [...counters.deliveries];
  addCounter(registry, "deliveries_total", "Events for destinations, by outcome.", ["kind", "outcome"], () =>
    deliveries().flatMap(([kind, { outcomes }]) =>
      [...outcomes].map(([outcome, value]) => ({ labels: { kind, outcome }, value })),
    ),
  );
  addHistogram(registry, "clanxp_delivery_seconds", "Duration of a request to a destination.", () =>
    deliveries().map(([kind, { seconds }]) => ({ labels: { kind }, buckets: seconds })),
  );
  addCounter(registry, "role_syncs_total", "Comparisons of a member's roles, by outcome.", ["outcome"], () =>
    byName("outcome", counters.roleSyncs),
  );
  const state = makeCachedValue({ read: deps.readState, clock });
  addGauges(registry, "destinations", "Destinations by kind and state.", ["kind", "state"], async () =>
    ((await state())?.destinations ?? []).map(({ kind, state: named, count }) => ({
      labels: { kind, state: named },
      value: count,
    })),
  );
  const behind = "Age of the oldest event that an active destination has not received yet.";
  addGauges(registry, "delivery_behind_oldest_seconds", behind, ["kind"], async () =>
    byName("kind", Object.entries((await state())?.behindOldestSeconds ?? {})),
  );
  const due = "How long the member waits whose roles have been due the longest.";
  addGauge(registry, "role_sync_oldest_seconds", due, async () => (await state())?.roleSyncOldestSeconds ?? null);
  const sealed = "Destinations whose secrets no SECRETS_KEY of this process opens.";
  addGauge(registry, "secrets_undecryptable", sealed, async () => (await state())?.undecryptable ?? null);
  return registry;
}
