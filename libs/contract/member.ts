// GET …/members/{platformId}, as docs/reference/api.md describes them.
import { z } from "zod";
import { includeOf } from "#contract/include.ts";
import { Instant, PlatformId, XpText } from "#contract/text.ts";

export const MemberInclude = includeOf(
  ["name", "position"],
  "`name` adds the name by which people know the member, `position` the position in the leaderboard.",
);
export const MemberQuery = z.strictObject({ include: MemberInclude });

const PositionResponse = z.strictObject({ value: z.int().min(1), of: z.int().min(1), approximate: z.boolean() }).meta({
  id: "Position",
  description:
    "`value`: 1 plus the number of members with more XP, exact up to 10,000. `of`: the members in the leaderboard.",
});

export const MemberResponse = z
  .strictObject({
    platformId: PlatformId,
    xp: XpText,
    rank: z.string(),
    membership: z.strictObject({ since: Instant }).nullable(),
    nextRank: z.string().nullable(),
    xpToNextRank: XpText.nullable(),
    /** The time of the newest award that an API key sent. */
    lastAwardAt: Instant.nullable(),
    /** Only with `include=name`. */
    name: z.string().nullable().exactOptional(),
    /** Only with `include=position`; null for a removed member. */
    position: PositionResponse.nullable().exactOptional(),
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
        lastAwardAt: "2026-11-26T20:15:42.000Z",
      },
    ],
  });
export type MemberResponse = z.infer<typeof MemberResponse>;
