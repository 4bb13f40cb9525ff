// Wakes readers that wait for events of a clan, in whatever process they wait.
import type { Redis } from "ioredis";
import type { Log } from "#runtime/ports.ts";

export function eventChannel(namespace: string): string {
  return `${namespace}:events`;
}

/** The clan has new events. Never throws: without Redis, readers look again after a while. `redis` must fail fast. */
export function makeAnnounceEvents({
  redis,
  namespace,
  log,
}: {
  redis: Redis;
  namespace: string;
  log: Log;
}): (clanId: string) => void {
  const channel = eventChannel(namespace);
  return (clanId) => {
    redis.publish(channel, clanId).catch((error: unknown) => log.debug({ err: error }, "event.not_announced"));
  };
}
