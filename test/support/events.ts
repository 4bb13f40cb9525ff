// Events as callers read them, and waits for them.
import type { EventType } from "#domain/event.ts";
import type { EventDoc } from "#events/store/event-model.ts";
import { expect } from "vitest";
import type { ClanCaller } from "./clan-caller.ts";
import { LOOK_EVERY_MS } from "#events/bounds.ts";
import { expectResponse } from "./responses.ts";
import { until } from "./until.ts";
import type { World } from "./world.ts";

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

/** Signals end the calls: without one, each ends when the process looks, LOOK_EVERY_MS after the one before. */
export async function expectWoken(clan: ClanCaller): Promise<void> {
  const calls = 3;
  let { cursor } = await readEvents(clan, "?after=now");
  const beganAt = performance.now();
  for (let call = 0; call < calls; call += 1) {
    const waiting = readEvents(clan, `?wait=25&types=member.joined&after=${cursor}`);
    expectResponse("apply-award", await clan.award(`woken-${call}`, { amount: 100 }));
    const page = await waiting;
    expect(page.events).toMatchObject([{ data: { platformId: `woken-${call}` } }]);
    ({ cursor } = page);
  }
  expect(performance.now() - beganAt).toBeLessThan((calls - 1) * LOOK_EVERY_MS);
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
