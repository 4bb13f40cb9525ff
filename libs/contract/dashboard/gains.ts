// Who gained how much in a span that a person chooses, and what a member gained in the parts of a range.
import { z } from "zod";
import { historyRanges } from "#domain/time-range.ts";
import { ClanParams, CsvFile, endpoint, NoBody } from "#contract/dashboard/endpoint.ts";
import { MemberSearch } from "#contract/dashboard/members.ts";
import { GainsResponse, GainsRow } from "#contract/gains.ts";
import {
  gainSpanQuery,
  MemberGainsQuery,
  MemberGainsResponse,
  requireDays,
  requireOrder,
} from "#contract/member-gains.ts";
import { PlatformId } from "#contract/text.ts";

export const GainSpan = z.strictObject(gainSpanQuery).superRefine(requireOrder).superRefine(requireDays);
export type GainSpan = z.infer<typeof GainSpan>;

/** A member in the list, with their name. */
const NamedGains = GainsRow.extend({ name: z.string().nullable() });
/** `counted` null: the span is being counted for the first time. */
export const GainPage = z.strictObject({
  counted: GainsResponse.pick({ asOf: true, totals: true }).nullable(),
  members: z.array(NamedGains),
  nextCursor: z.string().nullable(),
});
export type GainPage = z.infer<typeof GainPage>;

export const gainEndpoints = {
  "list-gains": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/gains",
    access: "viewer",
    params: ClanParams,
    /** `search`: only members that it finds. `cursor`: the `nextCursor` of the previous page; the route parses it. */
    query: GainSpan.safeExtend({ search: MemberSearch.optional(), cursor: z.string().optional() }),
    body: NoBody,
    response: GainPage,
  }),
  "export-gains": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/gains.csv",
    access: "viewer",
    params: ClanParams,
    query: GainSpan,
    body: NoBody,
    response: CsvFile,
  }),
  /** The parts are whole: the range may begin and end in the middle of one. */
  "read-member-gains": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/members/{platformId}/gains",
    access: "viewer",
    params: ClanParams.extend({ platformId: PlatformId }),
    query: z.strictObject({ range: z.enum(historyRanges), timeZone: MemberGainsQuery.shape.timeZone }),
    body: NoBody,
    response: MemberGainsResponse,
  }),
};
