// What follows from one request to a receiver: for its deliveries, and for the destination (docs/concepts/destinations.md).
// Pure, so that every history can be tried.
import { FAILURES_MAX, RETRY_SPREAD } from "#usecases/destinations/bounds.ts";
import type { DeliveryResult, RunChange, RunState, Verdict } from "#usecases/destinations/ports.ts";

/** `retryMs`: after the first attempt, the second, … `probeMs`: between probes; the last one repeats. */
export type Schedule = { retryMs: readonly number[]; probeMs: readonly number[]; disableAfterMs: number };

/** The destination as its holder knows it. `since`: when it entered its state. */
export type Running = { state: "active" | "failing"; since: Date; run: RunState };

/** `nextAt` null of one that waits: as before. */
export type Decision = {
  delivery: (tried: number) => Pick<DeliveryResult, "state" | "counts" | "reason"> & { nextAt: Date | null };
  change: RunChange;
  /** Nothing is sent any more until a person resumes it. */
  disable: string | null;
};

/** A request is a probe if it began while the destination was failing. `status`: of the response, for the reason. */
export function decideAttempt(
  { state, since, run }: Running,
  { verdict, isProbe, fault }: { verdict: Verdict; isProbe: boolean; fault: string },
  { schedule, now, random }: { schedule: Schedule; now: Date; random: () => number },
): Decision {
  const later = (ms: number): Date => new Date(now.getTime() + ms);
  const waits = { delivery: () => ({ state: "waiting", counts: false, nextAt: null, reason: null }) as const };
  switch (verdict.kind) {
    case "delivered": {
      const ended = { state: "delivered", counts: true, nextAt: null, reason: null } as const;
      const healthy = { failures: 0, probes: 0, nextProbeAt: null, lastDeliveredAt: now };
      const resumed = state === "failing" ? ({ state: "active", stateReason: null, since: now } as const) : {};
      return { delivery: () => ended, change: { ...healthy, ...resumed }, disable: null };
    }
    case "refused": {
      const ended = { state: "failed", counts: true, nextAt: null, reason: null } as const;
      return { delivery: () => ended, change: isProbe ? nextProbe() : {}, disable: null };
    }
    case "rest":
      // Of requests that were in flight together, the longest rest counts.
      return { ...waits, change: { restUntil: latest(later(verdict.forMs), run.restUntil) }, disable: null };
    case "disable":
      return { ...waits, change: {}, disable: verdict.reason };
    case "failed":
      return isProbe ? failedProbe() : failed();
  }

  function failed(): Decision {
    const failures = run.failures + 1;
    const isOutage = state === "active" && failures >= FAILURES_MAX;
    const outage = { state: "failing", stateReason: failingReason(failures, fault), since: now } as const;
    return {
      delivery(tried) {
        const waitMs = schedule.retryMs[tried];
        if (waitMs === undefined) return { state: "failed", counts: true, nextAt: null, reason: null };
        return { state: "waiting", counts: true, nextAt: later(waitMs * (1 + RETRY_SPREAD * random())), reason: null };
      },
      change: { failures, ...(isOutage ? { ...outage, probes: 0, nextProbeAt: later(schedule.probeMs[0] ?? 0) } : {}) },
      disable: null,
    };
  }

  function failedProbe(): Decision {
    const isOver = now.getTime() - since.getTime() >= schedule.disableAfterMs;
    const hours = Math.round(schedule.disableAfterMs / 3_600_000);
    const reason = `It has failed for ${hours} h, most recently with: ${fault}. Repair the receiver, then resume the destination.`;
    return { ...waits, change: nextProbe(), disable: isOver ? reason : null };
  }

  function nextProbe(): RunChange {
    const probes = run.probes + 1;
    const waitMs = schedule.probeMs[Math.min(probes, schedule.probeMs.length - 1)] ?? 0;
    return { probes, nextProbeAt: later(waitMs) };
  }
}

function latest(one: Date, other: Date | null): Date {
  return other && other > one ? other : one;
}

function failingReason(failures: number, fault: string): string {
  return `${failures} failures in a row, most recently: ${fault}. It is tried again by itself; events wait meanwhile.`;
}
