// The process's clock.
//
// Invariant: `agingMs` advances by at least the time that has passed. The system's monotonic clock stops while the
// machine is suspended, or a hypervisor pauses it; its wall clock then jumps forward. If somebody sets the wall clock
// forward, what was read before seems older than it is, and is read again.
import type { Clock } from "#kernel/clock.ts";

/** Smaller differences are the inaccuracy of both clocks. What may be this much older than allowed does no harm. */
const SUSPENSION_MIN_MS = 100;

export function makeClock({ wallMs, steadyMs }: { wallMs: () => number; steadyMs: () => number }): Clock {
  let aheadMs = wallMs() - steadyMs();
  let suspendedMs = 0;
  return {
    now: () => new Date(wallMs()),
    monotonicMs: steadyMs,
    agingMs() {
      const nowMs = steadyMs();
      const jumpMs = wallMs() - nowMs - aheadMs;
      if (jumpMs > SUSPENSION_MIN_MS) suspendedMs += jumpMs;
      if (jumpMs > SUSPENSION_MIN_MS || jumpMs < 0) aheadMs += jumpMs;
      return nowMs + suspendedMs;
    },
  };
}

export const systemClock: Clock = makeClock({ wallMs: Date.now, steadyMs: () => performance.now() });
