// Events of changes whose own records nothing may update later: written in the transaction of the change, and deleted
// when they have their numbers.
import { index } from "#mongo/collection.ts";
import type { EventBody } from "#domain/event.ts";

export type OutboxDoc = { clanId: string; at: Date; event: EventBody };

export const OUTBOX = {
  name: "outbox",
  indexes: [
    // In turns between clans.
    index({ clanId: 1, _id: 1 }),
  ],
};
