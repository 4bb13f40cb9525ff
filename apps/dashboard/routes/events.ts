// The clan's events, also those that no API key reads.
import type { eventEndpoints } from "#contract/dashboard/events.ts";
import { eventResponse } from "#contract/event-response.ts";
import { winnersOf } from "#contract/event-text.ts";
import { encodeCursor, NewestEventsCursor } from "#contract/page.ts";
import { isPlatformId } from "#domain/bounds.ts";
import { eventTypes } from "#domain/event.ts";
import { wordsOf } from "#domain/member-name.ts";
import { csvOf } from "#export/csv-text.ts";
import { eventPages, eventRow } from "#export/event-rows.ts";
import { LISTED_EVENTS_EXAMINED_MAX } from "#events/bounds.ts";
import type { ReadDeliveryStates } from "#delivery/ports.ts";
import type { NameStore } from "#names/ports.ts";
import type { EventFeed, EventList } from "#events/ports.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";

const EVENTS_PER_PAGE = 50;
const NAMES_SEARCHED = 100;

export function makeEventRoutes({
  events,
  names,
  readDeliveryStates,
}: {
  events: EventList & Pick<EventFeed, "readAfter">;
  names: Pick<NameStore, "find" | "read">;
  readDeliveryStates: ReadDeliveryStates;
}): Routes<typeof eventEndpoints> {
  return {
    async "list-events"({ params: { clanId }, query: { type, search, cursor } }) {
      const { items, next } = await events.page(clanId, {
        types: type === undefined ? eventTypes : [type],
        search: search === undefined ? null : await membersOf(clanId, search),
        before: positionIn(NewestEventsCursor, cursor)?.[1] ?? null,
        limit: EVENTS_PER_PAGE,
        examined: LISTED_EVENTS_EXAMINED_MAX,
      });
      const ids = items.flatMap(({ data }) =>
        "platformId" in data ? data.platformId : "top" in data ? winnersOf(data).map((one) => one.platformId) : [],
      );
      const boards = items.flatMap(({ eventId, data }) => {
        if (!("top" in data)) return [];
        const { name, every } = data.board;
        return [[eventId, { name, every }] as const];
      });
      const [known, deliveries] = await Promise.all([names.read(clanId, ids), readDeliveryStates(clanId, items)]);
      return {
        events: items.map(eventResponse),
        names: Object.fromEntries(known),
        boards: Object.fromEntries(boards),
        deliveries: Object.fromEntries(deliveries),
        nextCursor: next === null ? null : encodeCursor(["n", next]),
      };
    },

    async "export-events"({ params: { clanId } }) {
      return { fileName: `${clanId}-events.csv`, text: csvOf("events", rowsOf(clanId)) };
    },
  };

  /** Of the names, the first ones: more of a name finds one person. */
  async function membersOf(clanId: string, text: string) {
    const { items } = await names.find(clanId, { words: wordsOf(text), after: null, limit: NAMES_SEARCHED });
    return { prefix: isPlatformId(text) ? text : null, platformIds: items.map(({ platformId }) => platformId) };
  }

  async function* rowsOf(clanId: string) {
    for await (const page of eventPages(events, clanId, { types: eventTypes, since: null })) yield page.map(eventRow);
  }
}
