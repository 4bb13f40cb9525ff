// Reversing one award of a member: its preview, the reversal itself, and its progress.
import { z } from "zod";
import { ID_CHARS_MAX, REASON_CHARS_MAX } from "#domain/bounds.ts";
import { ClanParams, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { ReversalAccepted, ReversalPreview, ReversalState } from "#contract/reversal.ts";
import { PlatformId, textOf } from "#contract/text.ts";

/** `actor`: the person who requested it; null if an API key did. `name`: that of the member whose awards it selects. */
const ReversalOfPerson = ReversalState.extend({ actor: z.string().nullable(), name: z.string().nullable() });
export type ReversalOfPerson = z.infer<typeof ReversalOfPerson>;

export const ReverseRequest = z.strictObject({ reason: textOf(REASON_CHARS_MAX).nullable() });

const AwardParams = ClanParams.extend({ platformId: PlatformId, awardId: textOf(ID_CHARS_MAX) });
const awardPath = "/api/clans/{clanId}/members/{platformId}/awards/{awardId}/reversal";

export const reversalEndpoints = {
  "preview-reversal": endpoint({
    method: "GET",
    path: awardPath,
    access: "viewer",
    params: AwardParams,
    query: NoQuery,
    body: NoBody,
    /** `awards` 0: there is nothing to reverse, or it was already reversed. */
    response: ReversalPreview,
  }),
  /** A moderator reverses what they gave or took. */
  "reverse-award": endpoint({
    method: "POST",
    path: awardPath,
    access: "moderator",
    params: AwardParams,
    query: NoQuery,
    body: ReverseRequest,
    response: ReversalAccepted,
  }),
  "read-reversal": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/reversals/{reversalId}",
    access: "viewer",
    params: ClanParams.extend({ reversalId: textOf(ID_CHARS_MAX) }),
    query: NoQuery,
    body: NoBody,
    response: ReversalOfPerson,
  }),
};
