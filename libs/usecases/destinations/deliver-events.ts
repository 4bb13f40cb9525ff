// Delivers a clan's events to one destination that this process holds.
//
// Events are taken from the clan's chain into deliveries, in order, and each is sent until it is delivered, has failed,
// or is skipped.
//
// Invariants: an event is not sent before the earlier events of its member have ended. Nothing is sent once another
// process may hold the destination. What was sent is recorded before the next event of its member is sent; a request
// whose result was not recorded is made again.
import { pause } from "#async/pause.ts";
import {
  LOOK_AGAIN_MS,
  LOOK_MS,
  STORE_AGAIN_MS,
  UNSIGNALLED_LOOK_MS,
  WAITING_MAX,
} from "#usecases/destinations/bounds.ts";
import { makeSendDeliveries } from "#usecases/destinations/send-deliveries.ts";
import { makeTakeEvents } from "#usecases/destinations/take-events.ts";
import { memberOf } from "#usecases/destinations/wanted-events.ts";
import { makeWaitingDeliveries } from "#usecases/destinations/waiting-deliveries.ts";
import type { DeliverDeps, DeliveryRun } from "#usecases/destinations/delivery-run.ts";
import type { HeldDestination } from "#usecases/destinations/ports.ts";

/** Works until `held.signal` aborts or nothing is to be sent any more, and what is in flight is recorded. Never throws. */
export type RunDestination = (held: HeldDestination) => Promise<void>;

export function makeDeliverEvents(deps: DeliverDeps): RunDestination {
  const { signal, clock, log } = deps;

  return async function deliverEvents(held) {
    const { destination, run } = held;
    const { destinationId, clanId, state, since } = destination;
    const watch = signal.watch(clanId);
    held.signal.addEventListener("abort", watch.wake);
    const at: DeliveryRun = {
      held,
      watch,
      state,
      since,
      run,
      list: makeWaitingDeliveries(),
      isCatchingUp: false,
      isOutdated: false,
      hasTakenAll: false,
    };
    const takeEvents = makeTakeEvents(deps, at);
    const sending = makeSendDeliveries(deps, at);
    let isLoaded = false;
    let lookAtMs = -Infinity;
    while (!held.signal.aborted && (at.state === "active" || at.state === "failing")) {
      try {
        if (at.isOutdated) {
          await sending.ended();
          at.list.clear();
          [at.isOutdated, isLoaded] = [false, false];
        }
        if (!isLoaded) await load(deps, at);
        isLoaded = true;
        // Each request that ends also wakes this loop.
        const isLookDue = !at.hasTakenAll || sending.isProbeOfUnsentDue() || clock.monotonicMs() >= lookAtMs;
        if (isLookDue) {
          lookAtMs = clock.monotonicMs() + LOOK_AGAIN_MS;
          if (!(await takeEvents(sending.isProbeOfUnsentDue()))) break;
        }
        const lookInMs = isLookDue
          ? signal.isConnected()
            ? LOOK_MS
            : UNSIGNALLED_LOOK_MS
          : lookAtMs - clock.monotonicMs();
        await watch.wait(Math.max(0, Math.min(sending.start(), lookInMs)));
      } catch (error) {
        log.debug({ destinationId, err: error }, "delivery.store_failed");
        await pause(STORE_AGAIN_MS, held.signal);
      }
    }
    await sending.ended();
    held.signal.removeEventListener("abort", watch.wake);
    watch.end();
  };
}

/** What waited when the destination was last held, without events that were erased since: these are no longer sent. */
async function load({ deliveries, feed }: DeliverDeps, { held, list }: DeliveryRun): Promise<void> {
  const { destinationId, clanId } = held.destination;
  const stored = await deliveries.listWaiting(destinationId, WAITING_MAX);
  const events = await feed.readAt(
    clanId,
    stored.map(({ n }) => n),
  );
  list.add(
    stored.map(({ n, tried, nextAt, again, attempts }) => {
      const event = events.get(n);
      const member = event ? memberOf(event) : null;
      return { n, tried, nextAt, again, member, wasSent: attempts.length > 0, alone: false };
    }),
  );
}
