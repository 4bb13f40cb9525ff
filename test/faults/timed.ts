// Bounds of time on a machine that is busy otherwise: how long the processes of a test waited for a processor says
// nothing about the product.

const TICK_MS = 20;

/** Runs it. `ms`: how long that took, without the time for which this process was kept from running. */
export async function timed<T>(act: () => Promise<T>): Promise<{ result: T; ms: number }> {
  let [ms, lastMs] = [0, performance.now()];
  function tick(): void {
    const nowMs = performance.now();
    ms += Math.min(nowMs - lastMs, 2 * TICK_MS);
    lastMs = nowMs;
  }
  const timer = setInterval(tick, TICK_MS);
  try {
    const result = await act();
    tick();
    return { result, ms };
  } finally {
    clearInterval(timer);
  }
}
