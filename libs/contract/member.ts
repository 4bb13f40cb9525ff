// GET …/members and …/members/{platformId}, as docs/reference/api.md describes them.
import { z } from "zod";
import { MemberCursor, PageLimit } from "#contract/page.ts";
import { Instant, PlatformId, XpText } from "#contract/text.ts";

export const MemberAnswer = z
  .strictObject({
    platformId: PlatformId,
    xp: XpText,
    rank: z.string(),
    membership: z.strictObject({ since: Instant }).nullable(),
    nextRank: z.string().nullable(),
    xpToNextRank: XpText.nullable(),
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

export const MembersQuery = z
  .strictObject({
    sort: z.enum(["xp", "platformId"]).default("xp").meta({ description: "`xp`: highest first, ties by platformId." }),
    limit: PageLimit,
    cursor: MemberCursor.optional(),
  })
  .refine(({ sort, cursor }) => cursor === undefined || cursor[0] === sort, {
    path: ["cursor"],
    error: "must be the nextCursor of a page of this list in the same order",
  });

export const MembersAnswer = z
  .strictObject({ members: z.array(MemberAnswer), nextCursor: z.string().nullable() })
  .meta({ id: "MemberPage" });
export type MembersAnswer = z.infer<typeof MembersAnswer>;
