// The clan's awards, of game servers and of people: a list, the newest first, and a reversal of those that a filter
// selects.
import { z } from "zod";
import { isActorName } from "#domain/audit.ts";
import { AMOUNT_MAX_LIMIT, ID_CHARS_MAX, MATCH_ID_CHARS_MAX, REASON_CHARS_MAX } from "#domain/bounds.ts";
import { ClanParams, CsvFile, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { MemberEntry, MemberSearch } from "#contract/dashboard/members.ts";
import { BACKWARD, isForward } from "#contract/dashboard/time-span.ts";
import { ReversalAccepted, ReversalPreview } from "#contract/reversal.ts";
import { Instant, PlatformId, textOf } from "#contract/text.ts";

const ListedAward = MemberEntry.extend({ platformId: PlatformId, name: z.string().nullable() });
export type ListedAward = z.infer<typeof ListedAward>;

/** `player`: the only member that the filter `player` finds, if there is one. */
const Player = z.strictObject({ platformId: PlatformId, name: z.string().nullable() }).nullable();

/**
 * A page looks at a bounded number of entries, and may be short or empty although there are older awards. `since`: it
 * has looked at the entries from this time on; null: at all of them.
 */
const AwardPage = z.strictObject({
  awards: z.array(ListedAward),
  player: Player,
  since: Instant.nullable(),
  nextCursor: z.string().nullable(),
});

const KeyId = textOf(ID_CHARS_MAX).min(1);
const MatchId = textOf(MATCH_ID_CHARS_MAX).min(1);
const AT_LEAST = `must be a whole number from 1 to ${AMOUNT_MAX_LIMIT}`;

/** `key`, `person`: who gave them. `atLeast`: so much XP. */
const filter = {
  player: MemberSearch.optional(),
  key: KeyId.optional(),
  person: z.string().refine(isActorName, { error: "must be the name of a person" }).optional(),
  match: MatchId.optional(),
  reason: textOf(REASON_CHARS_MAX).min(1).optional(),
  atLeast: z
    .string()
    .regex(/^[1-9]\d{0,12}$/, AT_LEAST)
    .refine((text) => Number(text) <= AMOUNT_MAX_LIMIT, AT_LEAST)
    .optional(),
  from: Instant.optional(),
  to: Instant.optional(),
};
export type AwardsQuery = { [Name in keyof typeof filter]?: string | undefined };

/** What a reversal can select: the awards of one key, match or player, in a time span. */
const selected = {
  key: KeyId.optional(),
  match: MatchId.optional(),
  platformId: PlatformId.optional(),
  from: Instant.optional(),
  to: Instant.optional(),
};
type Selected = { [Name in keyof typeof selected]?: string | undefined };

function isOne({ key, match, platformId }: Selected): boolean {
  return [key, match, platformId].filter((one) => one !== undefined).length === 1;
}
const NOT_ONE = { error: "must name exactly one of key, match and platformId" };

const SelectedAwards = z.strictObject(selected).refine(isOne, NOT_ONE).refine(isForward, BACKWARD);
export type SelectedAwards = z.infer<typeof SelectedAwards>;

const ReverseAwardsRequest = z
  .strictObject({ ...selected, reason: textOf(REASON_CHARS_MAX).nullable() })
  .refine(isOne, NOT_ONE)
  .refine(isForward, BACKWARD);

const base = { params: ClanParams } as const;
const reading = { ...base, method: "GET", access: "viewer", body: NoBody } as const;
export const awardEndpoints = {
  "list-awards": endpoint({
    ...reading,
    path: "/api/clans/{clanId}/awards",
    /** `cursor`: the `nextCursor` of the previous page; the route parses it. */
    query: z.strictObject({ ...filter, cursor: z.string().optional() }).refine(isForward, BACKWARD),
    response: AwardPage,
  }),
  "export-awards": endpoint({
    ...reading,
    path: "/api/clans/{clanId}/awards.csv",
    query: z.strictObject(filter).refine(isForward, BACKWARD),
    response: CsvFile,
  }),
  /** Who can have given awards: the API keys of the clan, and people. */
  "list-award-givers": endpoint({
    ...reading,
    path: "/api/clans/{clanId}/awards/givers",
    query: NoQuery,
    response: z.strictObject({
      keys: z.array(z.strictObject({ keyId: z.string(), name: z.string() })),
      people: z.array(z.string()),
    }),
  }),
  "preview-awards-reversal": endpoint({
    ...reading,
    access: "owner",
    path: "/api/clans/{clanId}/awards/reversal",
    query: SelectedAwards,
    response: ReversalPreview,
  }),
  "reverse-awards": endpoint({
    ...base,
    method: "POST",
    access: "owner",
    path: "/api/clans/{clanId}/awards/reversal",
    query: NoQuery,
    body: ReverseAwardsRequest,
    response: ReversalAccepted,
  }),
};
