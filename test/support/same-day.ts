// For tests of what is counted by UTC day: none of them may see two days.
import { until } from "./until.ts";

const DAY_MS = 86_400_000;
/** The timeout of a test. */
const TEST_MS_MAX = 60_000;

/** Resolves when the day lasts longer than a test. Call it in `beforeEach`: hooks have a longer timeout than tests. */
export function dayLongEnough(): Promise<void> {
  return until(() => DAY_MS - (Date.now() % DAY_MS) > TEST_MS_MAX);
}
