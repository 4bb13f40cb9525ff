// The activity of a clan: awards and XP over time, and the newest awards.
import { z } from "zod";
import { EntryResponse } from "#contract/entry.ts";
import { ClanParams, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant, PlatformId, XpSum, XpText } from "#contract/text.ts";

/** `xp`: the sum of applied amounts, deductions included. */
export const Span = z.strictObject({ start: Instant, awards: z.int(), xp: XpText });
export type Span = z.infer<typeof Span>;

export const Overview = z.strictObject({
  /** When the ledger was read: later entries are not included. */
  asOf: Instant,
  members: z.int(),
  /** The sum of the XP of the members in the leaderboard. */
  xp: XpSum,
  /** The last 60 minutes and the last 24 hours, oldest first; the last one is incomplete. */
  minutes: z.array(Span),
  hours: z.array(Span),
  newest: z.array(
    EntryResponse.extend({ platformId: PlatformId, name: z.string().nullable(), actor: z.string().exactOptional() }),
  ),
});
export type Overview = z.infer<typeof Overview>;

export const overviewEndpoints = {
  "read-overview": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/overview",
    access: "viewer",
    params: ClanParams,
    query: NoQuery,
    body: NoBody,
    response: Overview,
  }),
};
