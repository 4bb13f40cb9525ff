// Wakes readers that wait for events of a clan, in whatever process they wait.
import type { Redis } from "ioredis";
import { SUBSCRIPTION_CHECK_MS } from "#redis/bounds.ts";
import type { Log } from "#kernel/log.ts";
import type { EventSignal, EventWatch } from "#events/ports.ts";

function eventChannel(namespace: string): string {
  return `${namespace}:events`;
}

/** Instead of a clan: changes whose events have no numbers yet. It is the id of no clan. */
export const UNNUMBERED = "*";

/** The clan has new events. Never rejects: without Redis, readers look again after a while. `redis` must fail fast. */
export function makeAnnounceEvents({
  redis,
  namespace,
  log,
}: {
  redis: Redis;
  namespace: string;
  log: Log;
}): (clanId: string) => Promise<void> {
  const channel = eventChannel(namespace);
  return async (clanId) => {
    await redis.publish(channel, clanId).catch((error: unknown) => log.debug({ err: error }, "event.not_announced"));
  };
}

export type EventSignalControl = {
  /** How many callers wait. */
  waiting(): number;
  /** Ends every wait now. */
  wakeAll(): void;
  /** The caller closes the connection that it opened. */
  stop(): void;
};

type Watch = EventWatch & { isWaiting: () => boolean };

/** `subscriber` must retry patiently, and is used for nothing else. */
export function joinEventSignal({
  subscriber,
  namespace,
  log,
}: {
  subscriber: Redis;
  namespace: string;
  log: Log;
}): EventSignal & EventSignalControl {
  const watched = new Map<string, Set<Watch>>();
  const all = (): Watch[] => [...watched.values()].flatMap((watches) => [...watches]);
  const wakeAll = (): void => {
    for (const { wake } of all()) wake();
  };
  subscriber.on("message", (_channel: string, clanId: string) => {
    for (const { wake } of watched.get(clanId) ?? []) wake();
  });
  // Signals may have been lost while there was no connection.
  subscriber.on("ready", wakeAll);
  subscriber
    .subscribe(eventChannel(namespace))
    .catch((error: unknown) => log.debug({ err: error }, "event.subscribe_failed"));
  const checking = setInterval(() => {
    // A subscriber waits for no reply, so it would never notice a connection that the network has dropped.
    if (subscriber.status === "ready") subscriber.ping().catch(() => {});
  }, SUBSCRIPTION_CHECK_MS);

  return {
    watch(clanId) {
      const watches = watched.get(clanId) ?? new Set();
      watched.set(clanId, watches);
      const watch = makeWatch(() => {
        watches.delete(watch);
        if (watches.size === 0) watched.delete(clanId);
      });
      watches.add(watch);
      return watch;
    },
    isConnected: () => subscriber.status === "ready",
    waiting: () => all().filter(({ isWaiting }) => isWaiting()).length,
    wakeAll,
    stop() {
      clearInterval(checking);
      subscriber.removeAllListeners("message");
    },
  };
}

function makeWatch(end: () => void): Watch {
  let wasNoticed = false;
  let resume: (() => void) | null = null;
  return {
    async wait(timeoutMs) {
      if (!wasNoticed) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, timeoutMs);
        resume = resolve;
        await promise;
        clearTimeout(timer);
        resume = null;
      }
      wasNoticed = false;
    },
    wake() {
      wasNoticed = true;
      resume?.();
    },
    isWaiting: () => resume !== null,
    end,
  };
}
