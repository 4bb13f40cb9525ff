// All clans, for operators: the list and a new clan. A clan's settings, for its owners.
import { z } from "zod";
import { AMOUNT_MAX_LIMIT, isClanId, isName, NAME_CHARS_MAX, XP_MAX, XP_MIN } from "#domain/bounds.ts";
import type { ModeratorBounds } from "#domain/moderator.ts";
import { XP_PER_DAY_MAX } from "#domain/key-limits.ts";
import { ClanResponse } from "#contract/clan.ts";
import { ClanParams, endpoint, NoBody, NoParams, NoQuery } from "#contract/dashboard/endpoint.ts";
import { textOf, XpText } from "#contract/text.ts";

const boundedBy = (max: number) => {
  const error = `must be a whole number from 1 to ${max}`;
  return z.int({ error }).min(1, { error }).max(max, { error });
};

export const ModeratorBoundsRequest = z.strictObject({
  xpPerAward: boundedBy(AMOUNT_MAX_LIMIT),
  xpPerDay: boundedBy(XP_PER_DAY_MAX),
}) satisfies z.ZodType<ModeratorBounds>;

/** `xpFloor` null: no minimum. Amounts of awards are bounded by ±`amountMax`. `xpPerDay` null: no limit. */
export const ClanFacts = ClanResponse.extend({
  xpFloor: XpText.nullable(),
  xpCap: XpText,
  amountMax: z.int(),
  xpPerDay: XpText.nullable(),
  awardEvents: z.boolean(),
  moderatorBounds: ModeratorBoundsRequest,
});
export type ClanFacts = z.infer<typeof ClanFacts>;

const ClanPage = z.strictObject({ clans: z.array(ClanFacts), nextCursor: z.string().nullable() });

const ClanName = z.string().refine(isName, { error: `must be 1 to ${NAME_CHARS_MAX} characters of plain text` });

/** The new clan has one rank, Guest. */
export const CreateClanRequest = z.strictObject({
  clanId: z.string().refine(isClanId, { error: "must be 1 to 64 characters of A-Z a-z 0-9 _ -" }),
  name: ClanName,
  autoClan: z.boolean(),
});
export type CreateClanRequest = z.infer<typeof CreateClanRequest>;

const NOT_XP = `must be a whole number from ${XP_MIN} to ${XP_MAX}`;
const Xp = z.string().refine((text) => /^-?\d{1,19}$/.test(text) && isXp(BigInt(text)), { error: NOT_XP });

/** The settings that change; the others stay. */
export const ClanSettingsRequest = z
  .strictObject({
    name: ClanName.optional(),
    autoClan: z.boolean().optional(),
    xpFloor: Xp.nullable().optional(),
    xpCap: Xp.optional(),
    amountMax: boundedBy(AMOUNT_MAX_LIMIT).optional(),
    xpPerDay: boundedBy(XP_PER_DAY_MAX).nullable().optional(),
    moderatorBounds: ModeratorBoundsRequest.optional(),
  })
  .refine((settings) => Object.values(settings).some((value) => value !== undefined), {
    error: "must name at least one setting",
  });
export type ClanSettingsRequest = z.infer<typeof ClanSettingsRequest>;

function isXp(xp: bigint): boolean {
  return xp >= XP_MIN && xp <= XP_MAX;
}

export const clanEndpoints = {
  "list-clans": endpoint({
    method: "GET",
    path: "/api/clans",
    access: "operator",
    params: NoParams,
    /** `search`: text in a clan's id or name. `cursor`: the `nextCursor` of the previous page. */
    query: z.strictObject({ search: textOf(NAME_CHARS_MAX).optional(), cursor: z.string().optional() }),
    body: NoBody,
    response: ClanPage,
  }),
  "create-clan": endpoint({
    method: "POST",
    path: "/api/clans",
    access: "operator",
    params: NoParams,
    query: NoQuery,
    body: CreateClanRequest,
    response: ClanFacts,
  }),
  "read-clan": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}",
    access: "viewer",
    params: ClanParams,
    query: NoQuery,
    body: NoBody,
    response: ClanFacts,
  }),
  "change-clan": endpoint({
    method: "PATCH",
    path: "/api/clans/{clanId}",
    access: "owner",
    params: ClanParams,
    query: NoQuery,
    body: ClanSettingsRequest,
    response: ClanFacts,
  }),
};
