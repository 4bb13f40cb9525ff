// The collection of events: each clan's chain, and its indexes, each with the query that needs it.
import type { ClanEvent, EventBody, EventType } from "#domain/event.ts";
import { index } from "#mongo/collection.ts";

/**
 * `subject`, `seq`, `at` and `type` say which event of which change it is. An event whose content was deleted keeps its
 * number, its id and its time alone; `aged`: it was deleted by age.
 */
export type EventDoc = {
  _id: { clanId: string; n: number };
  eventId: string;
  at: Date;
  type?: EventType;
  subject?: string;
  seq?: number;
  data?: EventBody["data"];
  aged?: true;
};

export const BY_CHANGE = { "_id.clanId": 1, subject: 1, seq: 1, at: 1, type: 1 } as const;
export const BY_REASON = { "data.reason": 1 } as const;

export const EVENTS = {
  name: "events",
  indexes: [
    // No change gets a second number, whatever a process believes. It also finds a member's events, for an erasure.
    index(BY_CHANGE, { unique: true, partialFilterExpression: { subject: { $exists: true } } }),
    // Reasons of reversals, which an erasure searches for the member's platform ID.
    index(BY_REASON, { partialFilterExpression: { "data.reason": { $gt: "" } } }),
    // Results of periods that name a member, for an erasure.
    index({ "data.top.platformId": 1 }, { partialFilterExpression: { type: "period.final" } }),
  ],
};

/** Null for an event whose content was deleted. */
export function eventOfDoc({ _id, eventId, at, type, data }: EventDoc): ClanEvent | null {
  if (type === undefined || data === undefined) return null;
  return { ..._id, eventId, at, ...({ type, data } as EventBody) };
}
