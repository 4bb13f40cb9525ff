// The Idempotency-Key header: 1 to 255 printable ASCII characters, bare or as a structured string (RFC 8941 3.3.3).
import { IDEMPOTENCY_KEY_CHARS_MAX } from "#domain/bounds.ts";

const BARE = String.raw`^[\x21\x23-\x7e][\x21-\x7e]{0,${IDEMPOTENCY_KEY_CHARS_MAX - 1}}$`;
const QUOTED = String.raw`^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,${IDEMPOTENCY_KEY_CHARS_MAX}}"$`;
/** As JSON Schema has it. */
export const IDEMPOTENCY_KEY_PATTERN = `${BARE}|${QUOTED}`;
const [bare, quoted] = [new RegExp(BARE), new RegExp(QUOTED)];

/** The key that the header names, or null when it is none. */
export function parseIdempotencyKey(header: string): string | null {
  if (bare.test(header)) return header;
  return quoted.test(header) ? header.slice(1, -1).replace(/\\(["\\])/g, "$1") : null;
}
