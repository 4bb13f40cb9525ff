// Waits for an event by asking for it: with a pause between two questions that leaves the processor to what is waited
// for.

const POLL_EVERY_MS = 15;
/** A long wait is asked about less often: it ends at most this share of its length late, and costs next to no CPU. */
const LATE_SHARE = 0.1;
const POLL_EVERY_MS_MAX = 200;
/** Past any event on a machine that is busy with other tests. A test's own timeout is shorter in most cases. */
const EVENT_MS_MAX = 100_000;

/** Resolves once it is so; rejects if it is not within `timeoutMs`. */
export async function until(isSo: () => unknown, timeoutMs = EVENT_MS_MAX): Promise<void> {
  const beganAt = performance.now();
  while (!(await isSo())) {
    const waitedMs = performance.now() - beganAt;
    if (waitedMs > timeoutMs) throw new Error(`It was not so within ${timeoutMs} ms: ${String(isSo)}`);
    const pauseMs = Math.min(Math.max(POLL_EVERY_MS, waitedMs * LATE_SHARE), POLL_EVERY_MS_MAX);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
