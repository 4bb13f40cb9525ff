// How long a receiver asks to be left alone (RFC 9110, 10.2.3).
import { REST_MS_MAX } from "#delivery/couriers/bounds.ts";

/**
 * Seconds, or a date by the receiver's clock, which its own `date` shows; at most REST_MS_MAX. Null: it is neither, or
 * names no time to come, so that nothing is asked for.
 */
export function retryAfterMs(
  { "retry-after": value, date }: Readonly<Record<string, string>>,
  now: Date,
): number | null {
  if (value === undefined) return null;
  const isDate = /^[A-Z][a-z]{2}/.test(value);
  if (!isDate && !/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return null;
  const receiversMs = date === undefined ? Number.NaN : Date.parse(date);
  const nowMs = Number.isNaN(receiversMs) ? now.getTime() : receiversMs;
  const ms = isDate ? Date.parse(value) - nowMs : Number(value) * 1_000;
  return ms > 0 ? Math.min(Math.max(ms, REST_MS_MIN), REST_MS_MAX) : null;
}

/** Receivers that ask for less are not called in a loop. */
const REST_MS_MIN = 1_000;

/** As services count it until a limit ends: in seconds, or as a time in seconds or milliseconds since 1970. */
export function resetMs(value: string | undefined, now: Date): number | null {
  const number = Number.parseFloat(value ?? "");
  if (!Number.isFinite(number) || number < 0) return null;
  const ms =
    number >= EPOCH_MS ? number - now.getTime() : number >= EPOCH_S ? number * 1_000 - now.getTime() : number * 1_000;
  return Math.ceil(Math.min(Math.max(ms, 0), REST_MS_MAX));
}

/** September 2001; as a number of seconds, 30 years. */
const EPOCH_S = 1_000_000_000;
const EPOCH_MS = EPOCH_S * 1_000;
