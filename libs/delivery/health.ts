// What a response says about its destination: whether it works, fails, rests or is disabled, and when a unit of work is
// tried again (docs/concepts/destinations.md). The same for messages and for roles. Pure, so that every history can be
// tried.
//
// Invariant: a destination that is failing has a time for its next probe.
import type { DestinationState } from "#domain/destination.ts";
import { FAILURES_MAX, RETRY_SPREAD } from "#delivery/bounds.ts";
import type { RunChange, RunState } from "#delivery/ports.ts";

/** `retryMs`: after the first attempt, the second, … `probeMs`: between probes; the last one repeats. */
export type Schedule = { retryMs: readonly number[]; probeMs: readonly number[]; disableAfterMs: number };

/** The destination as its holder knows it. `since`: when it entered its state. */
export type Health = RunState & { state: DestinationState; since: Date };

/**
 * `works`: the receiver did what it was asked for. `refused`: it did not, which says nothing of other requests. `failed`:
 * too many of these in a row are an outage. `stopped`: no request can succeed. `fault`: a sentence.
 */
export type Outcome =
  | { kind: "works" }
  | { kind: "refused" }
  | { kind: "failed" | "stopped"; fault: string }
  | { kind: "rest"; forMs: number }
  | { kind: "disable"; reason: string };

/** `disable`: nothing is sent any more until a person resumes it. */
export type Decision = { change: RunChange; disable: string | null };

/** A request is a probe if it began while the destination was failing. */
export function decideHealth(
  health: Health,
  outcome: Outcome,
  { schedule, now, isProbe }: { schedule: Omit<Schedule, "retryMs">; now: Date; isProbe: boolean },
): Decision {
  const later = (ms: number): Date => new Date(now.getTime() + ms);
  switch (outcome.kind) {
    case "works": {
      const resumed = health.state === "failing" ? ({ state: "active", stateReason: null, since: now } as const) : {};
      return { change: { failures: 0, probes: 0, nextProbeAt: null, ...resumed }, disable: null };
    }
    case "refused":
      return { change: isProbe ? nextProbe() : {}, disable: null };
    case "rest":
      // Of requests that were in flight together, the longest rest counts.
      return { change: { restUntil: latest(later(outcome.forMs), health.restUntil) }, disable: null };
    case "disable":
      return { change: {}, disable: outcome.reason };
    case "failed":
      return isProbe ? failedProbe(outcome.fault) : failed(outcome.fault);
    case "stopped":
      return isProbe ? failedProbe(outcome.fault) : { change: failing(outcome.fault), disable: null };
  }

  function failed(fault: string): Decision {
    const failures = health.failures + 1;
    const isOutage = health.state === "active" && failures >= FAILURES_MAX;
    const reason = `${failures} failures in a row, most recently: ${fault} It is tried again by itself; events wait meanwhile.`;
    return { change: { failures, ...(isOutage ? failing(reason) : {}) }, disable: null };
  }

  function failing(stateReason: string): RunChange {
    return { state: "failing", stateReason, since: now, probes: 0, nextProbeAt: later(schedule.probeMs[0] ?? 0) };
  }

  function failedProbe(fault: string): Decision {
    const isOver = now.getTime() - health.since.getTime() >= schedule.disableAfterMs;
    const hours = Math.round(schedule.disableAfterMs / 3_600_000);
    const reason = `It has failed for ${hours} h, most recently with: ${fault} Once this is repaired, resume the destination.`;
    return { change: nextProbe(), disable: isOver ? reason : null };
  }

  function nextProbe(): RunChange {
    const probes = health.probes + 1;
    const waitMs = schedule.probeMs[Math.min(probes, schedule.probeMs.length - 1)] ?? 0;
    return { probes, nextProbeAt: later(waitMs) };
  }
}

/** Of one that another response has disabled, the state stays. */
export function healthAfter(health: Health, { change, disable }: Decision): Health {
  if (health.state === "disabled") return health;
  const { stateReason: _reason, lastDeliveredAt: _at, ...known } = change;
  return { ...health, ...known, ...(disable === null ? {} : { state: "disabled" }) };
}

/** After so many attempts before this one, up to a share later each; null: it is not tried again. */
export function retryInMs(tried: number, retryMs: readonly number[], random: () => number): number | null {
  const ms = retryMs[tried];
  return ms === undefined ? null : Math.round(ms * (1 + RETRY_SPREAD * random()));
}

export function isSentTo({ state }: Pick<Health, "state">): boolean {
  return state === "active" || state === "failing";
}

function latest(one: Date, other: Date | null): Date {
  return other && other > one ? other : one;
}
