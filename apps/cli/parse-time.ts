// Parses timestamps and durations like the other parsers: returns the value, or records a fault and returns a
// placeholder.
import { timestampOf } from "#domain/timestamp.ts";
import type { Faults } from "./parse.ts";

const ISO = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/** As `timestampIn`; it must lie after `now`. */
export function futureIn(option: string, text: string, now: Date, faults: Faults): Date {
  const before = faults.length;
  const parsed = timestampIn(option, text, faults);
  if (faults.length === before && parsed <= now) faults.push(`${option} is in the past: ${parsed.toISOString()}`);
  return parsed;
}

/** RFC 3339 (T and Z in either case), also without seconds; or a date, which begins at midnight UTC. */
export function timestampIn(option: string, text: string, faults: Faults): Date {
  const parsed = timestampOf(text.toUpperCase());
  const date = ISO.exec(text)?.[1];
  // Date accepts February 30 as March 2.
  const exists = date !== undefined && !Number.isNaN(parsed.getTime()) && new Date(date).toISOString().startsWith(date);
  if (!exists) {
    faults.push(
      `${option} is a timestamp with time zone, as 2031-05-01T12:00:00Z, or a date, as 2031-05-01, not "${text}"`,
    );
    return new Date(0);
  }
  return parsed;
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** 0, 90s, 15m, 24h, 7d: at most `maxMs`. */
export function durationMsIn(option: string, text: string, maxMs: number, faults: Faults): number {
  const [, count = "", unit = ""] = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text) ?? [];
  const known = Object.entries(unitMs).find(([name]) => name === unit);
  if (text === "0") return 0;
  if (!known) {
    faults.push(`${option} is a duration, as 0, 90s, 15m, 24h or 7d, not "${text}"`);
    return 0;
  }
  const ms = Number(count) * known[1];
  if (ms > maxMs) faults.push(`${option} is at most ${maxMs / unitMs.d}d, not ${text}`);
  return ms;
}
