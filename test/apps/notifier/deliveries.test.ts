// Deliveries, as docs/concepts/destinations.md describes them: a notifier in this process,
// real receivers, and events that are appended to the clan's chain.
import { describe, expect, onTestFinished, test } from "vitest";
import type { DeliveryState } from "#domain/destination.ts";
import type { EventBody } from "#domain/event.ts";
import type { NotifierSettings } from "#process/notifier-settings.ts";
import { makeEventUpkeep } from "#events/store/event-upkeep.ts";
import { testActor } from "../../support/actor.ts";
import { destinationsIn, riseOf, webhookTo } from "../../support/destinations.ts";
import { rankChange } from "../../support/sample-events.ts";
import { startReceiver, type Received, type Receiver } from "../../support/receiver.ts";
import { useWorld } from "../../support/use-api.ts";

/** Longer than a busy machine takes: a request is repeated after its timeout. */
const config: Partial<NotifierSettings> = { webhookTimeoutMs: 30_000 };
const world = await useWorld();
const destinations = destinationsIn(world.database);
await world.startNotifier({ config });

async function newReceiver(): Promise<Receiver> {
  const started = await startReceiver();
  onTestFinished(() => started.close());
  return started;
}

/** A new clan, so that nothing of other tests is sent, with a webhook at a new receiver. */
async function newWebhook() {
  const [to, clanId] = [await newReceiver(), (await world.makeClan()).clan.clanId];
  return { to, clanId, id: await destinations.add(clanId, webhookTo(to.url)) };
}

const idsOf = (requests: readonly Received[]): unknown[] => requests.map(({ headers }) => headers["webhook-id"]);
const seqsOf = (requests: readonly Received[], platformId: string): number[] =>
  requests
    .map(({ body }) => JSON.parse(body).data)
    .flatMap((data) => (data.platformId === platformId ? [data.seq] : []));

async function statesOf(destinationId: string): Promise<DeliveryState[]> {
  const { items } = await destinations.log.page(destinationId, { states: null, before: null, limit: 10_000 });
  return items.map(({ state }) => state).toReversed();
}

describe("a webhook", () => {
  test("receives every event once, those of a member in order", async () => {
    const { to, clanId, id } = await newWebhook();
    const members = ["a", "b", "c"];
    const events = await destinations.append(
      clanId,
      Array.from({ length: 300 }, (_, index) => riseOf(members[index % 3] ?? "a", index + 1)),
    );
    await destinations.untilDone(id);
    expect(new Set(idsOf(to.requests))).toStrictEqual(new Set(events.map(({ eventId }) => eventId)));
    expect(to.requests).toHaveLength(events.length);
    for (const member of members)
      expect(seqsOf(to.requests, member)).toStrictEqual(seqsOf(to.requests, member).toSorted((a, b) => a - b));
    expect(new Set(await statesOf(id))).toStrictEqual(new Set(["delivered"]));
    expect(to.atOnceMax()).toBeLessThanOrEqual(8);
  });

  test("a failed event is retried, and holds back its member alone", async () => {
    const { to, clanId, id } = await newWebhook();
    const isOfA = ({ body }: Received): boolean => JSON.parse(body).data.platformId === "a";
    let failures = 0;
    to.answer((request) => ({ status: isOfA(request) && ++failures <= 2 ? 500 : 204 }));
    const events = await destinations.append(clanId, [riseOf("a", 1), riseOf("a", 2), riseOf("b", 3), riseOf("b", 4)]);
    await destinations.untilDone(id);
    expect(seqsOf(to.requests, "a")).toStrictEqual([1, 1, 1, 2]);
    expect(seqsOf(to.requests, "b")).toStrictEqual([3, 4]);
    const ofFirst = to.requests.filter(({ headers }) => headers["webhook-id"] === events[0]?.eventId);
    expect(new Set(ofFirst.map(({ body }) => body)).size).toBe(1);
    // Before the second attempt of a, b has everything.
    expect(idsOf(to.requests).indexOf(events[3]?.eventId)).toBeLessThan(
      idsOf(to.requests).lastIndexOf(events[0]?.eventId),
    );
  });

  test("what its member is called is not stored of a response", async () => {
    const { to, clanId, id } = await newWebhook();
    to.answer(({ body }) => ({
      status: 200,
      body: JSON.parse(body).data.seq === 1 ? "hello member-1" : "x".repeat(2_000),
    }));
    await destinations.append(clanId, [riseOf("member-1", 1), riseOf("member-1", 2)]);
    await destinations.untilDone(id);
    const { items } = await destinations.log.page(id, { states: null, before: null, limit: 5 });
    expect(items.map(({ attempts }) => attempts[0]?.response)).toStrictEqual(["x".repeat(1_024), null]);
  });
});

test("an event that cannot be sent fails alone", async () => {
  const { clanId, id } = await newWebhook();
  const damaged = { type: "member.joined", data: { ...rankChange, since: "not a date" } } as unknown as EventBody;
  await destinations.append(clanId, [damaged, riseOf("a", 1)]);
  await destinations.untilDone(id);
  expect(await statesOf(id)).toStrictEqual(["failed", "delivered"]);
});

describe("an outage", () => {
  test("is probed with one request at a time, and everything arrives after it", async () => {
    const { to, clanId, id } = await newWebhook();
    to.answer({ status: 500 });
    const events = await destinations.append(
      clanId,
      Array.from({ length: 30 }, (_, index) => riseOf(`m${index}`, 1)),
    );
    const failing = await destinations.untilIs(id, ({ state }) => state === "failing");
    expect(failing.stateReason).toContain("status 500");
    const before = to.requests.length;
    await to.received(before + 4);
    // Probes alternate between the oldest event and one that was not sent yet.
    const probes = idsOf(to.requests.slice(before + 1, before + 4));
    expect(new Set(probes).size).toBeGreaterThan(1);
    to.answer({ status: 204 });
    await destinations.untilDone(id);
    expect((await destinations.untilIs(id, ({ state }) => state === "active")).stateReason).toBeNull();
    expect(new Set(await statesOf(id))).toStrictEqual(new Set(["delivered"]));
    expect(new Set(idsOf(to.requests))).toStrictEqual(new Set(events.map(({ eventId }) => eventId)));
  });

  test("410 disables it at once, the clan's other destinations receive it, and resuming continues", async () => {
    const [{ to, clanId, id }, other] = [await newWebhook(), await newReceiver()];
    await destinations.add(clanId, webhookTo(other.url));
    to.answer({ status: 410 });
    await world.startWorker();
    await destinations.append(clanId, [riseOf("a", 1), riseOf("b", 1)]);
    const disabled = await destinations.untilIs(id, ({ state }) => state === "disabled");
    expect(disabled.stateReason).toContain("410");
    const received = (await other.received(3)).map(({ body }) => JSON.parse(body));
    expect(received.find(({ type }) => type === "destination.disabled")?.data).toMatchObject({ destinationId: id });
    to.answer({ status: 204 });
    const active = { state: "active", stateReason: null } as const;
    await destinations.change(id, active, "destination.resume");
    await destinations.untilDone(id);
    expect(new Set(await statesOf(id))).toStrictEqual(new Set(["delivered"]));
  });

  test("a receiver that asks for a rest gets it, and no attempt is used up", async () => {
    const { to, clanId, id } = await newWebhook();
    to.answer((_, index) => (index === 0 ? { status: 429, headers: { "retry-after": "1" } } : { status: 204 }));
    await destinations.append(clanId, [riseOf("a", 1)]);
    await destinations.untilDone(id);
    const [first, second] = to.requests;
    // Whole milliseconds, by two clocks.
    expect((second?.at.getTime() ?? 0) - (first?.at.getTime() ?? 0)).toBeGreaterThanOrEqual(990);
    const { items } = await destinations.log.page(id, { states: null, before: null, limit: 5 });
    expect(items[0]?.attempts.map(({ status }) => status)).toStrictEqual([429, 204]);
  });
});

describe("people", () => {
  test("deliveries that are sent again arrive with the same ids and bodies, in the order of the events, one after the other", async () => {
    const { to, clanId, id } = await newWebhook();
    const bodies = Array.from({ length: 20 }, (_, index) => riseOf(`m${index}`, 1));
    const events = await destinations.append(clanId, bodies);
    await destinations.untilDone(id);
    let [open, openMax] = [0, 0];
    to.answer(async () => {
      openMax = Math.max(openMax, (open += 1));
      await new Promise(setImmediate);
      open -= 1;
      return { status: 204 };
    });
    expect(await destinations.log.resend(id, { events }, testActor)).toBe(events.length);
    const again = (await to.received(2 * events.length)).slice(events.length);
    expect(idsOf(again)).toStrictEqual(events.map(({ eventId }) => eventId));
    const bodiesOf = (sent: readonly Received[]) => new Set(sent.map(({ body }) => body));
    expect(bodiesOf(again)).toStrictEqual(bodiesOf(to.requests.slice(0, events.length)));
    expect(openMax).toBe(1);
  });

  test("an event whose content was erased is not sent any more", async () => {
    const { to, clanId, id } = await newWebhook();
    const gate = Promise.withResolvers<void>();
    to.answer(async () => {
      await gate.promise;
      return { status: 500 };
    });
    await destinations.append(clanId, [riseOf("a", 1)]);
    await to.received(1);
    await world.database
      .db()
      .collection("events")
      .updateMany({ "_id.clanId": clanId }, { $unset: { data: "", type: "" } });
    gate.resolve();
    await destinations.untilDone(id);
    expect(await statesOf(id)).toStrictEqual(["erased"]);
  });
});

test("events that are deleted by age before they could be sent are skipped, and counted as missed", async () => {
  const { to, clanId, id } = await newWebhook();
  const gate = Promise.withResolvers<void>();
  to.answer(async () => {
    await gate.promise;
    return { status: 500 };
  });
  const [first] = await destinations.append(clanId, [riseOf("a", 1), riseOf("a", 2), riseOf("a", 3)]);
  await to.received(1);
  const { deleteOld } = makeEventUpkeep(world.database);
  // Of the newest event, the number stays.
  while ((await deleteOld(clanId, { olderThanMs: 0, limit: 2 })) > 0);
  gate.resolve();
  await destinations.untilDone(id);
  expect(idsOf(to.requests)).toStrictEqual([first?.eventId]);
  const { items } = await destinations.log.page(id, { states: null, before: null, limit: 5 });
  const aged = { state: "skipped", reason: "deleted by age before it could be sent" };
  expect(items).toMatchObject([aged, aged, aged]);
  expect(await destinations.untilIs(id, () => true)).toMatchObject({ state: "active", missed: 3 });
});

describe("several notifiers", () => {
  test("share the destinations, and each event is sent once", async () => {
    const [to, clanId] = [await newReceiver(), (await world.makeClan()).clan.clanId];
    await Promise.all([world.startNotifier({ config }), world.startNotifier({ config })]);
    const added = await Promise.all(Array.from({ length: 6 }, () => destinations.add(clanId, webhookTo(to.url))));
    const events = await destinations.append(
      clanId,
      Array.from({ length: 20 }, (_, index) => riseOf("a", index + 1)),
    );
    for (const id of added) await destinations.untilDone(id);
    expect(to.requests).toHaveLength(events.length * added.length);
  });
});
