// MongoDB's stores of deliveries, held to the same guarantees as those of the simulation.
import { makeDeliveryStore } from "#delivery/store/delivery-store.ts";
import { makeHoldStore } from "#delivery/store/hold-store.ts";
import { makeRunStore } from "#delivery/store/run-store.ts";
import { makeEventFeed } from "#events/store/event-feed.ts";
import { testActor } from "../../../support/actor.ts";
import { testDeliveryStores } from "../../../support/delivery-stores-suite.ts";
import { destinationsIn, webhookTo } from "../../../support/destinations.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();

testDeliveryStores(async () => {
  const { database } = world;
  const { clanId } = (await world.makeClan()).clan;
  const destinations = destinationsIn(database);
  const events = database.db().collection<{ _id: { clanId: string; n: number } }>("events");
  const idsUpTo = (to: number) => ({ _id: { $gt: { clanId, n: 0 }, $lte: { clanId, n: to } } });
  const content = { type: "", subject: "", seq: "", data: "" } as const;
  return {
    clanId,
    feed: makeEventFeed(database),
    runs: makeRunStore(database),
    deliveries: makeDeliveryStore(database),
    holds: makeHoldStore(database),
    add: () => destinations.add(clanId, webhookTo("https://example.com/")),
    append: (bodies) => destinations.append(clanId, bodies),
    async erase(numbers) {
      await events.updateMany({ _id: { $in: numbers.map((n) => ({ clanId, n })) } }, { $unset: content });
    },
    // As event-upkeep.ts does.
    async age(to) {
      const newest = (await makeEventFeed(database).end(clanId)).n;
      await events.deleteMany(idsUpTo(Math.min(to, newest - 1)));
      if (to >= newest)
        await events.updateOne({ _id: { clanId, n: newest } }, { $unset: content, $set: { aged: true } });
    },
    resend: (destinationId, resent) => destinations.log.resend(destinationId, { events: resent }, testActor),
    stateOf: async (destinationId) => (await destinations.store.read(destinationId))?.destination.state,
  };
});
