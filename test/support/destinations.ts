// Destinations of a test: added without the command line, and events for them without awards.
import { randomBytes } from "node:crypto";
import { destinationTypesDefault, type Destination, type DestinationSecrets } from "#domain/destination.ts";
import type { ClanEvent, EventBody } from "#domain/event.ts";
import { makeSealer } from "#delivery/couriers/sealer.ts";
import { systemClock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import type { PublicPagesConfig } from "#process/config.ts";
import type { NotifierSettings } from "#process/notifier-settings.ts";
import type { Database } from "#mongo/database.ts";
import { makeDeliveryStore } from "#delivery/store/delivery-store.ts";
import { makeDestinationStore } from "#delivery/store/destination-store.ts";
import { makeEventChain } from "#events/store/event-chain.ts";
import { makeEventFeed } from "#events/store/event-feed.ts";
import type { DeliveryLog, DestinationAction, DestinationChange, DestinationStore } from "#delivery/ports.ts";
import { testActor } from "./actor.ts";
import { rankChange } from "./sample-events.ts";
import { until } from "./until.ts";

const secretsKey = randomBytes(32).toString("base64");

/** Of a notifier that may reach this machine, with waits that tests can await. */
export const notifierSettings: NotifierSettings & PublicPagesConfig = {
  secretsKey,
  allowPrivate: ["127.0.0.0/8", "::1/128"],
  webhookTimeoutMs: 2_000,
  deliveryRetentionDays: 30,
  deliveryRetryS: [0.05, 0.1, 0.2],
  deliveryProbeS: [0.05, 0.1],
  deliveryDisableAfterH: 120,
  robloxApiUrl: "http://127.0.0.1:9",
  discordApiUrl: "http://127.0.0.1:9",
  dashboardUrl: "https://clans.example.com",
  publicPages: true,
};

const ids = makeIds(systemClock);
type Opened = Pick<Database, "db" | "interruptions">;

export type TestDestinations = {
  store: DestinationStore;
  log: DeliveryLog;
  /** A webhook by default, from the end of the clan's events on. Returns its id. */
  add(clanId: string, secrets: DestinationSecrets, changes?: Partial<Destination>): Promise<string>;
  /** The clan's events that a destination receives by default. */
  eventsOf(clanId: string): Promise<ClanEvent[]>;
  /** Adds events to the clan's chain, as a worker does; no reader is notified. */
  append(clanId: string, bodies: readonly EventBody[]): Promise<ClanEvent[]>;
  /** As a person changes it. */
  change(destinationId: string, change: DestinationChange, action?: DestinationAction): Promise<void>;
  /** Resolves with the destination once it is so. */
  untilIs(destinationId: string, isSo: (destination: Destination) => boolean): Promise<Destination>;
  /** Resolves once no delivery waits, and every event was taken. */
  untilDone(destinationId: string): Promise<void>;
};

export function destinationsIn(database: Opened): TestDestinations {
  const store = makeDestinationStore(database);
  const log = makeDeliveryStore(database);
  const feed = makeEventFeed(database);
  const chain = makeEventChain(database);
  const sealer = makeSealer(secretsKey);

  return {
    store,
    log,
    async add(clanId, secrets, changes = {}) {
      const destinationId = ids.destination();
      const by = { kind: secrets.kind, createdBy: testActor.actor };
      const destination = webhookOf(clanId, destinationId, { ...by, ...changes });
      const sealed = sealer.seal(JSON.stringify(secrets), destinationId);
      const added = { destination, sealed, position: await feed.end(clanId) };
      const outcome = await store.add(added, { max: 10 }, testActor);
      if (outcome !== "added") throw new Error(`not added: ${outcome}`);
      return destinationId;
    },
    async eventsOf(clanId) {
      const options = { types: destinationTypesDefault, limit: 100_000, examined: 1_000_000 };
      return (await feed.readAfter(clanId, "oldest", options))?.events ?? [];
    },
    async append(clanId, bodies) {
      const at = new Date();
      for (;;) {
        const end = await chain.newest(clanId);
        const events = bodies.map((body, index) => {
          const ref = { subject: `test/${ids.event()}`, seq: 0, at };
          return { ...body, eventId: ids.event(), ref, clanId, n: end.n + 1 + index, at };
        });
        const added = events.map(({ clanId: _clanId, n: _n, at: _at, ...event }) => event);
        const stored = await chain.append([{ clanId, end, events: added }]);
        if (stored === events.length) return events.map(({ ref: _ref, ...event }) => event);
        // None, if a worker of the test has taken the number meanwhile.
        if (stored > 0) throw new Error(`${stored} of ${events.length} events were appended`);
      }
    },
    async change(destinationId, change, action = "destination.set") {
      const rev = (await store.read(destinationId))?.rev ?? 0;
      const changed = await store.change(destinationId, change, { action, rev }, testActor);
      if (changed === null || changed === "outdated") throw new Error("not changed");
    },
    async untilIs(destinationId, isSo) {
      let found: Destination | undefined;
      await until(async () => {
        found = (await store.read(destinationId))?.destination;
        return found && isSo(found);
      });
      if (!found) throw new Error("there is no such destination");
      return found;
    },
    async untilDone(destinationId) {
      await until(async () => {
        const counts = (await log.counts([destinationId])).get(destinationId);
        return counts && counts.waiting + counts.untried.count === 0;
      });
    },
  };
}

export function webhookTo(url: string): DestinationSecrets {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  return { kind: "webhook", url, signing: [{ secret, endsAt: null }] };
}

/** A rise of this member. */
export function riseOf(platformId: string, seq: number): EventBody {
  return { type: "member.rank_changed", data: { ...rankChange, platformId, name: null, seq } };
}

/** A fall of this member. */
export function fallOf(platformId: string, seq: number): EventBody {
  return { type: "member.rank_changed", data: { ...rankChange, platformId, name: null, seq, direction: "down" } };
}

/** By the clock of a simulation, too. */
export function webhookOf(clanId: string, destinationId: string, changes: Partial<Destination> = {}): Destination {
  const now = new Date(Date.now());
  return {
    destinationId,
    clanId,
    name: destinationId,
    kind: "webhook",
    types: destinationTypesDefault,
    only: null,
    state: "active",
    stateReason: null,
    since: now,
    sendsTo: "masked",
    mapping: null,
    lastDeliveredAt: null,
    missed: 0,
    createdAt: now,
    createdBy: "test",
    ...changes,
  };
}
