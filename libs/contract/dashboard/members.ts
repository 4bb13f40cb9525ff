// The clan's members: the leaderboard, one member with their ledger, and what an owner may change about them.
import { z } from "zod";
import { entryKinds } from "#domain/award.ts";
import { NAME_CHARS_MAX, REASON_CHARS_MAX } from "#domain/bounds.ts";
import { historyRanges } from "#domain/time-range.ts";
import { Amount } from "#contract/award.ts";
import { ClanParams, CsvFile, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { EntryResponse } from "#contract/entry.ts";
import { MemberResponse } from "#contract/member.ts";
import { Instant, PlatformId, textOf, XpText } from "#contract/text.ts";
import { MEMBER_NAME_CHARS_MAX } from "#domain/member-name.ts";

/** A search for members: the beginning of a platformId, or words of a name from their beginning. */
export const MemberSearch = textOf(MEMBER_NAME_CHARS_MAX).trim().min(1);

/** Days without an award, of which one is selected. */
export const idleDays = ["7", "14", "30", "90"] as const;
/** `rank`: the name of a rank. `idleDays`: no award for so many days. With several, members whom all select. */
const MemberFilter = z.strictObject({
  search: MemberSearch.optional(),
  rank: textOf(NAME_CHARS_MAX).optional(),
  idleDays: z.enum(idleDays).optional(),
});
export type FilterQuery = z.infer<typeof MemberFilter>;

/** `about`: of a large clan, as it was counted last. `atLeast`: there are more, which are not counted. */
const FoundMembers = z.strictObject({ value: z.int(), accuracy: z.enum(["exact", "about", "atLeast"]) });
export type FoundMembers = z.infer<typeof FoundMembers>;

/** `found`: how many the filter selects; null while they are counted for the first time, and on all but the first page. */
const MemberPage = z.strictObject({
  members: z.array(MemberResponse),
  nextCursor: z.string().nullable(),
  found: FoundMembers.nullable(),
});

export const MemberFacts = z.strictObject({
  member: MemberResponse,
  /** The STAFF or OWNER rank to which the member is appointed. */
  appointedRank: z.string().nullable(),
  /** The threshold of the member's rank, from which the progress to the next one is counted. */
  rankFrom: XpText,
  /** Ranks to which a member can be appointed. */
  appointable: z.array(z.string()),
});
export type MemberFacts = z.infer<typeof MemberFacts>;

/**
 * `actor`: the person who made the change, if it was not a game server. `keyName`: the name of the API key that sent
 * the award, null if the key is not stored any more.
 */
export const MemberEntry = EntryResponse.extend({
  actor: z.string().exactOptional(),
  keyName: z.string().nullable().exactOptional(),
});
export type MemberEntry = z.infer<typeof MemberEntry>;
/** `xp`: the highest from `at` until the next point; null before the first entry. */
const XpPoint = z.strictObject({ at: Instant, xp: XpText.nullable() });
/** `points` null: so many entries are still being read for the first time. */
export const XpHistory = z.strictObject({ points: z.array(XpPoint).nullable(), until: Instant });
export type XpHistory = z.infer<typeof XpHistory>;

const MemberLedger = z.strictObject({ entries: z.array(MemberEntry), nextCursor: z.string().nullable() });

export const ChangeXpRequest = z.strictObject({
  amount: Amount.refine((amount) => amount !== 0, { error: "must not be 0" }),
  reason: textOf(REASON_CHARS_MAX).refine((reason) => reason.trim() !== "", { error: "is required" }),
  /** Created once for each change, so that a retry counts once. */
  changeId: z.uuid(),
});
/** Of a player who becomes a member; the path has it. */
export const NewMember = z.strictObject({ platformId: PlatformId });
const AppointRequest = z.strictObject({ rank: z.string().nullable() });

/** `waiting`: no worker has begun yet. `entries`: how many were deleted. */
export const ErasureFacts = z.strictObject({
  erasureId: z.string(),
  state: z.enum(["waiting", "running", "done"]),
  entries: z.int(),
});
export type ErasureFacts = z.infer<typeof ErasureFacts>;

/** The `nextCursor` of the previous page; the route parses it. */
const Cursor = z.string();

const MemberParams = ClanParams.extend({ platformId: PlatformId });
const memberPath = "/api/clans/{clanId}/members/{platformId}";

export const memberEndpoints = {
  "list-members": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/members",
    access: "viewer",
    params: ClanParams,
    /** With `search`, platformIds and names determine the order; otherwise the highest XP comes first. */
    query: MemberFilter.extend({ cursor: Cursor.optional() }),
    body: NoBody,
    response: MemberPage,
  }),
  "read-member": endpoint({
    method: "GET",
    path: memberPath,
    access: "viewer",
    params: MemberParams,
    query: NoQuery,
    body: NoBody,
    response: MemberFacts,
  }),
  "read-member-ledger": endpoint({
    method: "GET",
    path: `${memberPath}/ledger`,
    access: "viewer",
    params: MemberParams,
    query: z.strictObject({ cursor: Cursor.optional(), kind: z.enum(entryKinds).optional() }),
    body: NoBody,
    response: MemberLedger,
  }),
  "read-member-history": endpoint({
    method: "GET",
    path: `${memberPath}/history`,
    access: "viewer",
    params: MemberParams,
    query: z.strictObject({ range: z.enum(historyRanges) }),
    body: NoBody,
    response: XpHistory,
  }),
  "change-xp": endpoint({
    method: "POST",
    path: `${memberPath}/xp`,
    access: "moderator",
    params: MemberParams,
    query: NoQuery,
    body: ChangeXpRequest,
    response: MemberEntry,
  }),
  "appoint-member": endpoint({
    method: "POST",
    path: `${memberPath}/appointment`,
    access: "owner",
    params: MemberParams,
    query: NoQuery,
    body: AppointRequest,
    response: MemberFacts,
  }),
  "export-members": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/members.csv",
    access: "viewer",
    params: ClanParams,
    query: MemberFilter,
    body: NoBody,
    response: CsvFile,
  }),
  "export-member-ledger": endpoint({
    method: "GET",
    path: `${memberPath}/ledger.csv`,
    access: "viewer",
    params: MemberParams,
    query: NoQuery,
    body: NoBody,
    response: CsvFile,
  }),
  "erase-member": endpoint({
    method: "POST",
    path: `${memberPath}/erasure`,
    access: "owner",
    params: MemberParams,
    query: NoQuery,
    body: NoBody,
    response: ErasureFacts,
  }),
  "read-erasure": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/erasures/{erasureId}",
    access: "owner",
    params: ClanParams.extend({ erasureId: z.string() }),
    query: NoQuery,
    body: NoBody,
    response: ErasureFacts,
  }),
  /** A player who is already a member stays one. */
  "add-member": endpoint({
    method: "POST",
    path: `${memberPath}/membership`,
    access: "owner",
    params: MemberParams,
    query: NoQuery,
    body: NoBody,
    response: MemberFacts,
  }),
  "remove-member": endpoint({
    method: "POST",
    path: `${memberPath}/removal`,
    access: "owner",
    params: MemberParams,
    query: NoQuery,
    body: NoBody,
    response: MemberFacts,
  }),
};
