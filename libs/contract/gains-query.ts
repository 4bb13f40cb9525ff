// The query of GET …/gains.
import { z } from "zod";
import { gainOrders } from "#domain/gains.ts";
import { includeOf } from "#contract/include.ts";
import { listFormQuery, requireOneForm } from "#contract/list-form.ts";
import { gainSpanQuery, requireDays, requireOrder } from "#contract/member-gains.ts";
import { GainsCursor } from "#contract/page.ts";

export const GainsQuery = z
  .strictObject({
    ...gainSpanQuery,
    order: z.enum(gainOrders).optional().meta({
      default: "most",
      description: "`most`: who gained the most XP first. `least`: exactly this list from its end.",
    }),
    ...listFormQuery,
    cursor: GainsCursor.optional(),
    include: includeOf(["name"], "`name` adds the name by which people know the member."),
  })
  .refine(({ order = "most", cursor }) => cursor === undefined || cursor.order === order, {
    path: ["cursor"],
    error: "must be the nextCursor of a page of this list in the same order",
  })
  .superRefine(requireOrder)
  .superRefine(requireDays)
  .superRefine(requireOneForm);
