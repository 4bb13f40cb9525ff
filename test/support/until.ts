// Waits for an event by asking for it: with a short pause between two questions, which leaves the processor to what is waited for.

const ASK_EVERY_MS = 5;
/** Past any event on a machine that is busy with other tests. A test's own timeout is shorter in most cases. */
const EVENT_MS_MAX = 100_000;

/** Resolves once it is so; rejects if it is not within `timeoutMs`. */
export async function until(isSo: () => unknown, timeoutMs = EVENT_MS_MAX): Promise<void> {
  const endsAt = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(`It was not so within ${timeoutMs} ms: ${String(isSo)}`);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}
