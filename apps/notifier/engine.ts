// Works on destinations: holds those that are this process's, sends what they are to receive, does what people ask for,
// and deletes old deliveries.
import { logFailures } from "#async/failures.ts";
import { repeat } from "#async/repeat.ts";
import { publicPageResponse } from "#contract/public-page.ts";
import { makeDiscordCourier } from "#outbound/discord-courier.ts";
import { makeDiscordRoles } from "#outbound/discord-roles.ts";
import { makeRobloxGroups } from "#outbound/roblox-groups.ts";
import { makeSealer } from "#outbound/sealer.ts";
import { makeSendOutbound } from "#outbound/send-outbound.ts";
import { makeSendToService } from "#outbound/send-to-service.ts";
import { makeWebhookCourier } from "#outbound/webhook-courier.ts";
import type { NotifierConfig } from "#runtime/process/config.ts";
import { makeIds } from "#runtime/process/ids.ts";
import { packageVersion } from "#runtime/process/package-version.ts";
import { digest } from "#runtime/process/secrets.ts";
import type { Clock, Log } from "#runtime/ports.ts";
import { makeClanStore } from "#store/clans/clan-store.ts";
import { makeCallStore } from "#store/destinations/call-store.ts";
import { makeDeliveryCounts } from "#store/destinations/delivery-counts.ts";
import { makeDeliveryStore } from "#store/destinations/delivery-store.ts";
import { makeDiscordStop } from "#store/destinations/discord-stop.ts";
import { makeHoldStore } from "#store/destinations/hold-store.ts";
import { makeRoleSyncStore } from "#store/destinations/role-sync-store.ts";
import { makeRunStore } from "#store/destinations/run-store.ts";
import { makeEventFeed } from "#store/events/event-feed.ts";
import { makeLedgerStore } from "#store/ledger/ledger-store.ts";
import { makeMemberStore } from "#store/members/member-store.ts";
import { startAnswerCalls } from "#usecases/destinations/answer-calls.ts";
import { DELIVERIES_PER_DELETE, DELIVERY_RETENTION_EVERY_MS } from "#usecases/destinations/bounds.ts";
import { makeDeliverEvents } from "#usecases/destinations/deliver-events.ts";
import { makeFollowRanks } from "#usecases/destinations/follow-ranks.ts";
import { startHoldDestinations } from "#usecases/destinations/hold-destinations.ts";
import { makeInspectCredential } from "#usecases/destinations/inspect-credential.ts";
import type { DestinationsState, NotifierMeter } from "#usecases/destinations/meter.ts";
import { makePlaces } from "#usecases/destinations/places.ts";
import type { DiscordStop } from "#usecases/destinations/ports.ts";
import { ROLE_QUIET_MS } from "#usecases/destinations/role-bounds.ts";
import { makeRoleLanes } from "#usecases/destinations/role-lanes.ts";
import { makeSyncNow } from "#usecases/destinations/sync-now.ts";
import { makeReadRanks } from "#usecases/destinations/read-ranks.ts";
import type { Connections } from "./connections.ts";

export type Engine = {
  readState(): Promise<DestinationsState>;
  /** Resolves once what was in flight has been recorded, and other processes may take what this one held. */
  stop(): Promise<void>;
};

type EngineDeps = {
  connections: Connections;
  notifierId: string;
  config: NotifierConfig;
  clock: Clock;
  meter: NotifierMeter;
  log: Log;
};

const DAY_MS = 86_400_000;
/** The person who asked for a test has its result within 15 s: of a request that takes too long, too. */
const TEST_MS_MAX = 14_000;
const TESTED_TIMEOUT_MS_MAX = TEST_MS_MAX - 1_000;

/** Starts to work as soon as MongoDB is available. `notifierId`: unique to this process. */
export function startEngine(deps: EngineDeps): Engine {
  const { connections, notifierId, config, clock, meter, log } = deps;
  const { database, eventSignal: signal } = connections;
  const ids = makeIds(clock);
  const sealer = config.secretsKey === null ? null : makeSealer(config.secretsKey);
  const deliveries = makeDeliveryStore(database);
  const stop = makeDiscordStop(database);
  const schedule = {
    retryMs: config.deliveryRetryS.map((s) => s * 1_000),
    probeMs: config.deliveryProbeS.map((s) => s * 1_000),
    disableAfterMs: config.deliveryDisableAfterH * 3_600_000,
  };
  const working = {
    feed: makeEventFeed(database),
    runs: makeRunStore(database),
    signal,
    schedule,
    meter,
    clock,
    random: Math.random,
    log,
  };
  const couriers = makeCouriers(deps, stop);
  const delivering = { ...working, deliveries, places: makePlaces(clock) };
  const { followRanks, syncNow, inspect, syncs } = makeRoles(deps, stop, working);
  const runners = {
    webhook: makeDeliverEvents({ ...delivering, courier: couriers.webhook }),
    discord: makeDeliverEvents({ ...delivering, courier: couriers.discord }),
    "roblox-group": followRanks,
    "discord-roles": followRanks,
  };
  const holds = makeHoldStore(database);
  const asked = (): void => answering.look();
  const holdDeps = { holds, asked, runs: working.runs, sealer, runners, newToken: ids.award, digest };
  const holding = startHoldDestinations({ ...holdDeps, notifierId, clock, log });
  const calls = makeCallStore(database, ids);
  const answers = { sealer, couriers: couriers.ofCalls, syncNow, inspect, testMsMax: TEST_MS_MAX };
  const answerDeps = { calls, notifierId, holding, ...answers, clock, log };
  const answering = startAnswerCalls(answerDeps);
  const retention = repeat(DELIVERY_RETENTION_EVERY_MS, deleteOld, logFailures(log, "delivery.retention_failed"));
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
      const roleSyncOldestSeconds = (await syncs.oldestDueMs()) / 1_000;
      return { destinations, behindOldestSeconds, roleSyncOldestSeconds, undecryptable: holding.undecryptable() };
    },
    async stop() {
      await Promise.all([answering.stop(), retention.stop()]);
      await holding.stop();
    },
  };
}

/** How messages are sent. People choose the addresses, in Discord's case too: tests have their own. */
function makeCouriers({ connections, config, clock }: EngineDeps, stop: DiscordStop) {
  const send = makeSendOutbound({ allowPrivate: config.allowPrivate });
  const common = { send, version: packageVersion, timeoutMs: config.webhookTimeoutMs, clock };
  const discord = makeDiscordCourier({ ...common, readPageUrl: pageUrlReader(connections, config), stop });
  const tested = makeWebhookCourier({ ...common, timeoutMs: Math.min(common.timeoutMs, TESTED_TIMEOUT_MS_MAX) });
  return { webhook: makeWebhookCourier(common), discord, ofCalls: { webhook: tested, discord } };
}

/** Where anybody may read the page of a clan. */
function pageUrlReader(
  { database }: Connections,
  { dashboardUrl, publicPages }: NotifierConfig,
): (clanId: string) => Promise<string | null> {
  const clans = makeClanStore(database);
  return async (clanId) => {
    if (dashboardUrl === null || !publicPages) return null;
    const clan = (await clans.read([clanId])).get(clanId);
    return publicPageResponse(clan?.publicPage, dashboardUrl)?.url ?? null;
  };
}

type Working = Pick<Parameters<typeof makeDeliverEvents>[0], "feed" | "runs" | "signal" | "schedule" | "random">;

/** How roles follow ranks, in groups and servers of fixed services. */
function makeRoles({ connections, config, clock, meter, log }: EngineDeps, stop: DiscordStop, working: Working) {
  const { database } = connections;
  const { webhookTimeoutMs: timeoutMs, robloxApiUrl, discordApiUrl } = config;
  const serviceAt = (baseUrl: string) => ({ send: makeSendToService({ serviceUrl: baseUrl }), baseUrl, timeoutMs });
  const userAgent = `DiscordBot (ClanXP, ${packageVersion})`;
  const services = {
    "roblox-group": makeRobloxGroups(serviceAt(robloxApiUrl)),
    "discord-roles": makeDiscordRoles({ ...serviceAt(discordApiUrl), stop, userAgent }),
  };
  const syncs = makeRoleSyncStore(database);
  const readRanks = makeReadRanks({ heads: makeLedgerStore(database), clans: makeClanStore(database) });
  const lanes = makeRoleLanes({ ...working, services, clock, log });
  const comparing = {
    ...working,
    quietMs: ROLE_QUIET_MS,
    lanes,
    syncs,
    readRanks,
    members: makeMemberStore(database),
    meter,
    log,
  };
  return {
    syncs,
    followRanks: makeFollowRanks(comparing),
    syncNow: makeSyncNow(comparing),
    inspect: makeInspectCredential({ services }),
  };
}
