// Before a list of members is read, every process projects its heads of the clan: one message requests it from those
// that committed entries of the clan lately, and each reports.
//
// Invariant: no award is acknowledged before requests for its clan reach the process, unless Redis does not respond.
//
// Redis returns how many processes received the message, so the number of expected reports is known. Without Redis, the
// list is as old as the projection of each process. A paused process delays a list, and nothing else. In a Cluster, a
// node knows only its own receivers: there, the channels are sharded, so that all receivers are those of one node.
import type { Redis } from "ioredis";
import { pause } from "#async/pause.ts";
import { withTimeout } from "#async/with-timeout.ts";
import {
  CLAN_IDLE_MS,
  PROJECTION_REQUEST_FRESH_MS,
  PROJECTION_REQUEST_MS,
  SUBSCRIBE_MS,
  SUBSCRIPTION_CHECK_MS,
} from "#redis/bounds.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

export type ProjectionRequests = {
  /**
   * Resolves once this process and every other one that Redis reaches have projected their heads of the clan; for the
   * others, after PROJECTION_REQUEST_MS at the latest. False: some of them may not have. Throws AppError `unavailable`
   * as `flush` does. `anew`: also if another caller has just asked.
   */
  catchUp(clanId: string, options?: { anew?: boolean }): Promise<boolean>;
  /**
   * Resolves once requests for these clans reach this process; if Redis does not respond, after SUBSCRIBE_MS at the
   * latest. Never rejects. Call it with each commit, and wait for it before an award of it is acknowledged.
   */
  reach(clanIds: ReadonlySet<string>): Promise<void>;
  /** Stops asking and reporting. The caller closes the connections that it opened. */
  stop(): void;
};

type Request = { from: string; id: number; clanId: string };
/** A clan whose requests reach this process. `subscribed`: null once Redis has confirmed it. */
type Reached = { usedAtMs: number; subscribed: Promise<void> | null };
type Waiting = { reports: number; due: number | null; done: () => void };

/** `processId` must be unique to this process. `publisher` must fail fast; `subscriber` is used for nothing else. */
// oxlint-disable-next-line eslint/max-lines-per-function -- asking and reporting share the open requests
export function joinProjectionRequests(deps: {
  publisher: Redis;
  subscriber: Redis;
  namespace: string;
  processId: string;
  /** Projects this process's heads of the clan. Null: the process has none, and only sends requests. */
  flush: ((clanId: string) => Promise<void>) | null;
  /** How long the oldest head of this process has waited that is not projected. */
  oldestAgeMs: () => number;
  clock: Clock;
  log: Log;
}): ProjectionRequests {
  const { publisher, subscriber, namespace, processId, flush, oldestAgeMs, clock, log } = deps;
  const requestsFor = (clanId: string): string => `${namespace}:project:${clanId}`;
  const reportsTo = (id: string): string => `${namespace}:projected:${id}`;
  const waiting = new Map<number, Waiting>();
  /** By clan, the newest request: a list that is read shortly after another one shares it. */
  const recent = new Map<string, { sinceMs: number; caughtUp: Promise<boolean> }>();
  const reached = new Map<string, Reached>();
  let lastId = 0;
  let impatientUntilMs = -Infinity;

  const { isCluster } = subscriber;
  const publish = async (channel: string, text: string): Promise<number> =>
    isCluster ? Number(await publisher.spublish(channel, text)) : publisher.publish(channel, text);
  subscriber.on(isCluster ? "smessage" : "message", (channel: string, text: string) => {
    if (channel === reportsTo(processId)) noteReport(Number(text));
    else void serve(text);
  });
  const subscribe = (channel: string): Promise<unknown> =>
    isCluster ? subscriber.ssubscribe(channel) : subscriber.subscribe(channel);
  const unsubscribe = (channels: readonly string[]): void => {
    (isCluster ? subscriber.sunsubscribe(...channels) : subscriber.unsubscribe(...channels)).catch(() => {});
  };
  const subscribed = subscribe(reportsTo(processId)).catch((error: unknown) =>
    log.debug({ err: error }, "projection.subscribe_failed"),
  );
  const checking = setInterval(() => {
    // A subscriber waits for no reply, so it would never notice a connection that the network has dropped.
    if (subscriber.status === "ready") subscriber.ping().catch(() => {});
    leaveIdle();
  }, SUBSCRIPTION_CHECK_MS);

  /** Subscribes to requests for the clan, unless it has already. */
  function join(clanId: string): Reached {
    const known = reached.get(clanId);
    if (known) return known;
    const clan: Reached = { usedAtMs: 0, subscribed: null };
    clan.subscribed = subscribe(requestsFor(clanId)).then(
      () => void (clan.subscribed = null),
      (error: unknown) => {
        log.debug({ err: error }, "projection.subscribe_failed");
        // The next commit tries again.
        if (reached.get(clanId) === clan) reached.delete(clanId);
      },
    );
    reached.set(clanId, clan);
    return clan;
  }

  /** Of clans without a commit lately, whose heads are all projected: none of the waiting ones is as old. */
  function leaveIdle(): void {
    if (oldestAgeMs() > CLAN_IDLE_MS / 2) return;
    const nowMs = clock.monotonicMs();
    const idle = [...reached].filter(([, { usedAtMs }]) => nowMs - usedAtMs > CLAN_IDLE_MS).map(([clanId]) => clanId);
    if (idle.length === 0) return;
    for (const clanId of idle) reached.delete(clanId);
    // In order: a later commit subscribes again after it.
    unsubscribe(idle.map(requestsFor));
  }

  async function serve(text: string): Promise<void> {
    try {
      const { from, id, clanId } = JSON.parse(text) as Request;
      // The own process projects before it reads, whether Redis delivers this or not.
      if (from !== processId) await flush?.(clanId);
      await publish(reportsTo(from), String(id));
    } catch (error) {
      log.debug({ err: error }, "projection.report_failed");
    }
  }

  function noteReport(id: number): void {
    const request = waiting.get(id);
    if (!request) return;
    request.reports += 1;
    if (request.reports === request.due) request.done();
  }

  /** Whether every process that Redis reaches has reported in time. */
  async function requestAll(clanId: string): Promise<boolean> {
    if (subscriber.status !== "ready") return false;
    const id = (lastId += 1);
    const deadlines = new AbortController();
    const reported = new Promise<void>((done) => waiting.set(id, { reports: 0, due: null, done }));
    try {
      await Promise.race([subscribed, pause(PROJECTION_REQUEST_MS, deadlines.signal)]);
      const due = await publish(requestsFor(clanId), JSON.stringify({ from: processId, id, clanId } satisfies Request));
      const request = waiting.get(id);
      // Reports may arrive before their number is known.
      if (!request || request.reports === due) return true;
      request.due = due;
      const isLate = pause(PROJECTION_REQUEST_MS, deadlines.signal).then(() => false);
      return await Promise.race([reported.then(() => true), isLate]);
    } catch (error) {
      log.debug({ err: error }, "projection.request_failed");
      return false;
    } finally {
      deadlines.abort();
      waiting.delete(id);
    }
  }

  return {
    catchUp(clanId, { anew = false } = {}) {
      const now = clock.monotonicMs();
      const known = anew ? undefined : recent.get(clanId);
      if (known && now - known.sinceMs < PROJECTION_REQUEST_FRESH_MS) return known.caughtUp;
      const caughtUp = Promise.all([requestAll(clanId), flush?.(clanId)]).then(([allReported]) => allReported);
      recent.delete(clanId);
      recent.set(clanId, { sinceMs: now, caughtUp });
      for (const [id, { sinceMs }] of recent) {
        if (now - sinceMs < PROJECTION_REQUEST_FRESH_MS) break;
        recent.delete(id);
      }
      return caughtUp;
    },
    async reach(clanIds) {
      const nowMs = clock.monotonicMs();
      const pending: Promise<void>[] = [];
      for (const clanId of clanIds) {
        const clan = join(clanId);
        clan.usedAtMs = nowMs;
        if (clan.subscribed) pending.push(clan.subscribed);
      }
      if (pending.length === 0 || subscriber.status !== "ready" || nowMs < impatientUntilMs) return;
      await withTimeout(Promise.all(pending), SUBSCRIBE_MS, "Redis has not answered").catch((error: unknown) => {
        impatientUntilMs = clock.monotonicMs() + SUBSCRIPTION_CHECK_MS;
        log.debug({ err: error }, "projection.subscribe_failed");
      });
    },
    stop() {
      clearInterval(checking);
      subscriber.removeAllListeners(isCluster ? "smessage" : "message");
      // Otherwise it would count among the expected reports until its connection ends.
      unsubscribe([...[...reached.keys()].map(requestsFor), reportsTo(processId)]);
    },
  };
}
