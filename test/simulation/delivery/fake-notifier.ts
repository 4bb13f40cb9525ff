// A notifier on the fake stores: holds destinations, and sends to a receiver that is a function.
import type { ClanEvent } from "#domain/event.ts";
import type { Log } from "#kernel/log.ts";
import type { DELIVERY_WINDOW } from "#delivery/bounds.ts";
import { makeDeliverEvents } from "#delivery/deliver-events.ts";
import { makeFollowRanks, type FollowDeps } from "#delivery/follow-ranks.ts";
import type { Schedule } from "#delivery/health.ts";
import { startHoldDestinations, type Holding } from "#delivery/hold-destinations.ts";
import { makePlaces } from "#delivery/places.ts";
import type { Courier, Sent } from "#delivery/ports.ts";
import { makeRoleLanes } from "#delivery/role-lanes.ts";
import type { RoleService } from "#delivery/role-ports.ts";
import type { RunDestination } from "#delivery/run-while-held.ts";
import type { EventSignal } from "#events/ports.ts";
import { silentLog } from "../../support/silent-log.ts";
import type { FakeDestinations } from "./fake-destinations.ts";

/** A call of a store, which may be late, fail, or never end. */
export type CallStore = <T>(operation: () => Promise<T>) => Promise<T>;

export type FakeNotifierOptions = {
  database: FakeDestinations;
  notifierId: string;
  send: Courier["send"];
  schedule: Schedule;
  summaryAbove?: number;
  eventsMax?: number;
  window?: typeof DELIVERY_WINDOW;
  call?: CallStore;
  random?: () => number;
  log?: Log;
  roles?: FakeRoles;
};
/** What following ranks needs; each method of its stores is one call. */
export type FakeRoles = Pick<FollowDeps, "syncs" | "readRanks" | "members" | "quietMs"> & { service: RoleService };

let tokens = 0;

export function startFakeNotifier(options: FakeNotifierOptions): Holding {
  const { database, notifierId, send, schedule, summaryAbove, eventsMax = 1, window } = options;
  const { call = (operation) => operation(), random = () => 0, log = silentLog } = options;
  const clock = { monotonicMs: Date.now, agingMs: Date.now };
  const runs = through(call, database.runs);
  const courier: Courier = {
    eventsMax,
    atOnceMax: eventsMax > 1 ? 1 : 8,
    send,
    test: send as unknown as Courier["test"],
    ...(summaryAbove === undefined ? {} : { summary: { above: summaryAbove, send } }),
  };
  const deliver = makeDeliverEvents({
    feed: through(call, database.feed),
    runs,
    deliveries: { ...through(call, database.deliveries), deleteOld: async () => 0 },
    courier,
    places: makePlaces(clock),
    signal: unsignalled,
    schedule,
    meter: { delivered() {}, roleSync() {} },
    clock,
    random,
    log,
    ...(window ? { window } : {}),
  });
  const follow = options.roles ? followerOf({ ...options, call, random, log }, options.roles) : deliver;
  return startHoldDestinations({
    holds: through(call, database.holds),
    runs,
    notifierId,
    sealer: { seal: (text) => text, open: (text) => (text === "{}" ? WEBHOOK : text) },
    runners: { webhook: deliver, discord: deliver, "roblox-group": follow, "discord-roles": follow },
    newToken: () => `t${(tokens += 1)}`,
    digest: hash,
    clock,
    log,
  });
}

const WEBHOOK = '{"kind":"webhook","url":"https://example.com/","signing":[]}';

function followerOf(
  { database, call, schedule, random, log }: FakeNotifierOptions & { call: CallStore; random: () => number; log: Log },
  { service, syncs, readRanks, members, quietMs }: FakeRoles,
): RunDestination {
  const runs = through(call, database.runs);
  const services = { "roblox-group": service, "discord-roles": service };
  return makeFollowRanks({
    lanes: makeRoleLanes({ services, runs, schedule, clock: { monotonicMs: Date.now }, log }),
    feed: through(call, database.feed),
    runs,
    syncs: through(call, syncs),
    ...through(call, { readRanks }),
    members: through(call, members),
    meter: { roleSync() {} },
    signal: unsignalled,
    schedule,
    random,
    quietMs,
    log,
  });
}

/** Each method is one call. */
function through<Store extends object>(call: CallStore, store: Store): Store {
  const methods = Object.entries(store) as [string, (...args: unknown[]) => Promise<unknown>][];
  return Object.fromEntries(
    methods.map(([name, method]) => [name, (...args: unknown[]) => call(() => method(...args))]),
  ) as Store;
}

/** Nobody is notified: each wait ends at `wake`, or after its time. */
const unsignalled: EventSignal = {
  watch() {
    let end: (() => void) | null = null;
    let isWoken = false;
    const wake = (): void => {
      isWoken = true;
      end?.();
    };
    return {
      async wait(ms) {
        await new Promise<void>((resolve) => {
          if (isWoken || ms <= 0) return resolve();
          const timer = setTimeout(resolve, Math.min(ms, 60_000));
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        [end, isWoken] = [null, false];
      },
      wake,
      end() {},
    };
  },
  isConnected: () => false,
};

/** FNV-1a: cheap, and each history chooses owners by chance. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return ((value ^ (value >>> 15)) >>> 0).toString(16).padStart(8, "0");
}

export function sent(verdict: Sent["verdict"], status = verdict.kind === "delivered" ? 204 : 500): Sent {
  return { ms: 1, status, error: verdict.kind === "delivered" ? null : "status", response: null, verdict };
}

export function seqOf({ data }: ClanEvent): number {
  return "seq" in data ? data.seq : 0;
}
