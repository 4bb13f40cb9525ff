// Who gained how much in a span: the rows and pages of GET …/gains, as docs/reference/api.md describes them.
import { z } from "zod";
import { Instant, PlatformId, XpSum } from "#contract/text.ts";

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
