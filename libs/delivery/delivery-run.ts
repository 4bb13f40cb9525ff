// What delivering to one destination needs, and what the process that holds it knows of it.
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import type { DELIVERY_WINDOW } from "#delivery/bounds.ts";
import type { Health, Schedule } from "#delivery/health.ts";
import type { NotifierMeter } from "#delivery/meter.ts";
import type { Places } from "#delivery/places.ts";
import type { Courier, DeliveryRecord, HeldDestination, RunStore } from "#delivery/ports.ts";
import type { WaitingDeliveries } from "#delivery/waiting-deliveries.ts";
import type { EventFeed, EventSignal } from "#events/ports.ts";

export type DeliverDeps = {
  feed: Pick<EventFeed, "readAfter" | "readAt" | "listErased" | "oldest" | "end">;
  runs: RunStore;
  deliveries: DeliveryRecord;
  courier: Courier;
  places: Places;
  signal: EventSignal;
  schedule: Schedule;
  meter: NotifierMeter;
  clock: Pick<Clock, "monotonicMs">;
  random: () => number;
  /** DELIVERY_WINDOW, except in simulations. */
  window?: typeof DELIVERY_WINDOW;
  log: Log;
};

/** What this process knows of a destination that it delivers to. `isCatchingUp`: after an outage, it is sent slowly. */
export type DeliveryRun = {
  held: HeldDestination;
  list: WaitingDeliveries;
  /** What waits with a number above this one is not in `list` yet; Infinity: all of it is. */
  loadedTo: number;
  health: Health;
  isCatchingUp: boolean;
  /** A result was not recorded while MongoDB was unavailable, or a bug has ended a request: it has to be held anew. */
  isOutdated: boolean;
  bug: { error: unknown } | null;
  /** All events of the chain were taken. */
  hasTakenAll: boolean;
};
