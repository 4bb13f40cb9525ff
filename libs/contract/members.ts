// GET …/members, as docs/reference/api.md describes it.
import { z } from "zod";
import { MemberResponse, MemberInclude } from "#contract/member.ts";
import { listFormQuery, requireOneForm } from "#contract/list-form.ts";
import { MemberCursor } from "#contract/page.ts";
import { PlatformId } from "#contract/text.ts";

export const MembersQuery = z
  .strictObject({
    sort: z.enum(["xp", "platformId"]).optional().meta({
      default: "xp",
      description: "`xp`: highest first, ties by platformId, without removed members.",
    }),
    ...listFormQuery,
    cursor: MemberCursor.optional(),
    include: MemberInclude,
  })
  .refine(({ sort = "xp", cursor }) => cursor === undefined || cursor.sort === sort, {
    path: ["cursor"],
    error: "must be the nextCursor of a page of this list in the same order",
  })
  .superRefine(requireOneForm);

export const MembersResponse = z
  .strictObject({
    members: z.array(MemberResponse),
    /** Only with `platformIds`: those of whom nothing is stored. */
    missing: z.array(PlatformId).exactOptional(),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "MemberPage" });
export type MembersResponse = z.infer<typeof MembersResponse>;
