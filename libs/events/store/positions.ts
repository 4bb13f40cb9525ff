// Positions in the chains of events.
import type { Collection } from "mongodb";
import type { EventDoc } from "#events/store/event-model.ts";
import { MAJORITY } from "#mongo/mongo-calls.ts";
import type { EventPosition } from "#events/ports.ts";

export const POSITION = { _id: 1, eventId: 1 } as const;
const BEGINNING: EventPosition = { n: 0, eventId: "" };

type Found = Pick<EventDoc, "_id" | "eventId">;

/** Events of a clan with a number above `after`, up to `to`. */
export function between(clanId: string, after: number, to: number) {
  return { _id: { $gt: { clanId, n: after }, $lte: { clanId, n: to } } };
}

/** The oldest (1) or the newest (-1) event of a clan that a majority holds. */
export function endmost(events: Collection<EventDoc>, clanId: string, direction: 1 | -1): Promise<Found | null> {
  return events.findOne(between(clanId, 0, Infinity), { ...MAJORITY, sort: { _id: direction }, projection: POSITION });
}

export function positionOf(doc: Found | null): EventPosition {
  return doc ? { n: doc._id.n, eventId: doc.eventId } : BEGINNING;
}
