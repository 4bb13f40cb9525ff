// GET …/members, as docs/reference/api.md describes it.
import { z } from "zod";
import { memberSorts, type MemberSort } from "#domain/member.ts";
import { MemberResponse, MemberInclude } from "#contract/member.ts";
import { listFormQuery, requireOneForm } from "#contract/list-form.ts";
import { MemberCursor } from "#contract/page.ts";
import { AnyTimestamp, PlatformId } from "#contract/text.ts";

export const MembersQuery = z
  .strictObject({
    sort: z
      .enum(memberSorts)
      .optional()
      .meta({
        default: "xp",
        description:
          "`xp`: highest first, ties by platformId, without removed members. `lastAwardAt`, the default with `idleSince`: " +
          "who was never awarded first, then the oldest, ties by platformId.",
      }),
    ...listFormQuery,
    cursor: MemberCursor.optional(),
    include: MemberInclude,
    idleSince: AnyTimestamp.optional().meta({
      description: "Only members whose newest award is before this time, and those without one.",
    }),
  })
  .refine(({ cursor, ...query }) => cursor === undefined || cursor.sort === sortOf(query), {
    path: ["cursor"],
    error: "must be the nextCursor of a page of this list in the same order",
  })
  .superRefine(requireOneForm)
  .superRefine(({ idleSince, include, around, platformIds, ...query }, context) => {
    const reject = (name: string, message: string) => context.addIssue({ code: "custom", path: [name], message });
    if (include?.has("position") && (idleSince !== undefined || query.sort === "lastAwardAt"))
      reject("include", "cannot have position with idleSince or sort=lastAwardAt");
    if (idleSince === undefined) return;
    if (around !== undefined) reject("around", "cannot be given with idleSince");
    if (platformIds) reject("platformIds", "cannot be given with idleSince");
  });

/** The order that a query asks for. */
export function sortOf({
  sort,
  idleSince,
}: {
  sort?: MemberSort | undefined;
  idleSince?: string | undefined;
}): MemberSort {
  return sort ?? (idleSince === undefined ? "xp" : "lastAwardAt");
}

export const MembersResponse = z
  .strictObject({
    members: z.array(MemberResponse),
    /** Only with `platformIds`: those of whom nothing is stored. */
    missing: z.array(PlatformId).exactOptional(),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "MemberPage" });
export type MembersResponse = z.infer<typeof MembersResponse>;
