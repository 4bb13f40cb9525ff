// The clan's events: a list, the newest first, and all of them as a file.
import { z } from "zod";
import { boardKinds } from "#domain/board.ts";
import { deliveryStates } from "#domain/destination.ts";
import { eventTypes } from "#domain/event.ts";
import { ClanParams, CsvFile, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { AnyEventResponse } from "#contract/event.ts";
import { MemberSearch } from "#contract/dashboard/members.ts";

/** A page may be empty although there are older events of the type: not all of them are looked at together. */
const EventPage = z.strictObject({
  events: z.array(AnyEventResponse),
  /** Those that the members have now, by platformId; an event has the one at its time. */
  names: z.record(z.string(), z.string()),
  /** The boards of results of periods, by the ids of the events, as they were then. */
  boards: z.record(z.string(), z.strictObject({ name: z.string(), every: z.enum(boardKinds) })),
  /** How many deliveries are in each state, by the ids of the events. */
  deliveries: z.record(z.string(), z.partialRecord(z.enum(deliveryStates), z.int())),
  nextCursor: z.string().nullable(),
});

export const eventEndpoints = {
  "list-events": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/events",
    access: "viewer",
    params: ClanParams,
    query: z.strictObject({
      type: z.enum(eventTypes).optional(),
      /** Events of the members that it finds. */
      search: MemberSearch.optional(),
      /** The `nextCursor` of the previous page; the route parses it. */
      cursor: z.string().optional(),
    }),
    body: NoBody,
    response: EventPage,
  }),
  "export-events": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/events.csv",
    access: "viewer",
    params: ClanParams,
    query: NoQuery,
    body: NoBody,
    response: CsvFile,
  }),
};
