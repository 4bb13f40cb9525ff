// The distance of a time from now, rounded down to whole units. It never uses words such as "yesterday".
const units = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/**
 * `mayBeAhead`: whether the time may be in the future. Otherwise the time is shown as past, even if the clock of this
 * machine is behind.
 */
export function relativeText(atMs: number, nowMs: number, mayBeAhead = false): string {
  const distanceMs = mayBeAhead ? atMs - nowMs : Math.min(0, atMs - nowMs);
  const largest = units.find(([, length]) => Math.abs(distanceMs) >= length);
  if (!largest) return distanceMs > 0 ? "in a moment" : "just now";
  const [unit, length] = largest;
  return relative.format(Math.trunc(distanceMs / length), unit);
}
