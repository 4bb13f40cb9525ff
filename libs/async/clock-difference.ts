// How far another clock, which was read by a request, is ahead of the own one.

/**
 * In milliseconds, at least; negative: behind. The other clock was read at any time between the request and the reply,
 * so a slow reply is no difference.
 */
export function clockDifference({
  otherMs,
  sentMs,
  answeredMs,
}: {
  otherMs: number;
  sentMs: number;
  answeredMs: number;
}): number {
  const bounds = [otherMs - sentMs, otherMs - answeredMs];
  return Math.max(Math.min(...bounds), 0) + Math.min(Math.max(...bounds), 0);
}
