// The forms of a list of a clan's members: a page, the part around one member, or members that the caller names.
import { z } from "zod";
import { AROUND_SIZE_DEFAULT, MEMBERS_NAMED_MAX, PAGE_SIZE_DEFAULT } from "#domain/bounds.ts";
import { FormLimit } from "#contract/page.ts";
import { PlatformId } from "#contract/text.ts";

const PlatformIds = z
  .string()
  .transform((text, context): string[] => {
    const ids = text.split(",");
    if (ids.length <= MEMBERS_NAMED_MAX && new Set(ids).size === ids.length && ids.every(isPlatformIdText)) return ids;
    context.addIssue({
      code: "custom",
      message: `must be 1 to ${MEMBERS_NAMED_MAX} different platformIds, separated by commas`,
    });
    return z.NEVER;
  })
  .optional()
  .meta({ description: `Only these members, at most ${MEMBERS_NAMED_MAX}, separated by commas.` });

function isPlatformIdText(text: string): boolean {
  return PlatformId.safeParse(text).success;
}

/** The query parameters of the forms, beside the cursor, which belongs to the list. */
export const listFormQuery = {
  limit: FormLimit,
  around: PlatformId.optional().meta({ description: "The members above and below this one in the list." }),
  platformIds: PlatformIds,
};

type FormQuery<Cursor> = {
  limit?: number | undefined;
  cursor?: Cursor | undefined;
  around?: string | undefined;
  platformIds?: string[] | undefined;
};
export type ListForm<Cursor> =
  | { kind: "page"; limit: number; cursor: Cursor | null }
  | { kind: "around"; platformId: string; limit: number }
  | { kind: "named"; platformIds: readonly string[] };

export function formOf<Cursor>({ limit, cursor, around, platformIds }: FormQuery<Cursor>): ListForm<Cursor> {
  if (platformIds) return { kind: "named", platformIds };
  if (around !== undefined) return { kind: "around", platformId: around, limit: limit ?? AROUND_SIZE_DEFAULT };
  return { kind: "page", limit: limit ?? PAGE_SIZE_DEFAULT, cursor: cursor ?? null };
}

/** How many members the response has at most. */
export function rowsOf(form: ListForm<unknown>): number {
  return form.kind === "named" ? form.platformIds.length : form.limit;
}

/** A check of a query: no parameter belongs to another form than the rest. */
export function requireOneForm(
  query: FormQuery<unknown> & { sort?: string | undefined; order?: string | undefined },
  context: z.core.$RefinementCtx,
): void {
  const reject = (name: string, detail: string): void =>
    context.addIssue({ code: "custom", path: [name], message: detail });
  if (query.platformIds) {
    for (const name of ["around", "cursor", "limit", "sort", "order"] as const)
      if (query[name] !== undefined) reject(name, "cannot be given with platformIds");
  } else if (query.around !== undefined) {
    if (query.cursor !== undefined) reject("cursor", "cannot be given with around");
    if (query.sort !== undefined && query.sort !== "xp") reject("sort", `cannot be ${query.sort} with around`);
  }
}
