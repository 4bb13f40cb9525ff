// Sends the deliveries of a destination that may be sent, within its limits, and records what became of them.
import type { Attempt } from "#domain/destination.ts";
import type { ClanEvent } from "#domain/event.ts";
import { CATCH_UP_EVERY_MS, FAILED_LOG_EVERY_MS, RESPONSE_CHARS_MAX, STORE_AGAIN_MS } from "#delivery/bounds.ts";
import type { DeliverDeps, DeliveryRun } from "#delivery/delivery-run.ts";
import { decideHealth, healthAfter, retryInMs, type Decision, type Outcome } from "#delivery/health.ts";
import type { DeliveryResult, Sent, Verdict } from "#delivery/ports.ts";
import { makeRecord } from "#delivery/record-results.ts";
import { makeSettleAbsent } from "#delivery/settle-absent.ts";
import { isPersonal } from "#delivery/wanted-events.ts";
import type { Waiting } from "#delivery/waiting-deliveries.ts";

/** `summary`: one message about all of them. */
type Request = { group: Waiting[]; isProbe: boolean; isSummary: boolean };

export type SendDeliveries = {
  /** Whether the next probe, which is due, needs an event that was not sent yet. */
  needsUnsent(): boolean;
  /** Starts the requests that may be made now. Returns for how many milliseconds none can be, at most. */
  start(): number;
  /** Resolves when the results of all requests are recorded. */
  ended(): Promise<void>;
};

/** `wake`: a request has ended. */
export function makeSendDeliveries(deps: DeliverDeps, at: DeliveryRun, wake: () => void): SendDeliveries {
  const { courier, places, clock } = deps;
  const { held, list } = at;
  const inFlight = new Set<Promise<void>>();
  const settle = makeSettle(deps, at);
  const takePlace = places({ clanId: held.destination.clanId, atOnceMax: courier.atOnceMax, wake });
  let pacedUntilMs = -Infinity;

  const untilMs = (time: Date): number => time.getTime() - held.now().getTime();
  const isProbeDue = (): boolean =>
    at.health.state === "failing" && inFlight.size === 0 && untilMs(at.health.nextProbeAt ?? held.now()) <= 0;

  function next(): Request | null {
    if (at.health.state !== "failing") return nextRequest(deps, at, inFlight.size);
    if (!isProbeDue()) return null;
    return { group: list.chooseProbe(isProbeOfUnsent(at) ? "unsent" : "oldest"), isProbe: true, isSummary: false };
  }

  async function run(request: Request, leavePlace: () => void): Promise<void> {
    try {
      await settle(request);
    } catch (error) {
      at.bug ??= { error };
      at.isOutdated = true;
    }
    list.end(request.group);
    leavePlace();
    wake();
  }

  /** Null: a request was made. */
  function startOne(): number | null {
    // Since the caller looked, a response may have disabled it, or a person may have changed it.
    if (at.health.state === "disabled" || at.isOutdated || held.signal.aborted) return Infinity;
    const restMs = at.health.restUntil ? untilMs(at.health.restUntil) : 0;
    if (restMs > 0) return restMs;
    const pacedMs = at.isCatchingUp ? pacedUntilMs - clock.monotonicMs() : 0;
    if (pacedMs > 0) return pacedMs;
    const request = next();
    if (!request || request.group.length === 0) {
      at.isCatchingUp &&= inFlight.size > 0 || !at.hasTakenAll;
      // A probe that is due has nothing to send yet: the next event wakes the loop.
      const isFailing = at.health.state === "failing";
      const nextAt = isFailing ? at.health.nextProbeAt : list.nextAt();
      const isWaiting = nextAt && !(isFailing && (inFlight.size > 0 || isProbeDue()));
      return isWaiting ? Math.max(untilMs(nextAt), 1) : Infinity;
    }
    if (!held.isHeld()) return STORE_AGAIN_MS;
    const leavePlace = takePlace();
    if (!leavePlace) return Infinity;
    list.begin(request.group);
    pacedUntilMs = clock.monotonicMs() + CATCH_UP_EVERY_MS * (request.isSummary ? 1 : request.group.length);
    const running = run(request, leavePlace).finally(() => inFlight.delete(running));
    inFlight.add(running);
    return null;
  }

  return {
    // While nothing waits, each probe is of the next event: otherwise none would ever be made.
    needsUnsent: () => isProbeDue() && (isProbeOfUnsent(at) || list.size() === 0),
    start() {
      let waitMs = startOne();
      while (waitMs === null) waitMs = startOne();
      return waitMs;
    },
    async ended() {
      await Promise.all(inFlight);
    },
  };
}

function isProbeOfUnsent({ health }: DeliveryRun): boolean {
  return health.probes % 2 === 1;
}

/** Null: not before those in flight have ended. */
function nextRequest({ courier }: DeliverDeps, { list, held }: DeliveryRun, inFlight: number): Request | null {
  const { summary, eventsMax } = courier;
  const due = summary ? list.choose(held.now(), Infinity).filter(({ again }) => !again) : [];
  if (summary && due.length > summary.above)
    return inFlight > 0 ? null : { group: due, isProbe: false, isSummary: true };
  return { group: list.choose(held.now(), eventsMax), isProbe: false, isSummary: false };
}

/** Makes a request, decides what follows, and records it. */
function makeSettle(deps: DeliverDeps, at: DeliveryRun): (request: Request) => Promise<void> {
  const { feed, courier, schedule, meter, log } = deps;
  const { held, list } = at;
  const { destination, secrets } = held;
  const { destinationId, kind, clanId } = destination;
  const store = makeRecord(deps, at);
  const settleAbsent = makeSettleAbsent(deps, held);
  const report = makeReport(deps, at);

  return async function settle({ group, isProbe, isSummary }) {
    const numbers = group.map(({ n }) => n);
    const events = await store.untilDone(() => feed.readAt(clanId, numbers));
    const absent = events && (await store.untilDone(() => settleAbsent(numbers.filter((n) => !events.has(n)))));
    if (!absent) return void (at.isOutdated = true);
    list.remove(absent.missed);
    const results = [...absent.erased];
    const present = group.flatMap(({ n }) => events.get(n) ?? []);
    let decision: Decision | null = null;
    if (present.length > 0) {
      // Reading took time, in which another response may have asked for a rest, or another process have taken it.
      if (!mayBeSent(at, isProbe)) return;
      const startedAt = held.now();
      const sent = await send(present, isSummary);
      decision = decide(sent, isProbe);
      // Before anything is awaited, so that requests that end meanwhile see it.
      at.health = healthAfter(at.health, decision);
      if (decision.change.state === "active" && at.health.state === "active") at.isCatchingUp = true;
      const attempt = attemptOf(sent, startedAt, present);
      const by = { kind: sent.verdict.kind, attempt, isGroup: present.length > 1, now: held.now() };
      for (const one of group.filter(({ n }) => events.has(n))) {
        const result = resultOf(deps, one, { ...by, isProbe, isSummary });
        const tried = one.tried + (result.counts ? 1 : 0);
        Object.assign(one, { wasSent: one.wasSent || attempt !== null, tried, nextAt: result.nextAt });
        results.push(result);
        if (attempt) meter.delivered(kind, countedAs(result), sent.ms / 1_000);
      }
      report(decision, sent, present);
    }
    // If it could not be recorded, MongoDB lists what waits.
    if (!(await store.record(results, decision))) at.isOutdated = true;
    list.remove(results.filter(({ state }) => state !== "waiting").map(({ n }) => n));
    if (decision?.change.state === "active") list.makeDue();
  };

  /** An event that cannot be sent at all fails alone, and ends no process. */
  async function send(events: readonly ClanEvent[], isSummary: boolean): Promise<Sent> {
    try {
      const by = isSummary && courier.summary ? courier.summary : courier;
      return await by.send(destination, secrets, events);
    } catch (error) {
      log.error({ destinationId, eventId: events[0]?.eventId, err: error }, "delivery.not_sendable");
      return { ms: 0, status: null, error: "connection", response: null, verdict: { kind: "refused" } };
    }
  }

  function decide(sent: Sent, isProbe: boolean): Decision {
    const now = held.now();
    const decision = decideHealth(at.health, outcomeOf(sent), { schedule, now, isProbe });
    if (sent.verdict.kind === "delivered") decision.change.lastDeliveredAt = now;
    return decision;
  }
}

/** A message that is rejected as a whole is divided, so that only the event at fault fails. */
function resultOf(
  { schedule, random }: DeliverDeps,
  one: Waiting,
  by: {
    kind: Verdict["kind"];
    attempt: Attempt | null;
    isProbe: boolean;
    isSummary: boolean;
    isGroup: boolean;
    now: Date;
  },
): DeliveryResult {
  const { kind, attempt, isProbe, isSummary, isGroup, now } = by;
  const { n, tried } = one;
  const result = { n, attempt, tried, counts: true, nextAt: null, reason: null };
  if (kind === "delivered" && isSummary) return { ...result, state: "skipped", reason: "summarized" };
  if (kind === "delivered") return { ...result, state: "delivered" };
  if (kind === "refused") {
    if (!isGroup || isSummary) return { ...result, state: "failed" };
    one.alone = true;
    return { ...result, state: "waiting", counts: false };
  }
  if (kind !== "failed" || isProbe) return { ...result, state: "waiting", counts: false, nextAt: one.nextAt };
  const ms = retryInMs(tried, schedule.retryMs, random);
  if (ms === null) return { ...result, state: "failed" };
  return { ...result, state: "waiting", nextAt: new Date(now.getTime() + ms) };
}

function mayBeSent({ held, health }: DeliveryRun, isProbe: boolean): boolean {
  const isResting = health.restUntil !== null && health.restUntil > held.now();
  return held.isHeld() && !held.signal.aborted && !isResting && health.state === (isProbe ? "failing" : "active");
}

function outcomeOf(sent: Sent): Outcome {
  const { verdict } = sent;
  if (verdict.kind === "delivered") return { kind: "works" };
  return verdict.kind === "failed" ? { kind: "failed", fault: faultOf(sent) } : verdict;
}

/** Null: no request was made, because of the receiver's own limits. */
function attemptOf(sent: Sent, at: Date, events: readonly ClanEvent[]): Attempt | null {
  const { ms, status, error } = sent;
  if (status === null && error === null) return null;
  // Where it redirects to says more than its body.
  const isRedirect = status !== null && status >= 300 && status < 400;
  const response = isRedirect ? (sent.detail ?? sent.response) : sent.response;
  const text = response === null || isPersonal(response, events) ? null : response.slice(0, RESPONSE_CHARS_MAX);
  return { at, ms, status, error, response: text };
}

function faultOf({ status, error, detail }: Sent): string {
  if (status === null) return `no response (${error ?? "connection"}).`;
  return detail === undefined ? `status ${status}.` : `status ${status} (${detail.replace(/\.$/, "")}).`;
}

function countedAs({ state }: DeliveryResult): "delivered" | "retried" | "failed" | "skipped" {
  if (state === "waiting") return "retried";
  return state === "delivered" || state === "failed" ? state : "skipped";
}

/**
 * Logs changes of the destination's state, and failed deliveries, at most one a minute. Only the changes are warnings:
 * the failures of a receiver that stays unreachable say nothing new.
 */
function makeReport({ clock, log }: DeliverDeps, { held }: DeliveryRun) {
  const { destinationId, clanId, kind } = held.destination;
  const who = { destinationId, clanId, kind };
  let failedLoggedMs = -Infinity;
  return ({ change, disable }: Decision, { verdict, status, error }: Sent, events: readonly ClanEvent[]): void => {
    if (disable !== null) log.warn({ ...who, status, error }, "destination.disabled");
    else if (change.state === "failing") log.warn({ ...who, status, error }, "destination.failing");
    else if (change.state === "active") log.info(who, "destination.resumed");
    if (verdict.kind !== "failed" && verdict.kind !== "refused") return;
    if (clock.monotonicMs() - failedLoggedMs < FAILED_LOG_EVERY_MS) return;
    failedLoggedMs = clock.monotonicMs();
    log.info({ destinationId, eventId: events[0]?.eventId, status, error }, "delivery.failed");
  };
}
