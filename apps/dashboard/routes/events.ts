// The clan's events, also those that no API key reads.
import type { eventEndpoints } from "#contract/dashboard/events.ts";
import { eventResponse } from "#contract/event-response.ts";
import { encodeCursor, NewestEventsCursor } from "#contract/page.ts";
import { eventTypes } from "#domain/event.ts";
import { csvOf } from "#export/csv-text.ts";
import { eventPages, eventRow } from "#export/event-rows.ts";
import { LISTED_EVENTS_EXAMINED_MAX } from "#usecases/events/bounds.ts";
import type { ReadDeliveryStates } from "#usecases/destinations/ports.ts";
import type { EventFeed, EventList } from "#usecases/events/ports.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";

const EVENTS_PER_PAGE = 50;

export function makeEventRoutes({
  events,
  readDeliveryStates,
}: {
  events: EventList & Pick<EventFeed, "readAfter">;
  readDeliveryStates: ReadDeliveryStates;
}): Routes<typeof eventEndpoints> {
  return {
    async "list-events"({ params: { clanId }, query: { type, search, cursor } }) {
      const { items, next } = await events.page(clanId, {
        types: type === undefined ? eventTypes : [type],
        prefix: search ?? null,
        before: positionIn(NewestEventsCursor, cursor)?.[1] ?? null,
        limit: EVENTS_PER_PAGE,
        examined: LISTED_EVENTS_EXAMINED_MAX,
      });
      return {
        events: items.map(eventResponse),
        deliveries: Object.fromEntries(await readDeliveryStates(clanId, items)),
        nextCursor: next === null ? null : encodeCursor(["n", next]),
      };
    },

    async "export-events"({ params: { clanId } }) {
      return { fileName: `${clanId}-events.csv`, text: csvOf("events", rowsOf(clanId)) };
    },
  };

  async function* rowsOf(clanId: string) {
    for await (const page of eventPages(events, clanId, { types: eventTypes, since: null })) yield page.map(eventRow);
  }
}
