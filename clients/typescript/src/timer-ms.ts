// A time as setTimeout takes it: it warns of a negative one, and fires at once when it is told more than it can count.
const MAX = 2 ** 31 - 1;

/** Whole milliseconds, never too few: a timer that fires early would only be set again. */
export function timerMs(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), MAX);
}
