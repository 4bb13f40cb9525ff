// GET …/members/{platformId}, as docs/reference/api.md describes them.
import { z } from "zod";
import { includeOf } from "#contract/include.ts";
import { Instant, PlatformId, XpText } from "#contract/text.ts";

export const MemberInclude = includeOf(["name"], "`name` adds the name by which people know the member.");
export const MemberQuery = z.strictObject({ include: MemberInclude });

export const MemberAnswer = z
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
export type MemberAnswer = z.infer<typeof MemberAnswer>;
