// Delivers a clan's events to one destination that this process holds.
//
// Events are taken from the clan's chain into deliveries, in order, and each is sent until it is delivered, has failed,
// or is skipped.
//
// Invariants: an event is not sent before the earlier events of its member have ended. Nothing is sent once another
// process may hold the destination. What was sent is recorded before the next event of its member is sent; a request
// whose result was not recorded is made again. What waits is in memory, or its number is above `loadedTo`: until all of
// it was loaded, no newer event is taken.
import { isOutage } from "#async/failures.ts";
import { DELIVERY_WINDOW, LOOK_AGAIN_MS, LOOK_MS, UNSIGNALLED_LOOK_MS } from "#usecases/destinations/bounds.ts";
import { makeSendDeliveries } from "#usecases/destinations/send-deliveries.ts";
import { makeTakeEvents } from "#usecases/destinations/take-events.ts";
import { memberOf } from "#usecases/destinations/wanted-events.ts";
import { makeWaitingDeliveries } from "#usecases/destinations/waiting-deliveries.ts";
import type { DeliverDeps, DeliveryRun } from "#usecases/destinations/delivery-run.ts";
import type { HeldDestination } from "#usecases/destinations/ports.ts";

/**
 * Works until `held.signal` aborts or nothing is to be sent any more, and what is in flight is recorded. `outdated`: what
 * is known of it may differ from what is stored, so it is to be held anew. Throws what is no outage: a bug.
 */
export type RunDestination = (held: HeldDestination) => Promise<"ended" | "outdated">;

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
      loadedTo: 0,
      isCatchingUp: false,
      isOutdated: false,
      bug: null,
      hasTakenAll: false,
    };
    const takeEvents = makeTakeEvents(deps, at);
    const sending = makeSendDeliveries(deps, at);
    let lookAtMs = -Infinity;
    try {
      while (!held.signal.aborted && !at.isOutdated && (at.state === "active" || at.state === "failing")) {
        await load(deps, at);
        // Each request that ends also wakes this loop.
        const isLookDue = !at.hasTakenAll || sending.needsUnsent() || clock.monotonicMs() >= lookAtMs;
        if (isLookDue) {
          lookAtMs = clock.monotonicMs() + LOOK_AGAIN_MS;
          const isStillHeld = await takeEvents(sending.needsUnsent());
          if (!isStillHeld) at.isOutdated = true;
          // Also if a result could not be recorded meanwhile.
          if (at.isOutdated) break;
        }
        const lookMs = signal.isConnected() ? LOOK_MS : UNSIGNALLED_LOOK_MS;
        const lookInMs = isLookDue ? lookMs : lookAtMs - clock.monotonicMs();
        await watch.wait(Math.max(0, Math.min(sending.start(), lookInMs)));
      }
    } catch (error) {
      // Events may have been taken although the response was lost.
      at.isOutdated = true;
      if (!isOutage(error)) throw error;
      log.debug({ destinationId, err: error }, "delivery.store_failed");
    } finally {
      await sending.ended();
      held.signal.removeEventListener("abort", watch.wake);
      watch.end();
    }
    if (at.bug) throw at.bug.error;
    return at.isOutdated ? "outdated" : "ended";
  };
}

/** The next part of what waited when the destination was held, as soon as there is room for it. */
async function load({ deliveries, feed, window = DELIVERY_WINDOW }: DeliverDeps, at: DeliveryRun): Promise<void> {
  const { destinationId, clanId } = at.held.destination;
  const limit = window.waitingMax - at.list.size();
  if (at.loadedTo === Infinity || limit < window.perRead) return;
  const stored = await deliveries.listWaiting(destinationId, limit, at.loadedTo);
  const events = await feed.readAt(
    clanId,
    stored.map(({ n }) => n),
  );
  at.list.add(
    stored.map(({ n, tried, nextAt, again, attempts }) => {
      const event = events.get(n);
      const member = event ? memberOf(event) : null;
      return { n, tried, nextAt, again, member, wasSent: attempts.length > 0, alone: false };
    }),
  );
  at.loadedTo = stored.length < limit ? Infinity : (stored.at(-1)?.n ?? Infinity);
}
