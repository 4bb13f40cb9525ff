// Sends events of a destination once more: one, all that failed, or those of a time span.
import type { Actor } from "#domain/audit.ts";
import { isRoleKind } from "#domain/destination.ts";
import type { ClanEvent } from "#domain/event.ts";
import { EVENTS_PER_READ } from "#usecases/destinations/bounds.ts";
import type { DeliveryLog, DestinationStore, StoredDestination } from "#usecases/destinations/ports.ts";
import { noDestination, rejected, type DestinationRejection } from "#usecases/destinations/rejection.ts";
import { isWanted, wantedTypes } from "#usecases/destinations/wanted-events.ts";
import { EVENTS_EXAMINED_MAX } from "#usecases/events/bounds.ts";
import type { EventFeed } from "#usecases/events/ports.ts";

/** `from` is inclusive, `to` exclusive. */
export type ResendWhich = { eventId: string } | { failed: true } | { from: Date; to: Date };

export type ResendDeliveries = (
  destinationId: string,
  which: ResendWhich,
  by: Actor,
  /** Whether to go on, once the number of events is known. */
  confirm?: (events: number) => Promise<boolean>,
) => Promise<{ kind: "resent"; events: number } | { kind: "declined" } | DestinationRejection>;

export function makeResendDeliveries(deps: {
  destinations: Pick<DestinationStore, "read">;
  deliveries: Pick<DeliveryLog, "resend" | "counts" | "page">;
  events: Pick<EventFeed, "before" | "readAfter" | "locate" | "readAt">;
}): ResendDeliveries {
  const { destinations, deliveries, events } = deps;

  /** Events of the span that this destination is for, in order. Those that it has not reached yet come anyway. */
  async function* eventsIn(
    { destination, position }: StoredDestination,
    { from, to }: { from: Date; to: Date },
  ): AsyncGenerator<ClanEvent[]> {
    const { clanId } = destination;
    const options = { types: wantedTypes(destination), limit: EVENTS_PER_READ, examined: EVENTS_EXAMINED_MAX };
    const reachedN = position === "oldest" ? 0 : position.n;
    let after = await events.before(clanId, from);
    for (let hasMore = true; hasMore;) {
      const read = await events.readAfter(clanId, after, options);
      // Deleted by age meanwhile.
      if (!read) return;
      const isOfSpan = ({ n, at }: ClanEvent): boolean => n <= reachedN && at >= from && at < to;
      yield read.events.filter((event) => isOfSpan(event) && isWanted(destination, event));
      ({ reached: after } = read);
      hasMore = read.hasMore && after.n < reachedN;
    }
  }

  /** An event that a span could have, or that has a delivery, whatever the destination receives now. */
  async function findEvent({ destination, position }: StoredDestination, eventId: string): Promise<ClanEvent | null> {
    const { clanId, destinationId } = destination;
    const found = await events.locate(clanId, 0, { eventId, within: Infinity });
    const event = found && (await events.readAt(clanId, [found.n])).get(found.n);
    if (!event) return null;
    const isReached = position !== "oldest" && event.n <= position.n;
    if (isReached && wantedTypes(destination).includes(event.type) && isWanted(destination, event)) return event;
    const newest = await deliveries.page(destinationId, { states: null, before: event.n + 1, limit: 1 });
    return newest.items[0]?.n === event.n ? event : null;
  }

  return async function resendDeliveries(destinationId, which, by, confirm = async () => true) {
    const stored = await destinations.read(destinationId);
    if (!stored) return noDestination(destinationId);
    const { kind } = stored.destination;
    if (isRoleKind(kind))
      return rejected("invalid", `A ${kind} destination sends no events: compare its members' roles instead (sync).`);

    if ("eventId" in which) {
      const event = await findEvent(stored, which.eventId);
      if (!event) return rejected("no_event", noEvent(which.eventId));
      if (!(await confirm(1))) return { kind: "declined" };
      return { kind: "resent", events: await deliveries.resend(destinationId, { events: [event] }, by) };
    }
    if ("failed" in which) {
      const failed = (await deliveries.counts([destinationId])).get(destinationId)?.failed ?? 0;
      if (failed > 0 && !(await confirm(failed))) return { kind: "declined" };
      return { kind: "resent", events: failed === 0 ? 0 : await deliveries.resend(destinationId, which, by) };
    }
    let found = 0;
    for await (const page of eventsIn(stored, which)) found += page.length;
    if (found > 0 && !(await confirm(found))) return { kind: "declined" };
    let resent = 0;
    for await (const page of eventsIn(stored, which))
      if (page.length > 0) resent += await deliveries.resend(destinationId, { events: page }, by);
    return { kind: "resent", events: resent };
  };
}

function noEvent(eventId: string): string {
  return `There is no event ${eventId} that this destination can be sent again. Nothing was changed.`;
}
