// Counts the work of a notifier in plain numbers, which a scrape converts (notifier-metrics.ts). No label holds an id.
import type { DestinationKind, RoleOutcomeName } from "#domain/destination.ts";
import type { DeliveryOutcome, NotifierMeter } from "#delivery/meter.ts";
import { makeBuckets, type Buckets } from "#telemetry/metrics/buckets.ts";

/** From a receiver in the same data center to WEBHOOK_TIMEOUT_MS. */
const SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30] as const;

type Deliveries = { outcomes: Map<DeliveryOutcome, number>; seconds: Buckets };

export type NotifierCounters = NotifierMeter & {
  deliveries: Map<DestinationKind, Deliveries>;
  roleSyncs: Map<RoleOutcomeName, number>;
};

export function makeNotifierCounters(): NotifierCounters {
  const counters: NotifierCounters = {
    deliveries: new Map(),
    roleSyncs: new Map(),
    delivered(kind, outcome, seconds) {
      const made: Deliveries = { outcomes: new Map(), seconds: makeBuckets(SECONDS) };
      const ofKind = counters.deliveries.get(kind) ?? made;
      counters.deliveries.set(kind, ofKind);
      ofKind.outcomes.set(outcome, (ofKind.outcomes.get(outcome) ?? 0) + 1);
      if (seconds !== null) ofKind.seconds.observe(seconds);
    },
    roleSync(outcome, members = 1) {
      counters.roleSyncs.set(outcome, (counters.roleSyncs.get(outcome) ?? 0) + members);
    },
  };
  return counters;
}
