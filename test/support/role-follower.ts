// A destination whose roles follow ranks, worked on in this process as a notifier would, one holder after the other.
import { randomUUID } from "node:crypto";
import type { Destination, RoleKind } from "#domain/destination.ts";
import { joinEventSignal } from "#redis/event-signal.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { makeNotifierCounters } from "#telemetry/metrics/notifier-counters.ts";
import { systemClock } from "#process/clock.ts";
import { makeClanStore } from "#clans/store/clan-store.ts";
import { makeDestinationStore } from "#delivery/store/destination-store.ts";
import { makeHoldStore } from "#delivery/store/hold-store.ts";
import { makeRoleSyncStore } from "#delivery/store/role-sync-store.ts";
import { makeRunStore } from "#delivery/store/run-store.ts";
import { makeEventFeed } from "#events/store/event-feed.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { makeMemberStore } from "#members/store/member-store.ts";
import type { SyncNow } from "#delivery/answer-calls.ts";
import { makeFollowRanks } from "#delivery/follow-ranks.ts";
import type { HeldDestination } from "#delivery/ports.ts";
import { makeRoleLanes } from "#delivery/role-lanes.ts";
import type { RoleService } from "#delivery/role-ports.ts";
import { makeSyncNow } from "#delivery/sync-now.ts";
import { makeReadRanks } from "#delivery/read-ranks.ts";
import { testActor } from "./actor.ts";
import { webhookOf } from "./destinations.ts";
import { openTestRedis, testLog, type World } from "./world.ts";

/** Short, so that tests need not wait. */
const SCHEDULE = { retryMs: [100, 200, 400], probeMs: [150], disableAfterMs: 3_600_000 };

export type RoleFollower = {
  destinationId: string;
  /** As it is stored now. */
  read(): Promise<Destination>;
  outcomes(): Promise<Partial<Record<string, number>>>;
  outcomeOf(platformId: string): Promise<{ outcome: string; reason: string | null } | undefined>;
  /** A notifier takes it. `isHeld`: of the hold that it has. */
  /** `claimAgain`: as a notifier does that has lost the response of a claim. */
  hold(options?: { isHeld?: () => boolean }): Promise<{
    held: HeldDestination;
    claimAgain(): Promise<void>;
    stop(): Promise<void>;
  }>;
  syncNow: SyncNow;
  /** How many comparisons had each outcome. */
  counted(): Partial<Record<string, number>>;
  close(): Promise<void>;
};

export async function makeRoleFollower(
  world: World,
  clanId: string,
  options: {
    kind: RoleKind;
    service: RoleService;
    target: string;
    credential: string;
    roles: Record<string, string>;
    requestsPerMinute?: number;
    quietMs?: number;
    schedule?: Partial<typeof SCHEDULE>;
  },
): Promise<RoleFollower> {
  const { database } = world;
  const { kind, service, target, credential, roles, requestsPerMinute = 60_000, quietMs = 50 } = options;
  const [destinations, holds] = [makeDestinationStore(database), makeHoldStore(database)];
  const [runs, syncs, feed] = [makeRunStore(database), makeRoleSyncStore(database), makeEventFeed(database)];
  const redis = openTestRedis(world.redisUrl);
  const signal = joinEventSignal({ subscriber: redis, namespace: redisNamespace(world.mongoUrl), log: testLog });
  const schedule = { ...SCHEDULE, ...options.schedule };
  const readRanks = makeReadRanks({ heads: makeLedgerStore(database), clans: makeClanStore(database) });
  const lanes = makeRoleLanes({
    services: { "roblox-group": service, "discord-roles": service },
    runs,
    schedule,
    clock: systemClock,
    log: testLog,
  });
  const counters = makeNotifierCounters();
  const full = { syncs, readRanks, members: makeMemberStore(database), meter: counters };
  const follow = makeFollowRanks({
    ...full,
    lanes,
    runs,
    feed,
    signal,
    schedule,
    quietMs,
    random: () => 0,
    log: testLog,
  });

  const destinationId = `dst_${randomUUID().slice(0, 8)}`;
  const mapping = { target, roles, requestsPerMinute };
  const destination = webhookOf(clanId, destinationId, { name: "roles", kind, types: [], sendsTo: target, mapping });
  await destinations.add({ destination, sealed: "-", position: await feed.end(clanId) }, { max: 10 }, testActor);
  const holding = new Set<{ stop(): Promise<void> }>();

  return {
    destinationId,
    async read() {
      const stored = await destinations.read(destinationId);
      if (!stored) throw new Error("the destination does not exist");
      return stored.destination;
    },
    async outcomes() {
      return Object.fromEntries(Object.entries(await syncs.outcomes(destinationId)).filter(([, count]) => count > 0));
    },
    async outcomeOf(platformId) {
      const { items } = await syncs.page(destinationId, { outcome: null, after: null, limit: 10_000 });
      const found = items.find((item) => item.platformId === platformId);
      return found && { outcome: found.outcome, reason: found.reason };
    },
    async hold({ isHeld = () => true } = {}) {
      const lease = { notifierId: "test", leaseId: randomUUID() };
      const token = randomUUID();
      const [claimed] = await holds.claim([destinationId], { lease, token, ended: [] });
      if (!claimed) throw new Error("another notifier holds it");
      const stopping = new AbortController();
      const held: HeldDestination = {
        ...claimed,
        secrets: { kind, credential },
        token,
        signal: stopping.signal,
        isHeld,
        now: () => new Date(),
      };
      const run = follow(held);
      const holder = {
        async stop() {
          holding.delete(holder);
          stopping.abort();
          await run;
          await holds.release([destinationId], lease);
        },
      };
      holding.add(holder);
      async function claimAgain(): Promise<void> {
        await holds.claim([destinationId], { lease, token: randomUUID(), ended: [] });
      }
      return { held, claimAgain, stop: holder.stop };
    },
    syncNow: makeSyncNow({ ...full, lanes, runs }),
    counted: () => Object.fromEntries(counters.roleSyncs),
    async close() {
      for (const { stop } of holding) await stop();
      signal.stop();
      redis.disconnect();
    },
  };
}
