// A time that setTimeout accepts: it warns about a negative time, and fires immediately if the time exceeds its range.
const MAX = 2 ** 31 - 1;

/** Whole milliseconds, rounded up: a timer that fires early would only be set again. */
export function timerMs(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), MAX);
}
