// GET /v0/clans/{clanId}/events: what changed in the clan.
import { AppError } from "#kernel/app-error.ts";
import { feedTypes } from "#domain/event.ts";
import type { EventResponse } from "#contract/event.ts";
import { eventResponse } from "#contract/event-response.ts";
import { AFTER_FORM, type EventsResponse } from "#contract/events.ts";
import { cursorClan, eventCursor } from "#contract/page.ts";
import type { ReadEvents } from "#events/read-events.ts";
import type { Route } from "../endpoint.ts";

export function makeListEventsRoute(readEvents: ReadEvents): Route<"list-events"> {
  return async ({ principal: { clanId, keyId }, query, gone, principalNow, inTurn }) => {
    const { after, types = feedTypes, limit, wait } = query;
    if (after && after.clan !== null && after.clan !== cursorClan(clanId))
      throw new AppError("invalid_request", `The query parameter "after" ${AFTER_FORM}.`);
    const { events, reached, hasMore } = await readEvents({
      clanId,
      keyId,
      from: after?.from ?? "oldest",
      past: after?.past ?? null,
      types,
      limit,
      waitMs: wait * 1_000,
      gone: gone(),
    });
    // The call may have waited, and the key may have been revoked meanwhile.
    if (events.length > 0) await principalNow();
    return inTurn(events.length, () => {
      const body: EventsResponse = {
        // Of types for API keys alone.
        events: events.map((event) => eventResponse(event) as EventResponse),
        cursor: eventCursor(clanId, reached),
        hasMore,
      };
      return { status: 200, body };
    });
  };
}
