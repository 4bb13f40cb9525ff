// The Idempotency-Key header: 1 to 255 printable ASCII characters, bare or as a structured string (CONTRACT 2, RFC 8941 3.3.3).
import { IDEMPOTENCY_KEY_CHARS_MAX } from "#domain/bounds.ts";

const BARE = /^[\x21-\x7e]+$/;
const QUOTED = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/** The key that the header names, or null when it is none. */
export function parseIdempotencyKey(header: string): string | null {
  const key = header.startsWith('"') ? QUOTED.exec(header)?.[1]?.replace(/\\(["\\])/g, "$1") : BARE.exec(header)?.[0];
  return key !== undefined && key.length >= 1 && key.length <= IDEMPOTENCY_KEY_CHARS_MAX ? key : null;
}
