// How long work that can wait rests after a step, so that awards take precedence.

/** However busy MongoDB is, work has this part of the time: what is old must not grow for ever. */
const SHARE_MIN = 1 / 10;

/**
 * `usualMs`: what a step takes at most while MongoDB is not busy, and the shortest rest. A step that takes several times
 * as long has competed with others, and rests that many times as long as it took.
 */
export function restAfter(tookMs: number, usualMs: number): number {
  return Math.max(usualMs, Math.min(tookMs / usualMs, 1 / SHARE_MIN) * tookMs);
}
