// The events that a destination can be sent again: one that a person names, or those of a time span.
import type { ClanEvent } from "#domain/event.ts";
import { EVENTS_PER_READ } from "#delivery/bounds.ts";
import type { DeliveryLog, StoredDestination } from "#delivery/ports.ts";
import { isWanted, wantedTypes } from "#delivery/wanted-events.ts";
import { EVENTS_EXAMINED_MAX, LISTED_EVENTS_EXAMINED_MAX } from "#events/bounds.ts";
import type { EventFeed } from "#events/ports.ts";

export type ResendableDeps = {
  deliveries: Pick<DeliveryLog, "page">;
  events: Pick<EventFeed, "before" | "readAfter" | "locate" | "readAt" | "end" | "oldest">;
  /** How many events are looked through for one whose number is not known. */
  searchedMax: number;
};

export function makeResendableEvents({ deliveries, events, searchedMax }: ResendableDeps) {
  /** The number of an event, the newest first, a part of the chain at a time: events have no index by their ids. */
  async function numberOf(clanId: string, eventId: string): Promise<number | null> {
    const [{ n: end }, oldest] = await Promise.all([events.end(clanId), events.oldest(clanId)]);
    for (let to = end; to >= oldest && to > end - searchedMax;) {
      const from = Math.max(0, to - LISTED_EVENTS_EXAMINED_MAX);
      const found = await events.locate(clanId, from, { eventId, within: to - from });
      if (found) return found.n;
      to = from;
      if (from === 0) break;
    }
    return null;
  }

  return {
    /** Events of the span that this destination is for, in order. Those that it has not reached yet come anyway. */
    async *ofSpan(
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
    },

    /** An event that a span could have, or that has a delivery, whatever the destination receives now. */
    async find(
      { destination, position }: StoredDestination,
      { eventId, n: known }: { eventId: string; n?: number | undefined },
    ): Promise<ClanEvent | null> {
      const { clanId, destinationId } = destination;
      const n = known ?? (await numberOf(clanId, eventId));
      const event = n === null ? undefined : (await events.readAt(clanId, [n])).get(n);
      if (event?.eventId !== eventId) return null;
      const isReached = position !== "oldest" && event.n <= position.n;
      if (isReached && wantedTypes(destination).includes(event.type) && isWanted(destination, event)) return event;
      const newest = await deliveries.page(destinationId, { states: null, before: event.n + 1, limit: 1 });
      return newest.items[0]?.n === event.n ? event : null;
    },
  };
}
