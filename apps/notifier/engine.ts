// Works on destinations: holds those that are this process's, sends what they are to receive, does what people ask for,
// and deletes old deliveries.
import { logFailures } from "#async/failures.ts";
import { repeat } from "#async/repeat.ts";
import { publicPageResponse } from "#contract/public-page.ts";
import { makeDiscordCourier } from "#delivery/couriers/discord-courier.ts";
import { makeDiscordRoles } from "#delivery/couriers/discord-roles.ts";
import { makeRobloxGroups } from "#delivery/couriers/roblox-groups.ts";
import { makeSealer } from "#delivery/couriers/sealer.ts";
import { makeSendOutbound } from "#delivery/couriers/send-outbound.ts";
import { makeSendToService } from "#delivery/couriers/send-to-service.ts";
import { makeWebhookCourier } from "#delivery/couriers/webhook-courier.ts";
import type { NotifierConfig } from "#process/config.ts";
import { makeIds } from "#process/ids.ts";
import { packageVersion } from "#process/package-version.ts";
import { digest } from "#process/secrets.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import { makeClanStore } from "#clans/store/clan-store.ts";
import { makeCallStore } from "#delivery/store/call-store.ts";
import { makeDeliveryCounts } from "#delivery/store/delivery-counts.ts";
import { makeDeliveryStore } from "#delivery/store/delivery-store.ts";
import { makeDiscordStop } from "#delivery/store/discord-stop.ts";
import { makeHoldStore } from "#delivery/store/hold-store.ts";
import { makeRoleSyncStore } from "#delivery/store/role-sync-store.ts";
import { makeRunStore } from "#delivery/store/run-store.ts";
import { makeEventFeed } from "#events/store/event-feed.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { makeMemberStore } from "#members/store/member-store.ts";
import { startAnswerCalls } from "#delivery/answer-calls.ts";
import { DELIVERIES_PER_DELETE, DELIVERY_RETENTION_EVERY_MS } from "#delivery/bounds.ts";
import { makeDeliverEvents } from "#delivery/deliver-events.ts";
import { makeFollowRanks } from "#delivery/follow-ranks.ts";
import { startHoldDestinations } from "#delivery/hold-destinations.ts";
import { makeInspectCredential } from "#delivery/inspect-credential.ts";
import type { DestinationsState, NotifierMeter } from "#delivery/meter.ts";
import { makePlaces } from "#delivery/places.ts";
import type { DiscordStop } from "#delivery/ports.ts";
import { ROLE_QUIET_MS } from "#delivery/role-bounds.ts";
import { makeRoleLanes } from "#delivery/role-lanes.ts";
import { makeSyncNow } from "#delivery/sync-now.ts";
import { makeReadRanks } from "#delivery/read-ranks.ts";
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
