// What happens in a clan: awards and XP over time, and the newest of them.
import { z } from "zod";
import { EntryAnswer } from "#contract/entry.ts";
import { ClanParams, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant, PlatformId, XpText } from "#contract/text.ts";

/** `xp`: the sum of what was applied, less what was taken. */
export const Span = z.strictObject({ start: Instant, awards: z.int(), xp: XpText });
export type Span = z.infer<typeof Span>;

export const Overview = z.strictObject({
  /** When the ledger was read: nothing later is in it. */
  asOf: Instant,
  members: z.int(),
  /** The last 60 minutes and the last 24 hours, oldest first; the last one is not over. */
  minutes: z.array(Span),
  hours: z.array(Span),
  newest: z.array(EntryAnswer.extend({ platformId: PlatformId, actor: z.string().exactOptional() })),
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
    answer: Overview,
  }),
};
