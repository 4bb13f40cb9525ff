// Deadlines of the product that a test must not reach, however busy the machine is.
import { onTestFinished, vi } from "vitest";

/** Past the end of any test. */
const LATE_MS = 120_000;

/** Timers of these lengths that begin from now on end too late to matter, until the test ends or restores its mocks. */
export function waitLonger(...deadlinesMs: readonly number[]): void {
  const start = globalThis.setTimeout;
  const startLate = (run: (...of: unknown[]) => void, ms = 0, ...of: unknown[]): NodeJS.Timeout =>
    start(run, deadlinesMs.includes(ms) ? LATE_MS : ms, ...of);
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(startLate as typeof setTimeout);
  // Not only before the next test: the next file may open servers before its first one.
  onTestFinished(() => spy.mockRestore());
}
