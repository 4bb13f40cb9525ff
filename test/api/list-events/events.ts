// What the tests of events share: reading a clan's events, and waiting until there are some.
import type { EventType } from "#domain/event.ts";
import type { EventDoc } from "#store/events/event-model.ts";
import type { ClanCaller } from "../../support/clan-caller.ts";
import { expectResponse } from "../../support/responses.ts";
import { until } from "../../support/until.ts";
import type { World } from "../../support/world.ts";

export type Page = { events: any[]; cursor: string; hasMore: boolean };

export async function readEvents(clan: Pick<ClanCaller, "get">, query = ""): Promise<Page> {
  return expectResponse("list-events", await clan.get(`/events${query}`));
}

/** Resolves with the clan's events once there are `count`. */
export async function eventsOf(clan: ClanCaller, count: number): Promise<any[]> {
  let events: any[] = [];
  await until(async () => ({ events } = await readEvents(clan, "?limit=200")).events.length >= count);
  return events;
}

export function eventsIn({ database }: Pick<World, "database">) {
  return database.db().collection<EventDoc>("events");
}

/** Appends to the chain of a clan whose only change is its key. */
export async function insertEvents(
  world: Pick<World, "database">,
  { clanId }: Pick<ClanCaller, "clanId">,
  count: number,
  type: EventType = "events.erased",
): Promise<void> {
  let n = 0;
  await until(async () => (n = await newestOf(world, clanId)) > 0);
  await eventsIn(world).insertMany(
    Array.from({ length: count }, (_, index): EventDoc => {
      const eventId = `evt_${crypto.randomUUID().slice(0, 16)}`;
      const [_id, subject] = [{ clanId, n: n + 1 + index }, `erasure/${eventId}`];
      return { _id, eventId, at: new Date(), type, subject, seq: 0, data: { eventIds: [eventId] } };
    }),
  );
}

async function newestOf(world: Pick<World, "database">, clanId: string): Promise<number> {
  const newest = await eventsIn(world).findOne({ "_id.clanId": clanId }, { sort: { _id: -1 } });
  return newest?._id.n ?? 0;
}
