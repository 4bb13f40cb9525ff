// The deliveries of a destination, newest first, each with the member of its event, which no delivery stores. One is
// held while an earlier event of its member still waits.
import type { Delivery, DeliveryState } from "#domain/destination.ts";
import type { ClanEvent } from "#domain/event.ts";
import type { Page } from "#domain/page.ts";
import type { DeliveryLog } from "#delivery/ports.ts";
import type { EventFeed } from "#events/ports.ts";

export type ListedDelivery = Delivery & { member: { platformId: string; name: string | null } | null };

/** Of a destination that is further behind, later deliveries are listed as waiting, whatever holds them back. */
const WAITING_LOOKED_AT_MAX = 1_000;
/** Deliveries that are read for a page of one state that is not stored as such. */
const PAGES_MAX = 5;

const HELD = "an earlier event of the member is not delivered yet";

export type ListDeliveries = (
  destination: { destinationId: string; clanId: string },
  options: { state: DeliveryState | null; before: number | null; limit: number },
) => Promise<Page<ListedDelivery, number>>;

export function makeListDeliveries(deps: {
  deliveries: Pick<DeliveryLog, "page" | "listWaiting">;
  events: Pick<EventFeed, "readAt">;
}): ListDeliveries {
  const { deliveries, events } = deps;

  function eventsOf(clanId: string, listed: readonly { n: number }[]): Promise<ReadonlyMap<number, ClanEvent>> {
    return events.readAt(
      clanId,
      listed.map(({ n }) => n),
    );
  }

  async function heldOf(destination: { destinationId: string; clanId: string }): Promise<ReadonlySet<number>> {
    const waiting = await deliveries.listWaiting(destination.destinationId, WAITING_LOOKED_AT_MAX);
    const found = await eventsOf(destination.clanId, waiting);
    const [members, held] = [new Set<string>(), new Set<number>()];
    for (const { n, again } of waiting) {
      const member = memberOf(found.get(n))?.platformId;
      // What a person sends once more is outside of the order.
      if (member === undefined || again) continue;
      if (members.has(member)) held.add(n);
      members.add(member);
    }
    return held;
  }

  return async function listDeliveries(destination, { state, before, limit }) {
    const { destinationId, clanId } = destination;
    const states = state === null ? null : [state === "held" ? "waiting" : state];
    const items: ListedDelivery[] = [];
    let held: ReadonlySet<number> | null = null;
    let next = before;
    for (let pages = 0; pages < PAGES_MAX; pages += 1) {
      const options = { states, before: next, limit: limit - items.length };
      const page: Page<Delivery, number> = await deliveries.page(destinationId, options);
      if (!held && page.items.some((one) => one.state === "waiting")) held = await heldOf(destination);
      const found = await eventsOf(clanId, page.items);
      for (const delivery of page.items) {
        const isHeld = delivery.state === "waiting" && held?.has(delivery.n) === true;
        const shown = isHeld ? { ...delivery, state: "held" as const, reason: HELD } : delivery;
        if (state === null || shown.state === state) items.push({ ...shown, member: memberOf(found.get(delivery.n)) });
      }
      next = page.next;
      if (next === null || items.length >= limit) break;
    }
    return { items, next };
  };
}

function memberOf(event: ClanEvent | undefined): ListedDelivery["member"] {
  if (!event || !("platformId" in event.data)) return null;
  return { platformId: event.data.platformId, name: "name" in event.data ? event.data.name : null };
}
