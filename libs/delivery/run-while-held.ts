// The loop of all work on a destination that this process holds, of messages and of roles.
import { isOutage } from "#async/failures.ts";
import type { Log } from "#kernel/log.ts";
import { LOOK_MS, UNSIGNALLED_LOOK_MS } from "#delivery/bounds.ts";
import type { HeldDestination } from "#delivery/ports.ts";
import type { EventSignal, EventWatch } from "#events/ports.ts";

/**
 * Works until `held.signal` aborts or nothing is to be sent any more, and what is in flight is recorded. `outdated`: what
 * is known of it may differ from what is stored, so it is to be held anew. Throws what is no outage: a bug.
 */
export type RunDestination = (held: HeldDestination) => Promise<"ended" | "outdated">;

export type Work = {
  isRunning(): boolean;
  /** Does what may be done now. Returns for how many milliseconds nothing else can be; null: it is to be held anew. */
  step(): Promise<number | null>;
  /** Resolves when nothing is in flight. */
  ended?(): Promise<void>;
};

/** `watch`: it ends the pause between two steps, as an event of the clan does. */
export async function runWhileHeld(
  { signal, log }: { signal: EventSignal; log: Log },
  held: HeldDestination,
  makeWork: (watch: EventWatch) => Work,
): ReturnType<RunDestination> {
  const { destinationId, clanId } = held.destination;
  const watch = signal.watch(clanId);
  held.signal.addEventListener("abort", watch.wake);
  const work = makeWork(watch);
  try {
    while (!held.signal.aborted && work.isRunning()) {
      const waitMs = await work.step();
      if (waitMs === null) return "outdated";
      const lookMs = signal.isConnected() ? LOOK_MS : UNSIGNALLED_LOOK_MS;
      if (!held.signal.aborted) await watch.wait(Math.max(0, Math.min(waitMs, lookMs)));
    }
    return "ended";
  } catch (error) {
    // A write may have been made although its response was lost.
    if (!isOutage(error)) throw error;
    log.debug({ destinationId, err: error }, "delivery.store_failed");
    return "outdated";
  } finally {
    await work.ended?.();
    held.signal.removeEventListener("abort", watch.wake);
    watch.end();
  }
}
