// The activity of a clan: awards and XP over time, who gained the most, and the newest awards.
import { z } from "zod";
import { timeRanges } from "#domain/time-range.ts";
import { timeZoneOf } from "#domain/time-zone.ts";
import { EntryResponse } from "#contract/entry.ts";
import { MemberResponse } from "#contract/member.ts";
import { ClanParams, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant, PlatformId, XpSum } from "#contract/text.ts";

/**
 * What awards of API keys gave, as in gains: a reversal counts at the time of its award. Both are null until it is
 * counted.
 */
export const Span = z.strictObject({ start: Instant, awards: z.int().nullable(), xp: XpSum.nullable() });
export type Span = z.infer<typeof Span>;

/**
 * Oldest first, and their sums; `byHand` and `imported`: what people gave and took, and imports. `joined` is the number
 * of members whose first entry is in it. The sums are null until all spans are counted.
 */
export const RangeSums = z.strictObject({
  spans: z.array(Span),
  awards: z.int().nullable(),
  xp: XpSum.nullable(),
  byHand: XpSum.nullable(),
  imported: XpSum.nullable(),
  joined: z.int().nullable(),
});
export type RangeSums = z.infer<typeof RangeSums>;

export const Overview = z.strictObject({
  /** When the ledger was read: later entries are not included. */
  asOf: Instant,
  /** The members on the leaderboard, and the sum of their XP. */
  members: z.int(),
  xp: XpSum,
  /** The range that was asked for. */
  shown: z.enum(timeRanges),
  /** The range that ends with the running minute, and the one before it, which has the same length. */
  range: RangeSums,
  before: RangeSums,
  newest: z.array(
    EntryResponse.extend({ platformId: PlatformId, name: z.string().nullable(), actor: z.string().exactOptional() }),
  ),
});
export type Overview = z.infer<typeof Overview>;

export const Highlights = z.strictObject({
  /** When the ranks were counted; null while they are counted for the first time. */
  asOf: Instant.nullable(),
  /** By the XP gained in the last seven days. `too_many`: ledger entries to count them. */
  top: z.union([z.array(z.strictObject({ member: MemberResponse, gained: XpSum })), z.enum(["counting", "too_many"])]),
  ranks: z.array(z.strictObject({ name: z.string(), members: z.int() })),
});
export type Highlights = z.infer<typeof Highlights>;

/** Hours and days begin as in this time zone. */
const TimeZoneName = z
  .string()
  .refine((name) => timeZoneOf(name) !== null, { error: "must be a time zone of the IANA database" });

export const overviewEndpoints = {
  "read-overview": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/overview",
    access: "viewer",
    params: ClanParams,
    query: z.strictObject({ range: z.enum(timeRanges).optional(), timeZone: TimeZoneName.optional() }),
    body: NoBody,
    response: Overview,
  }),
  "read-highlights": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/highlights",
    access: "viewer",
    params: ClanParams,
    query: NoQuery,
    body: NoBody,
    response: Highlights,
  }),
};
