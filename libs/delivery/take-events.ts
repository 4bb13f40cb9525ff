// Takes events from a clan's chain into deliveries, as many as will be sent soon: what a destination has not taken
// costs nothing, however long it is down.
import { DELIVERY_WINDOW, POSITION_STORED_EVERY_MS } from "#delivery/bounds.ts";
import type { DeliverDeps, DeliveryRun } from "#delivery/delivery-run.ts";
import { isWanted, memberOf, wantedTypes } from "#delivery/wanted-events.ts";
import { EVENTS_EXAMINED_MAX } from "#events/bounds.ts";
import type { EventsRead } from "#events/ports.ts";

type Deps = Pick<DeliverDeps, "feed" | "runs" | "courier" | "clock" | "log" | "window">;
type Taken = EventsRead & { missed: number };

/** False if the destination is not held any more. `isForProbe`: one more event is needed. */
export type TakeEvents = (isForProbe: boolean) => Promise<boolean>;

export function makeTakeEvents(
  { feed, runs, courier, clock, log, window = DELIVERY_WINDOW }: Deps,
  at: DeliveryRun,
): TakeEvents {
  const { held, list } = at;
  const { destination } = held;
  const types = wantedTypes(destination);
  // Where many events become one message, all of them have to be known.
  const untriedMax = courier.summary ? window.waitingMax : window.untriedMin;
  let position = held.position;
  let storedN = position === "oldest" ? 0 : position.n;
  let storedAtMs = -Infinity;

  return async function takeEvents(isForProbe) {
    for (let isFirst = true; isFirst || !at.hasTakenAll; isFirst = false) {
      // What waits has earlier events of the same members.
      if (at.loadedTo !== Infinity) return true;
      const untried = list.untried().length;
      const mayTake = at.health.state === "failing" ? isForProbe && untried === 0 : untried < untriedMax;
      if (!mayTake || list.size() >= window.waitingMax) return true;
      const limit = at.health.state === "failing" ? 1 : Math.min(window.perRead, window.waitingMax - list.size());
      const { events, reached, hasMore, missed } = await readOn(limit);
      const wanted = events.filter((event) => isWanted(destination, event));
      // That events of other types were passed is stored now and then only.
      const isNews = events.length > 0 || missed > 0;
      const isOld = reached.n > storedN && clock.monotonicMs() - storedAtMs >= POSITION_STORED_EVERY_MS;
      if (isNews || isOld) {
        if (!(await runs.take(held, { events: wanted, reached, missed }))) return false;
        storedN = reached.n;
        storedAtMs = clock.monotonicMs();
      }
      const fresh = { tried: 0, wasSent: false, nextAt: null, again: false, alone: false };
      list.add(wanted.map((event) => ({ n: event.n, member: memberOf(event), ...fresh })));
      position = reached;
      at.hasTakenAll = !hasMore;
    }
    return true;
  };

  async function readOn(limit: number): Promise<Taken> {
    const { clanId } = destination;
    const options = { types, limit, examined: EVENTS_EXAMINED_MAX };
    const read = await feed.readAfter(clanId, position, options);
    if (read) return { ...read, missed: 0 };
    const [oldest, end] = [await feed.oldest(clanId), await feed.end(clanId)];
    const afterN: number = position === "oldest" ? 0 : position.n;
    if (oldest <= afterN) {
      // A restored backup has undone the position, and what was sent since then may happen once more, or not.
      log.warn({ destinationId: destination.destinationId }, "destination.position_undone");
      return { events: [], reached: end, hasMore: false, missed: 0 };
    }
    const first = await feed.readAfter(clanId, "oldest", options);
    const missed = oldest - 1 - afterN;
    return { ...(first ?? { events: [], reached: end, hasMore: true }), missed };
  }
}
