// Lists come in pages: a limit, and a cursor that only this API writes and reads.
import { z } from "zod";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, XP_MAX, XP_MIN } from "#domain/bounds.ts";
import { PlatformId, XpText } from "#contract/text.ts";

export const PageLimit = z
  .string()
  .regex(/^\d{1,3}$/, `is not a number from 1 to ${PAGE_SIZE_MAX}`)
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= PAGE_SIZE_MAX, `is not a number from 1 to ${PAGE_SIZE_MAX}`)
  .default(PAGE_SIZE_DEFAULT)
  .meta({
    override: ({ jsonSchema }) =>
      void Object.assign(jsonSchema, {
        type: "integer",
        minimum: 1,
        maximum: PAGE_SIZE_MAX,
        default: PAGE_SIZE_DEFAULT,
        pattern: undefined,
      }),
  });

/** Where the next page of members begins, in the order it belongs to. */
export const MemberCursor = cursorOf(
  z.tuple([z.enum(["xp", "platformId"]), XpText.transform(BigInt).refine((xp) => xp >= XP_MIN && xp <= XP_MAX), PlatformId]),
);

/** Where the next page of a ledger begins: below this seq. */
export const LedgerCursor = cursorOf(z.tuple([z.literal("seq"), z.int().min(1)]));

/** Base64url of the JSON of a position. */
export function encodeCursor(position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

function cursorOf<Position extends z.ZodType>(position: Position) {
  const text = z
    .string()
    .max(300, "is not a cursor of this list")
    .meta({ description: "The `nextCursor` of the page before." })
    .transform((cursor, context) => {
      try {
        const bytes = Buffer.from(cursor, "base64url");
        // Buffer passes over what is no base64url: a cursor that was spoilt must not be taken for a good one.
        if (bytes.toString("base64url") === cursor) return JSON.parse(bytes.toString()) as unknown;
      } catch {
        // Not JSON: no cursor either.
      }
      context.addIssue({ code: "custom", message: "is not a cursor of this list" });
      return z.NEVER;
    });
  return text.pipe(position);
}
