// Numbers events at short intervals while entries are committed, and otherwise after a further wait, which the signal
// of the next commit ends. Without Redis, and so without signals, the intervals are always short.
import { UNNUMBERED } from "#redis/event-signal.ts";
import type { Clock } from "#kernel/clock.ts";
import { NUMBER_EVERY_MS, NUMBER_IDLE_EVERY_MS, NUMBERING_MS } from "#events/bounds.ts";
import type { NumberEvents } from "#events/number-events.ts";
import type { EventSignal } from "#events/ports.ts";

/** What is to run NUMBER_EVERY_MS after it has ended. */
export function numberWhenDue({
  numberEvents,
  signal,
  clock,
  stopping,
}: {
  numberEvents: NumberEvents;
  signal: EventSignal;
  clock: Clock;
  stopping: AbortSignal;
}): () => Promise<void> {
  const watch = signal.watch(UNNUMBERED);
  stopping.addEventListener("abort", watch.wake);
  const waitMs = NUMBER_IDLE_EVERY_MS - NUMBER_EVERY_MS;
  let busyUntilMs = -Infinity;
  return async () => {
    const beganAtMs = clock.monotonicMs();
    if (beganAtMs > busyUntilMs && signal.isConnected()) {
      await watch.wait(waitMs);
      const nowMs = clock.monotonicMs();
      if (nowMs - beganAtMs < waitMs) busyUntilMs = nowMs + NUMBERING_MS;
    }
    await numberEvents.run(stopping);
  };
}
