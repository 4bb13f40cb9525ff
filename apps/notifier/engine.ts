// Works on destinations: holds those that are this process's, sends what they are to receive, does what people ask for,
// and deletes old deliveries.
import { repeat } from "#async/repeat.ts";
import { makeSealer } from "#outbound/sealer.ts";
import { makeSendOutbound } from "#outbound/send-outbound.ts";
import { makeWebhookCourier } from "#outbound/webhook-courier.ts";
import { makeIds } from "#runtime/process/ids.ts";
import { packageVersion } from "#runtime/process/package-version.ts";
import type { NotifierConfig } from "#runtime/process/config.ts";
import { digest } from "#runtime/process/secrets.ts";
import type { Clock, Log } from "#runtime/ports.ts";
import { makeCallStore } from "#store/destinations/call-store.ts";
import { makeDeliveryCounts } from "#store/destinations/delivery-counts.ts";
import { makeDeliveryStore } from "#store/destinations/delivery-store.ts";
import { makeHoldStore } from "#store/destinations/hold-store.ts";
import { makeRunStore } from "#store/destinations/run-store.ts";
import { makeEventFeed } from "#store/events/event-feed.ts";
import { startAnswerCalls } from "#usecases/destinations/answer-calls.ts";
import { DELIVERIES_PER_DELETE, DELIVERY_RETENTION_EVERY_MS } from "#usecases/destinations/bounds.ts";
import { makeDeliverEvents } from "#usecases/destinations/deliver-events.ts";
import { startHoldDestinations } from "#usecases/destinations/hold-destinations.ts";
import type { DestinationsState, NotifierMeter } from "#usecases/destinations/meter.ts";
import { makePlaces } from "#usecases/destinations/places.ts";
import type { Connections } from "./connections.ts";

export type Engine = {
  readState(): Promise<DestinationsState>;
  /** Resolves once what was in flight has been recorded, and other processes may take what this one held. */
  stop(): Promise<void>;
};

const DAY_MS = 86_400_000;

/** Starts to work as soon as MongoDB is available. `notifierId`: unique to this process. */
export function startEngine(deps: {
  connections: Connections;
  notifierId: string;
  config: NotifierConfig;
  clock: Clock;
  meter: NotifierMeter;
  log: Log;
}): Engine {
  const { connections, notifierId, config, clock, meter, log } = deps;
  const { database, eventSignal: signal } = connections;
  const ids = makeIds(clock);
  const sealer = config.secretsKey === null ? null : makeSealer(config.secretsKey);
  const deliveries = makeDeliveryStore(database);
  const send = makeSendOutbound({ allowPrivate: config.allowPrivate });
  const webhook = makeWebhookCourier({ send, version: packageVersion, timeoutMs: config.webhookTimeoutMs, clock });
  const schedule = {
    retryMs: config.deliveryRetryS.map((s) => s * 1_000),
    probeMs: config.deliveryProbeS.map((s) => s * 1_000),
    disableAfterMs: config.deliveryDisableAfterH * 3_600_000,
  };
  const delivering = {
    ...{ feed: makeEventFeed(database), runs: makeRunStore(database), deliveries, places: makePlaces(), signal },
    ...{ schedule, meter, clock, random: Math.random, log },
  };
  const couriers = { webhook, discord: webhook };
  const runners = {
    webhook: makeDeliverEvents({ ...delivering, courier: webhook }),
    discord: makeDeliverEvents({ ...delivering, courier: couriers.discord }),
    "roblox-group": async () => {},
    "discord-roles": async () => {},
  };
  const holds = makeHoldStore(database);
  const holding = startHoldDestinations({
    ...{ holds, notifierId, sealer, runners, newToken: ids.award, digest, clock, log },
  });
  const answering = startAnswerCalls({
    ...{ calls: makeCallStore(database, ids), notifierId, holding, sealer, couriers, clock, log },
    syncNow: async () => ({ members: 0, changed: 0, differences: [] }),
    inspect: async () => ({ fault: "not yet", roles: [] }),
  });
  const retention = repeat(DELIVERY_RETENTION_EVERY_MS, deleteOld, (error) =>
    log.debug({ err: error }, "delivery.retention_failed"),
  );
  database.ready.then(retention.now, () => {});

  async function deleteOld(): Promise<void> {
    const old = { olderThanMs: config.deliveryRetentionDays * DAY_MS, limit: DELIVERIES_PER_DELETE };
    while ((await deliveries.deleteOld(old)) === DELIVERIES_PER_DELETE);
  }

  return {
    async readState() {
      const { destinations, oldestAt } = await makeDeliveryCounts(database).readState();
      const ages = [...oldestAt].map(([kind, at]) => [kind, (clock.now().getTime() - at.getTime()) / 1_000] as const);
      const behindOldestSeconds = Object.fromEntries(ages) as DestinationsState["behindOldestSeconds"];
      return { destinations, behindOldestSeconds, roleSyncOldestSeconds: 0, undecryptable: holding.undecryptable() };
    },
    async stop() {
      await Promise.all([answering.stop(), retention.stop()]);
      await holding.stop();
    },
  };
}
