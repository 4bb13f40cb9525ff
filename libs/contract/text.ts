// Schemas of texts and numbers in requests and responses.
import { z } from "zod";
import { PLATFORM_ID_PATTERN } from "#domain/bounds.ts";

/**
 * NUL ends strings in other systems, and a lone surrogate is not a character: neither could be stored and returned
 * unchanged.
 */
function isCleanText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** A schema's own message for every fault except an absent value, which is always "is required". */
export function ofForm(detail: string): (issue: { input?: unknown }) => string | undefined {
  return ({ input }) => (input === undefined ? undefined : detail);
}

/** A text of at most `charsMax` Unicode code points. */
export function textOf(charsMax: number): z.ZodString {
  return (
    z
      .string()
      .refine(isCleanText, { error: "must not contain NUL or a lone surrogate", abort: true })
      .refine((text) => text.length <= charsMax || [...text].length <= charsMax, {
        error: `must have at most ${charsMax} characters`,
      })
      // JSON Schema counts code points as well.
      .meta({ maxLength: charsMax, pattern: "^[^\\u0000]*$" })
  );
}

/** A signed 64-bit integer as a decimal string: JSON numbers lose digits above 2^53. */
export const XpText = z
  .string()
  .regex(/^-?\d{1,19}$/)
  .meta({ id: "Xp", description: "A signed 64-bit integer as a decimal string.", examples: ["1250"] });

/** A sum of XP may have more than 64 bits. */
export const XpSum = z
  .string()
  .regex(/^-?\d{1,34}$/)
  .meta({ id: "XpSum", description: "An integer of any size as a decimal string.", examples: ["125000"] });

export const PlatformId = z
  .string()
  .regex(PLATFORM_ID_PATTERN, {
    error: ofForm("must be 1 to 64 characters of A-Z a-z 0-9 . _ : @ | -, and not . or .. alone"),
  })
  .meta({ id: "PlatformId", description: "The member's id on the game's platform.", examples: ["123"] });

/** RFC 3339 permits T and Z in either case, but the parser does not: they are converted to upper case. */
const RFC_3339 = new RegExp(z.core.regexes.datetime({ offset: true }).source.replace("T", "[Tt]").replace("Z", "[Zz]"));
/** A time that a caller sends (timestamp.ts reads it). */
export const AnyTimestamp = z
  .string()
  .regex(RFC_3339, { error: ofForm("must be an RFC 3339 timestamp, for example 2026-11-21T18:00:00Z") })
  .toUpperCase()
  .meta({ description: "An RFC 3339 timestamp.", format: "date-time" });

export const Instant = z.iso.datetime().meta({ id: "Instant", description: "RFC 3339, UTC." });
