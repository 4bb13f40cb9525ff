// The Idempotency-Key header: 1 to 255 printable ASCII characters, bare or as a structured string (RFC 8941 3.3.3).
import { z } from "zod";
import { IDEMPOTENCY_KEY_CHARS_MAX } from "#domain/bounds.ts";

const BARE = String.raw`^[\x21\x23-\x7e][\x21-\x7e]{0,${IDEMPOTENCY_KEY_CHARS_MAX - 1}}$`;
const QUOTED = String.raw`^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,${IDEMPOTENCY_KEY_CHARS_MAX}}"$`;
const [bare, quoted] = [new RegExp(BARE), new RegExp(QUOTED)];

/** The key in the header: as it was sent, or the text between the quotes. */
export const IdempotencyKey = z
  .string()
  .meta({
    pattern: `${BARE}|${QUOTED}`,
    description: "Makes retries safe: the request is applied once. 1 to 255 printable ASCII characters.",
  })
  .transform((header, context) => {
    if (bare.test(header)) return header;
    if (quoted.test(header)) return header.slice(1, -1).replace(/\\(["\\])/g, "$1");
    context.addIssue({
      code: "custom",
      message: 'must be 1 to 255 printable ASCII characters, bare or as a quoted string ("…")',
    });
    return z.NEVER;
  });

/** The same key in a body, where it needs no quotes: every key that the header can contain, and no other. */
export const PlainIdempotencyKey = z
  .string()
  .regex(new RegExp(String.raw`^[\x20-\x7e]{1,${IDEMPOTENCY_KEY_CHARS_MAX}}$`), {
    error: `must be 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} printable ASCII characters`,
  })
  .meta({
    description:
      "Makes retries safe: the award is applied once. The header Idempotency-Key of a single award names the same key.",
  });
