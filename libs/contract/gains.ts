// GET …/gains, as docs/reference/api.md describes it.
import { z } from "zod";
import { GAIN_DAYS_MAX, gainOrders } from "#domain/gains.ts";
import { timestampOf } from "#domain/timestamp.ts";
import { includeOf } from "#contract/include.ts";
import { listFormQuery, requireOneForm } from "#contract/list-form.ts";
import { gainSpanQuery, requireOrder } from "#contract/member-gains.ts";
import { GainsCursor } from "#contract/page.ts";
import { Instant, PlatformId, XpSum } from "#contract/text.ts";

const DAY_MS = 86_400_000;

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
  .refine(({ from, to }) => timestampOf(to).getTime() - timestampOf(from).getTime() <= GAIN_DAYS_MAX * DAY_MS, {
    path: ["to"],
    error: `must be at most ${GAIN_DAYS_MAX} days later than from`,
  })
  .superRefine(requireOneForm);

export const GainsRow = z
  .strictObject({
    platformId: PlatformId,
    xp: XpSum,
    awards: z.int().min(1).meta({ description: "The awards in the span, reversed ones too." }),
    position: z.int().min(1).meta({ description: "1 plus the number of members who gained more XP." }),
    membership: z.strictObject({ since: Instant }).nullable().meta({ description: "Null for who has left." }),
    firstAwardAt: Instant,
    lastAwardAt: Instant,
    /** Only with `include=name`. */
    name: z.string().nullable().exactOptional(),
  })
  .meta({ id: "GainsRow" });
export type GainsRow = z.infer<typeof GainsRow>;

export const GainsResponse = z
  .strictObject({
    from: Instant,
    to: Instant,
    asOf: Instant.meta({ description: "Every award and reversal that was acknowledged before is included." }),
    totals: z.strictObject({ members: z.int(), awards: z.int(), xp: XpSum }),
    members: z.array(GainsRow),
    /** Only with `platformIds`: those without an award in the span. */
    missing: z.array(PlatformId).exactOptional(),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "GainsPage" });
export type GainsResponse = z.infer<typeof GainsResponse>;

export const GainsCounting = z
  .strictObject({ status: z.literal("counting") })
  .meta({ id: "GainsCounting", description: "The span is being counted. Ask again after `Retry-After`." });
