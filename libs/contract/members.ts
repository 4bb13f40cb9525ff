// GET …/members, as docs/reference/api.md describes it.
import { z } from "zod";
import { MemberResponse, MemberInclude } from "#contract/member.ts";
import { MemberCursor, PageLimit } from "#contract/page.ts";

export const MembersQuery = z
  .strictObject({
    sort: z.enum(["xp", "platformId"]).default("xp").meta({ description: "`xp`: highest first, ties by platformId." }),
    limit: PageLimit,
    cursor: MemberCursor.optional(),
    include: MemberInclude,
  })
  .refine(({ sort, cursor }) => cursor === undefined || cursor.sort === sort, {
    path: ["cursor"],
    error: "must be the nextCursor of a page of this list in the same order",
  });

export const MembersResponse = z
  .strictObject({ members: z.array(MemberResponse), nextCursor: z.string().nullable() })
  .meta({ id: "MemberPage" });
export type MembersResponse = z.infer<typeof MembersResponse>;
