// A clan's chain of events in MongoDB: read from every position, and deleted by age.
import { describe, expect, test } from "vitest";
import { eventTypes, type ClanEvent } from "#domain/event.ts";
import { systemClock } from "#runtime/process/clock.ts";
import { makeIds } from "#runtime/process/ids.ts";
import { makeEventChain } from "#store/events/event-chain.ts";
import { makeEventFeed } from "#store/events/event-feed.ts";
import { makeEventUpkeep } from "#store/events/event-upkeep.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();

const ids = makeIds(systemClock);

async function eventsOf(clanId: string): Promise<ClanEvent[]> {
  const read = await makeEventFeed(world.database).readAfter(clanId, "oldest", {
    types: eventTypes,
    limit: 10_000,
    examined: 10_000,
  });
  return read?.events ?? [];
}

function placesOf(events: readonly ClanEvent[]): string[] {
  return events.map(({ n, data }) => ("seq" in data ? `${n} ${data.platformId}/${data.seq}` : `${n}`));
}

describe("the chain", () => {
  const all = { types: eventTypes, limit: 100, examined: 100 } as const;

  async function chainOf(count: number) {
    const clanId = `c-${ids.award()}`;
    const { database } = world;
    const events = { ...makeEventChain(database), ...makeEventFeed(database), ...makeEventUpkeep(database) };
    const at = (index: number): Date => new Date(Date.now() - (count - index) * 60_000);
    const added = Array.from({ length: count }, (_, index) => ({
      type: "batch.done" as const,
      data: { batchId: `b${index}`, applied: 1, rejected: 0, createdAt: at(index), finishedAt: at(index) },
      eventId: `evt_${index}`,
      ref: { subject: `batch/b${index}`, seq: 0, at: at(index) },
    }));
    expect(await events.append([{ clanId, end: await events.newest(clanId), events: added }])).toBe(count);
    return { clanId, events };
  }

  test("is read on from every position, and not from one that is not in it", async () => {
    const { clanId, events } = await chainOf(5);
    const first = await events.readAfter(clanId, "oldest", { ...all, limit: 2 });
    expect(first).toMatchObject({ events: [{ n: 1 }, { n: 2 }], reached: { n: 2 }, hasMore: true });
    const rest = await events.readAfter(clanId, first?.reached ?? "oldest", all);
    expect(rest).toMatchObject({ events: [{ n: 3 }, { n: 4 }, { n: 5 }], reached: { n: 5 }, hasMore: false });
    expect(await events.readAfter(clanId, await events.end(clanId), all)).toMatchObject({ events: [], hasMore: false });
    expect(await events.readAfter(clanId, { n: 2, eventId: "evt_other" }, all)).toBeNull();
    expect(await events.readAfter(clanId, { n: 6, eventId: "evt_6" }, all)).toBeNull();
    expect(await events.readAfter("nobody", "oldest", all)).toStrictEqual({
      events: [],
      reached: { n: 0, eventId: "" },
      hasMore: false,
    });
  });

  test("passes events of other types, a bounded number at a time", async () => {
    const { clanId, events } = await chainOf(5);
    const none = { types: ["member.left"], limit: 10, examined: 3 } as const;
    const passed = await events.readAfter(clanId, "oldest", none);
    expect(passed).toMatchObject({ events: [], reached: { n: 3, eventId: "evt_2" }, hasMore: true });
    expect(await events.readAfter(clanId, passed?.reached ?? "oldest", none)).toMatchObject({
      events: [],
      reached: { n: 5 },
      hasMore: false,
    });
  });

  test("loses its beginning by age, and continues its numbers", async () => {
    const { clanId, events } = await chainOf(5);
    const old = { olderThanMs: 2.5 * 60_000, limit: 2 };
    expect(await events.deleteOld(clanId, old)).toBe(2);
    expect(await events.deleteOld(clanId, old)).toBe(1);
    expect(await events.deleteOld(clanId, old)).toBe(0);
    expect(placesOf(await eventsOf(clanId))).toStrictEqual(["4", "5"]);
    expect(await events.readAfter(clanId, { n: 2, eventId: "evt_1" }, all)).toBeNull();
    expect(await events.readAfter(clanId, { n: 0, eventId: "" }, all)).toBeNull();
    expect(await events.deleteOld(clanId, { olderThanMs: 1, limit: 10 })).toBe(1);
    expect(await events.deleteOld(clanId, { olderThanMs: 1, limit: 10 })).toBe(0);
    expect(await eventsOf(clanId)).toStrictEqual([]);
    expect(await events.newest(clanId)).toMatchObject({ n: 5 });
    expect(await events.readAfter(clanId, { n: 5, eventId: "evt_4" }, all)).toMatchObject({
      events: [],
      hasMore: false,
    });
  });
});
