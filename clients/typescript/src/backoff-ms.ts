// The wait after a failed attempt: longer each time, and never the same for two callers.

const FIRST_MS = 500;
const MAX_MS = 10_000;

/** `tries`: the number of failed attempts. */
export function backoffMs(tries: number): number {
  return Math.min(FIRST_MS * 2 ** (tries - 1), MAX_MS) * (0.5 + Math.random() / 2);
}
