// GET …/members/{platformId}, as docs/reference/api.md describes them.
import { z } from "zod";
import { Instant, PlatformId, XpText } from "#contract/text.ts";

/** Additional fields of a response, separated by commas: a set of these values; anything else is a fault. */
export function includeOf<const Value extends string>(values: readonly Value[], description: string) {
  const any = `(${values.join("|")})`;
  return z
    .string()
    .transform((text, context): ReadonlySet<Value> => {
      const chosen = text.split(",").map((word) => values.find((value) => value === word));
      if (chosen.every((value) => value !== undefined)) return new Set(chosen);
      context.addIssue({ code: "custom", message: `must be ${values.join(" or ")}, or several of them with commas` });
      return z.NEVER;
    })
    .optional()
    .meta({ description, pattern: `^${any}(,${any})*$` });
}

export const MemberInclude = includeOf(["name"], "`name` adds the name by which people know the member.");
export const MemberQuery = z.strictObject({ include: MemberInclude });

export const MemberResponse = z
  .strictObject({
    platformId: PlatformId,
    xp: XpText,
    rank: z.string(),
    membership: z.strictObject({ since: Instant }).nullable(),
    nextRank: z.string().nullable(),
    xpToNextRank: XpText.nullable(),
    /** Only with `include=name`. */
    name: z.string().nullable().exactOptional(),
  })
  .meta({
    id: "Member",
    examples: [
      {
        platformId: "123",
        xp: "1250",
        rank: "Veteran",
        membership: { since: "2026-11-21T18:03:11.000Z" },
        nextRank: "Elite",
        xpToNextRank: "8750",
      },
    ],
  });
export type MemberResponse = z.infer<typeof MemberResponse>;
