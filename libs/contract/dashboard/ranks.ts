// The clan's ranks and Auto Clan: read, previewed, set.
import { z } from "zod";
import { isName, NAME_CHARS_MAX, RANKS_PER_CLAN_MAX } from "#domain/bounds.ts";
import { rankKinds } from "#domain/rank.ts";
import { ClanResponse } from "#contract/clan.ts";
import { ClanParams, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";

const StoredRanks = ClanResponse.shape.ranks;

export const RankSettings = z.strictObject({ autoClan: z.boolean(), ranks: StoredRanks });
export type RankSettings = z.infer<typeof RankSettings>;

const EditedRank = z.strictObject({
  name: z.string().refine(isName, { error: `must be 1 to ${NAME_CHARS_MAX} characters of plain text` }),
  kind: z.enum(rankKinds),
  /** Null for all but NORMAL ranks. */
  threshold: z
    .string()
    .regex(/^\d{1,19}$/, { error: "must be a whole number of XP" })
    .nullable(),
  /** The rank's name in the stored list, so that a new name keeps its appointments; null for a new rank. */
  was: z.string().nullable(),
});
export type EditedRank = z.infer<typeof EditedRank>;

/** `stored`: the list that was edited. If another one is stored by now, nothing is changed. */
export const RanksRequest = z.strictObject({
  stored: StoredRanks,
  ranks: z.array(EditedRank).max(RANKS_PER_CLAN_MAX, { error: `must have at most ${RANKS_PER_CLAN_MAX} ranks` }),
});
export type RanksRequest = z.infer<typeof RanksRequest>;

/**
 * The ranks of the new list, then those that it lacks: members before and after, and those who would reach it from a
 * lower or a higher rank.
 */
const RankCounts = z.strictObject({
  name: z.string(),
  kind: z.enum(rankKinds),
  before: z.int(),
  after: z.int(),
  rise: z.int(),
  fall: z.int(),
});
/** `changed`: members whose rank would change. `dropped`: appointments that would end. */
export const RanksPreview = z.strictObject({
  members: z.int(),
  rise: z.int(),
  fall: z.int(),
  changed: z.int(),
  dropped: z.int(),
  ranks: z.array(RankCounts),
});
export type RanksPreview = z.infer<typeof RanksPreview>;

/** The members who have each rank now, by its name. Players without a membership have the guest rank. */
const RankMembers = z.strictObject({ members: z.record(z.string(), z.int()) });

/** `unconfirmed`: members would be affected, the person has not confirmed it, and nothing was changed. */
const RanksChange = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("saved"), settings: RankSettings }),
  z.strictObject({ kind: z.literal("unconfirmed"), preview: RanksPreview }),
]);

const base = { params: ClanParams, query: NoQuery } as const;
export const rankEndpoints = {
  "read-ranks": endpoint({
    ...base,
    method: "GET",
    path: "/api/clans/{clanId}/ranks",
    access: "viewer",
    body: NoBody,
    response: RankSettings,
  }),
  "count-rank-members": endpoint({
    ...base,
    method: "GET",
    path: "/api/clans/{clanId}/ranks/members",
    access: "viewer",
    body: NoBody,
    response: RankMembers,
  }),
  "preview-ranks": endpoint({
    ...base,
    method: "POST",
    path: "/api/clans/{clanId}/ranks/preview",
    access: "owner",
    body: RanksRequest,
    response: RanksPreview,
  }),
  "set-ranks": endpoint({
    ...base,
    method: "PUT",
    path: "/api/clans/{clanId}/ranks",
    access: "owner",
    body: RanksRequest.extend({ confirmed: z.boolean() }),
    response: RanksChange,
  }),
  "set-auto-clan": endpoint({
    ...base,
    method: "PUT",
    path: "/api/clans/{clanId}/auto-clan",
    access: "owner",
    body: z.strictObject({ autoClan: z.boolean() }),
    response: RankSettings,
  }),
};
