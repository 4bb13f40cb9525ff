// How far a destination is behind: only events count that it receives. And what has failed, sent again.
import { expect, test } from "vitest";
import { summaryTypes, type Destination } from "#domain/destination.ts";
import { eventTypes, type EventBody } from "#domain/event.ts";
import { isWanted, wantedTypes } from "#delivery/wanted-events.ts";
import { makeDeliveryCounts } from "#delivery/store/delivery-counts.ts";
import { eraseResponses } from "#delivery/store/erase-responses.ts";
import { makeEventFeed } from "#events/store/event-feed.ts";
import type { EventDoc } from "#events/store/event-model.ts";
import { makeResendDeliveries } from "#delivery/resend-deliveries.ts";
import { testActor } from "../../../support/actor.ts";
import { destinationsIn, fallOf, riseOf, webhookTo } from "../../../support/destinations.ts";
import { rankChange, sampleEvents } from "../../../support/sample-events.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();
const destinations = destinationsIn(world.database);

const untriedOf = async (id: string) => (await destinations.log.counts([id])).get(id)?.untried;
const disabled = (destinationId: string): EventBody => {
  const data = { destinationId, name: "Our server", kind: "webhook", reason: "410 Gone" };
  return { type: "destination.disabled", data };
};
const leftOf = (platformId: string, seq: number): EventBody => {
  const { xp, rank } = rankChange;
  return { type: "member.left", data: { platformId, name: null, seq, xp, rank, since: new Date() } };
};

test.each<[string, Partial<Destination>]>([
  ["all types", { types: eventTypes }],
  ["all types, rises only", { types: eventTypes, only: "up" }],
  ["the default types, rises only", { only: "up" }],
  ["summaries", { types: summaryTypes, only: "summaries" }],
  ["rank changes alone", { types: ["member.rank_changed"] }],
  ["joins alone, rises only", { types: ["member.joined"], only: "up" }],
])("of %s, the same events are counted as are sent", async (_name, changes) => {
  const { clanId } = (await world.makeClan()).clan;
  const id = await destinations.add(clanId, webhookTo("http://127.0.0.1:9"), changes);
  const destination = await destinations.untilIs(id, () => true);
  const samples = sampleEvents.map(({ type, data }) => ({ type, data }) as EventBody);
  for (const body of [...samples, fallOf("156", 8), disabled(id)]) {
    const before = await untriedOf(id);
    const [event] = await destinations.append(clanId, [body]);
    if (!event) throw new Error("the event was not appended");
    const isSent = wantedTypes(destination).includes(event.type) && isWanted(destination, event);
    const untried = await untriedOf(id);
    expect({ event, added: (untried?.count ?? 0) - (before?.count ?? 0) }).toEqual({ event, added: isSent ? 1 : 0 });
    expect(untried?.oldestAt === null).toBe(untried?.count === 0);
  }
  expect((await untriedOf(id))?.count).toBeGreaterThan(0);
});

test("behind counts the next so many events from the oldest that is stored, however many there are", async () => {
  const { clanId } = (await world.makeClan()).clan;
  const id = await destinations.add(clanId, webhookTo("http://127.0.0.1:9"), { types: ["member.rank_changed"] });
  const kinds: EventBody[] = [1, 2, 3, 4, 5, 6].map((seq) => (seq % 2 === 0 ? riseOf("p", seq) : leftOf("p", seq)));
  const events = await destinations.append(clanId, kinds);
  const counts = makeDeliveryCounts(world.database, { examinedMax: 3 });
  const behind = async () => (await counts.counts([id])).get(id)?.untried;
  expect(await behind()).toStrictEqual({ count: 1, oldestAt: events[1]?.at });
  await world.database
    .db()
    .collection<EventDoc>("events")
    .deleteMany({ _id: { $lte: { clanId, n: 2 } } });
  // 3, 4 and 5.
  expect((await behind())?.count).toBe(1);
  await world.database
    .db()
    .collection<EventDoc>("events")
    .deleteMany({ _id: { $lte: { clanId, n: 3 } } });
  // 4, 5 and 6.
  expect((await behind())?.count).toBe(2);
});

test("all failed deliveries are sent again, in several transactions if there are many", async () => {
  const { clanId } = (await world.makeClan()).clan;
  const id = await destinations.add(clanId, webhookTo("http://127.0.0.1:9"), { state: "paused" });
  const failedAt = { type: "member.joined", at: new Date(), state: "failed", tried: 10 } as const;
  const docs = Array.from({ length: 2_100 }, (_, index) => {
    const ids = { _id: { destinationId: id, n: index + 1 }, eventId: `evt_${index}` };
    return { ...ids, ...failedAt, attempts: [], nextAt: null, reason: null, endedAt: new Date() };
  });
  const { deliveries, audit } = world.database.stored;
  await deliveries.insertMany(docs);
  const resend = makeResendDeliveries({
    destinations: destinations.store,
    deliveries: destinations.log,
    events: makeEventFeed(world.database),
  });
  expect(await resend(id, { failed: true }, testActor)).toStrictEqual({ kind: "resent", events: 2_100 });
  const states = (await destinations.log.counts([id])).get(id);
  expect([states?.failed, states?.waiting]).toStrictEqual([0, 2_100]);
  const noted = await audit.find({ target: id, action: "destination.resend" }).sort({ _id: 1 }).toArray();
  expect(noted.map(({ after }) => Number(after?.["events"])).toSorted((a, b) => b - a)).toStrictEqual([
    1_000, 1_000, 100,
  ]);
});

test("what receivers have responded to erased events is deleted, and nothing else of their deliveries", async () => {
  const { clanId } = (await world.makeClan()).clan;
  const id = await destinations.add(clanId, webhookTo("http://127.0.0.1:9"), { state: "paused" });
  const attempt = { at: new Date(), ms: 3, status: 500, error: "status", response: "cannot store Zoe" } as const;
  const docs = [1, 2].map((n) => {
    const facts = { type: "member.joined", at: new Date(), state: "delivered", tried: 2 } as const;
    const ids = { _id: { destinationId: id, n }, eventId: `evt_${n}` };
    return { ...ids, ...facts, attempts: [attempt, attempt], nextAt: null, reason: null };
  });
  await world.database.stored.deliveries.insertMany(docs);
  await eraseResponses(world.database, clanId, [2, 3]);
  const { items } = await destinations.log.page(id, { states: null, before: null, limit: 5 });
  const erased = { ...attempt, response: null };
  expect(items.map(({ attempts }) => attempts)).toStrictEqual([
    [erased, erased],
    [attempt, attempt],
  ]);
});
