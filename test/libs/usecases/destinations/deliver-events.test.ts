// Deliveries whose results MongoDB did not take: they are sent again, and none is forgotten.
import { afterAll, beforeAll, expect, test } from "vitest";
import { AppError } from "#domain/app-error.ts";
import { makeSendOutbound } from "#outbound/send-outbound.ts";
import { makeWebhookCourier } from "#outbound/webhook-courier.ts";
import { makeNotifierCounters } from "#runtime/metrics/notifier-counters.ts";
import { systemClock } from "#runtime/process/clock.ts";
import { makeDeliveryStore } from "#store/destinations/delivery-store.ts";
import { makeHoldStore } from "#store/destinations/hold-store.ts";
import { makeRunStore } from "#store/destinations/run-store.ts";
import { makeEventFeed } from "#store/events/event-feed.ts";
import { makeDeliverEvents } from "#usecases/destinations/deliver-events.ts";
import { makePlaces } from "#usecases/destinations/places.ts";
import type { EventSignal } from "#usecases/events/ports.ts";
import { destinationsIn, riseOf, webhookTo, type TestDestinations } from "../../../support/destinations.ts";
import { startReceiver, type Receiver } from "../../../support/receiver.ts";
import { silentLog } from "../../../support/silent-log.ts";
import { until } from "../../../support/until.ts";
import { makeWorld, type World } from "../../../support/world.ts";

const HOUR_MS = 3_600_000;
/** Nobody is notified: each wait ends when a request has ended, or after its time. */
const signal: EventSignal = {
  watch() {
    let wake = (): void => {};
    return {
      wait: (ms) =>
        new Promise((resolve) => {
          wake = resolve;
          setTimeout(resolve, Math.min(ms, 50));
        }),
      wake: () => wake(),
      end() {},
    };
  },
  isConnected: () => false,
};

let world: World;
let receiver: Receiver;
let destinations: TestDestinations;
let clanId: string;

beforeAll(async () => {
  world = await makeWorld();
  receiver = await startReceiver();
  destinations = destinationsIn(world.database);
  clanId = (await world.makeClan()).clan.clanId;
});
afterAll(async () => {
  await receiver.close();
  await world.close();
});

/** Delivers in this process. While it `isDown`, MongoDB takes no results, and the destination may be held elsewhere. */
function deliver(id: string, mongo: { isDown: boolean; wasNoticed?: boolean }): () => Promise<void> {
  const { database } = world;
  const secrets = webhookTo(receiver.url);
  const deliveries = makeDeliveryStore(database);
  const send = makeSendOutbound({ allowPrivate: ["127.0.0.0/8"] });
  const courier = makeWebhookCourier({ send, version: "test", timeoutMs: 2_000, clock: systemClock });
  const stopping = new AbortController();
  const run = makeDeliverEvents({
    feed: makeEventFeed(database),
    runs: makeRunStore(database),
    deliveries: {
      ...deliveries,
      record: (...args) => {
        if (mongo.isDown) return Promise.reject(new AppError("unavailable", "MongoDB is down"));
        return deliveries.record(...args);
      },
    },
    courier,
    places: makePlaces(systemClock),
    signal,
    schedule: { retryMs: [50], probeMs: [50], disableAfterMs: HOUR_MS },
    meter: makeNotifierCounters(),
    clock: systemClock,
    random: () => 0,
    log: silentLog,
  });
  const isHeld = (): boolean => {
    if (mongo.isDown) mongo.wasNoticed = true;
    return !mongo.isDown;
  };
  const by = { lease: { notifierId: "n", leaseId: "l" }, token: "t", ended: [] };
  const holds = makeHoldStore(database);
  /** Until it has ended, as a notifier does. */
  async function work(): Promise<void> {
    const [claimed] = await holds.claim([id], by);
    if (!claimed) throw new Error("the destination is held");
    const { sealed: _sealed, ...facts } = claimed;
    const held = { ...facts, secrets, token: by.token, signal: stopping.signal, isHeld, now: () => new Date() };
    if ((await run(held)) === "outdated") await work();
  }
  const working = work();
  return async () => {
    stopping.abort();
    await working;
  };
}

test("a delivery whose result was not recorded is sent again, once MongoDB is available", async () => {
  const mongo = { isDown: false, wasNoticed: false };
  receiver.answer((_, index) => {
    mongo.isDown = index === 0;
    return { status: 204 };
  });
  const id = await destinations.add(clanId, webhookTo(receiver.url));
  const stop = deliver(id, mongo);
  await destinations.append(clanId, [riseOf("a", 1)]);
  await receiver.received(1);
  await until(() => mongo.wasNoticed);
  mongo.isDown = false;
  await receiver.received(2);
  await destinations.untilDone(id);
  await stop();
  const [first, second] = receiver.requests;
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
});

test("a destination that several responses disable is disabled once", async () => {
  receiver.answer(({ body }) => ({ status: JSON.parse(body).data.seq > 6 ? 500 : 410 }));
  const id = await destinations.add(clanId, webhookTo(receiver.url));
  const stop = deliver(id, { isDown: false });
  await destinations.append(
    clanId,
    Array.from({ length: 12 }, (_, index) => riseOf(`m${index}`, index + 1)),
  );
  await destinations.untilIs(id, ({ state }) => state === "disabled");
  await stop();
  const { state } = await destinations.untilIs(id, () => true);
  const disabled = await world.database.db().collection("outbox").countDocuments({ "event.data.destinationId": id });
  expect([state, disabled]).toStrictEqual(["disabled", 1]);
});
