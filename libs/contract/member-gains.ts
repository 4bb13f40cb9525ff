// GET …/members/{platformId}/gains, as docs/reference/api.md describes it.
import { z } from "zod";
import { GAIN_DAYS_MAX, gainParts } from "#domain/gains.ts";
import { isBefore, timestampOf } from "#domain/timestamp.ts";
import { timeZoneOf } from "#domain/time-zone.ts";
import { AnyTimestamp, Instant, PlatformId, XpSum } from "#contract/text.ts";

/** Calendars of earlier years count differently, and nobody has an award in them. */
const YEAR_MIN = "1000";
const DAY_MS = 86_400_000;
const GainTime = AnyTimestamp.refine((text) => text >= YEAR_MIN, `must be in the year ${YEAR_MIN} or later`);

/** The span of gains, as query parameters. */
export const gainSpanQuery = {
  from: GainTime.meta({ description: "RFC 3339. Awards at this time or later.", format: "date-time" }),
  to: GainTime.meta({ description: "RFC 3339. Awards before this time. It may lie ahead.", format: "date-time" }),
};

/** A check of a query: its span ends after it begins. */
export function requireOrder({ from, to }: { from: string; to: string }, context: z.core.$RefinementCtx): void {
  if (!isBefore(from, to)) context.addIssue({ code: "custom", path: ["to"], message: "must be later than from" });
}

/** A check of the query of a list: its span has at most GAIN_DAYS_MAX days. */
export function requireDays({ from, to }: { from: string; to: string }, context: z.core.$RefinementCtx): void {
  if (timestampOf(to).getTime() - timestampOf(from).getTime() <= GAIN_DAYS_MAX * DAY_MS) return;
  const message = `must be at most ${GAIN_DAYS_MAX} days later than from`;
  context.addIssue({ code: "custom", path: ["to"], message });
}

export const MemberGainsQuery = z
  .strictObject({
    every: z.enum(gainParts).meta({ description: "The parts of the span; weeks begin on Monday." }),
    ...gainSpanQuery,
    timeZone: z
      .string()
      .refine((name) => timeZoneOf(name) !== null, "must be a time zone of the IANA database, such as Europe/Berlin")
      .default("UTC")
      .meta({ description: "In which days, weeks and months begin." }),
  })
  .superRefine(requireOrder);

export const MemberGainsResponse = z
  .strictObject({
    platformId: PlatformId,
    every: z.enum(gainParts),
    timeZone: z.string(),
    gains: z.array(z.strictObject({ startsAt: Instant, endsAt: Instant, xp: XpSum, awards: z.int().min(0) })),
  })
  .meta({ id: "MemberGains" });
export type MemberGainsResponse = z.infer<typeof MemberGainsResponse>;
