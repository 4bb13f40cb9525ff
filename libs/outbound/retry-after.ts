// How long a receiver asks to be left alone (RFC 9110, 10.2.3).
import { REST_MS_MAX } from "#outbound/bounds.ts";

/** Seconds, or a date; at most REST_MS_MAX. Null: it is neither. */
export function retryAfterMs(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  const seconds = /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : null;
  const ms = seconds === null ? Date.parse(value) - now.getTime() : seconds * 1_000;
  if (Number.isNaN(ms) || (seconds === null && !/^[A-Z][a-z]{2}/.test(value))) return null;
  return Math.min(Math.max(ms, REST_MS_MIN), REST_MS_MAX);
}

/** Receivers that ask for none, or name a time that has passed, are not called in a loop. */
const REST_MS_MIN = 1_000;
