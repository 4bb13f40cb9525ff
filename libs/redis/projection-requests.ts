// Before a list of members is read, every process projects what it holds of the clan: one message asks all of them, and
// each reports.
//
// Redis returns how many received a message, so it is known how many reports are due. Without Redis, the list is as old
// as the projection of each process. A process that is stopped delays a list, and nothing else.
import type { Redis } from "ioredis";
import { pause } from "#async/pause.ts";
import { PROJECTION_REQUEST_FRESH_MS, PROJECTION_REQUEST_MS, SUBSCRIPTION_CHECK_MS } from "#redis/bounds.ts";
import type { Clock, Log } from "#usecases/ports.ts";

export type ProjectionRequests = {
  /**
   * Resolves once this process and every other one that Redis reaches have projected what they held of the clan; of the
   * others, after PROJECTION_REQUEST_MS at the latest. False: some of them may not have. Throws AppError `unavailable`
   * as `flush` does.
   */
  catchUp(clanId: string): Promise<boolean>;
  /** Asks and reports no more. Whoever opened the connections ends them. */
  stop(): void;
};

type Request = { from: string; id: number; clanId: string };
type Waiting = { reports: number; due: number | null; done: () => void };

/**
 * `processId` must be this process's alone. `publisher` must fail fast; `subscriber` serves nothing else.
 * Long: asking and reporting share the requests that are open, and end together.
 */
export function joinProjectionRequests(world: {
  publisher: Redis;
  subscriber: Redis;
  namespace: string;
  processId: string;
  /** Projects what this process holds of the clan. Null: it never holds anything, and only asks. */
  flush: ((clanId: string) => Promise<void>) | null;
  clock: Clock;
  log: Log;
}): ProjectionRequests {
  const { publisher, subscriber, namespace, processId, flush, clock, log } = world;
  const requests = `${namespace}:project`;
  const reportsTo = (id: string): string => `${namespace}:projected:${id}`;
  const waiting = new Map<number, Waiting>();
  /** By clan, the newest request: a list that is read soon after another one shares it. */
  const recent = new Map<string, { sinceMs: number; caughtUp: Promise<boolean> }>();
  let lastId = 0;

  subscriber.on("message", (channel: string, text: string) => {
    if (channel === requests) void serve(text);
    else noteReport(Number(text));
  });
  const subscribed = subscriber
    .subscribe(...(flush ? [requests] : []), reportsTo(processId))
    .catch((error: unknown) => log.debug({ err: error }, "projection.not_subscribed"));
  // A subscriber waits for nothing, so it would never notice a connection that the network has forgotten.
  const checking = setInterval(() => {
    if (subscriber.status === "ready") subscriber.ping().catch(() => {});
  }, SUBSCRIPTION_CHECK_MS);

  async function serve(text: string): Promise<void> {
    try {
      const { from, id, clanId } = JSON.parse(text) as Request;
      // Its own process has projected before it reads, whether Redis delivers this or not.
      if (from !== processId) await flush?.(clanId);
      await publisher.publish(reportsTo(from), String(id));
    } catch (error) {
      log.debug({ err: error }, "projection.not_reported");
    }
  }

  function noteReport(id: number): void {
    const request = waiting.get(id);
    if (!request) return;
    request.reports += 1;
    if (request.reports === request.due) request.done();
  }

  /** Whether all that Redis reaches have reported in time. */
  async function askAll(clanId: string): Promise<boolean> {
    if (subscriber.status !== "ready") return false;
    const id = (lastId += 1);
    const asking = new AbortController();
    const reported = new Promise<void>((done) => waiting.set(id, { reports: 0, due: null, done }));
    try {
      await Promise.race([subscribed, pause(PROJECTION_REQUEST_MS, asking.signal)]);
      const due = await publisher.publish(requests, JSON.stringify({ from: processId, id, clanId } satisfies Request));
      const request = waiting.get(id);
      // Reports may be here before the number of them is.
      if (!request || request.reports === due) return true;
      request.due = due;
      const isLate = pause(PROJECTION_REQUEST_MS, asking.signal).then(() => false);
      return await Promise.race([reported.then(() => true), isLate]);
    } catch (error) {
      log.debug({ err: error }, "projection.not_requested");
      return false;
    } finally {
      asking.abort();
      waiting.delete(id);
    }
  }

  return {
    catchUp(clanId) {
      const now = clock.monotonicMs();
      const known = recent.get(clanId);
      if (known && now - known.sinceMs < PROJECTION_REQUEST_FRESH_MS) return known.caughtUp;
      const caughtUp = Promise.all([askAll(clanId), flush?.(clanId)]).then(([allReported]) => allReported);
      recent.delete(clanId);
      recent.set(clanId, { sinceMs: now, caughtUp });
      for (const [id, { sinceMs }] of recent) {
        if (now - sinceMs < PROJECTION_REQUEST_FRESH_MS) break;
        recent.delete(id);
      }
      return caughtUp;
    },
    stop() {
      clearInterval(checking);
      subscriber.removeAllListeners("message");
      // Else it is counted among those that are to report, until its connection ends.
      subscriber.unsubscribe().catch(() => {});
    },
  };
}
