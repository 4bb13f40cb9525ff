// Delivers a clan's events to one destination that this process holds.
//
// Events are taken from the clan's chain into deliveries, in order, and each is sent until it is delivered, has failed,
// or is skipped.
//
// Invariants: an event is not sent before the earlier events of its member have ended. Nothing is sent once another
// process may hold the destination. What was sent is recorded before the next event of its member is sent; a request
// whose result was not recorded is made again. What waits is in memory, or its number is above `loadedTo`: until all of
// it was loaded, no newer event is taken.
import { DELIVERY_WINDOW, LOOK_AGAIN_MS } from "#delivery/bounds.ts";
import { isSentTo } from "#delivery/health.ts";
import { runWhileHeld, type RunDestination, type Work } from "#delivery/run-while-held.ts";
import { makeSendDeliveries } from "#delivery/send-deliveries.ts";
import { makeTakeEvents } from "#delivery/take-events.ts";
import { memberOf } from "#delivery/wanted-events.ts";
import { makeWaitingDeliveries } from "#delivery/waiting-deliveries.ts";
import type { DeliverDeps, DeliveryRun } from "#delivery/delivery-run.ts";

export function makeDeliverEvents(deps: DeliverDeps): RunDestination {
  return async function deliverEvents(held) {
    const { state, since } = held.destination;
    const at: DeliveryRun = {
      held,
      health: { state, since, ...held.run },
      list: makeWaitingDeliveries(),
      loadedTo: 0,
      isCatchingUp: false,
      isOutdated: false,
      bug: null,
      hasTakenAll: false,
    };
    const how = await runWhileHeld(deps, held, ({ wake }) => workOf(deps, at, wake));
    if (at.bug) throw at.bug.error;
    return at.isOutdated ? "outdated" : how;
  };
}

function workOf(deps: DeliverDeps, at: DeliveryRun, wake: () => void): Work {
  const { clock } = deps;
  const takeEvents = makeTakeEvents(deps, at);
  const sending = makeSendDeliveries(deps, at, wake);
  let lookAtMs = -Infinity;
  return {
    isRunning: () => !at.isOutdated && isSentTo(at.health),
    async step() {
      await load(deps, at);
      // Each request that ends also wakes the loop.
      const isLookDue = !at.hasTakenAll || sending.needsUnsent() || clock.monotonicMs() >= lookAtMs;
      if (isLookDue) {
        lookAtMs = clock.monotonicMs() + LOOK_AGAIN_MS;
        const isStillHeld = await takeEvents(sending.needsUnsent());
        // Also if a result could not be recorded meanwhile.
        if (!isStillHeld || at.isOutdated) return null;
      }
      return Math.min(sending.start(), isLookDue ? Infinity : lookAtMs - clock.monotonicMs());
    },
    ended: sending.ended,
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
