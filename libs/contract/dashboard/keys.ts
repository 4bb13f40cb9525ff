// A clan's API keys. Only the response that created a key contains its secret.
import { z } from "zod";
import { AMOUNT_MAX_LIMIT, isName, NAME_CHARS_MAX } from "#domain/bounds.ts";
import { PER_SECOND_MAX, XP_PER_DAY_MAX } from "#domain/key-limits.ts";
import { scopes } from "#domain/scope.ts";
import { ClanParams, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant } from "#contract/text.ts";

/** In the order in which a request would be rejected. */
export const keyStatuses = ["revoked", "expired", "replaced", "live"] as const;
export type KeyStatus = (typeof keyStatuses)[number];

/** Null: no limit. */
function limitUpTo(max: number) {
  const form = { error: `must be a whole number from 1 to ${max.toLocaleString("en")}` };
  return z.int(form).min(1, form).max(max, form).nullable();
}
const amountMax = limitUpTo(AMOUNT_MAX_LIMIT);
const xpPerDay = limitUpTo(XP_PER_DAY_MAX);

/** What an owner sets of a key's limits. */
export const KeyLimitsRequest = z.strictObject({ requestsPerSecond: limitUpTo(PER_SECOND_MAX), amountMax, xpPerDay });
export type KeyLimitsRequest = z.infer<typeof KeyLimitsRequest>;

export const KeyFacts = z.strictObject({
  keyId: z.string(),
  name: z.string(),
  hint: z.string(),
  scopes: z.array(z.enum(scopes)),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
  revokedAt: Instant.nullable(),
  replacedBy: z.string().nullable(),
  /** `replaced`: works until `expiresAt`, the end of its grace period. */
  status: z.enum(keyStatuses),
  limits: KeyLimitsRequest,
});
export type KeyFacts = z.infer<typeof KeyFacts>;

/**
 * `spentToday`: the positive amounts of this UTC day; null for a key without a limit per day, which are not counted.
 */
export const ListedKey = KeyFacts.extend({ spentToday: z.int().nullable() });
export type ListedKey = z.infer<typeof ListedKey>;

export const KeyList = z.strictObject({
  keys: z.array(ListedKey),
  live: z.int(),
  liveMax: z.int(),
  /** The address that game servers call; null if it is not configured. */
  apiUrl: z.string().nullable(),
});
export type KeyList = z.infer<typeof KeyList>;
export const IssuedKey = z.strictObject({ key: KeyFacts, secret: z.string() });
export type IssuedKey = z.infer<typeof IssuedKey>;

export const CreateKeyRequest = z.strictObject({
  name: z.string().refine(isName, { error: `must be 1 to ${NAME_CHARS_MAX} characters of plain text` }),
  scopes: z.array(z.enum(scopes)).min(1, { error: "must name at least one scope" }),
  expiresAt: Instant.nullable(),
  amountMax: amountMax.optional(),
  xpPerDay: xpPerDay.optional(),
});
export type CreateKeyRequest = z.infer<typeof CreateKeyRequest>;

/** The choices of the dialog; the use case accepts any up to 7 days. */
export const graceHours = [0, 1, 24, 72, 168] as const;
const RotateKeyRequest = z.strictObject({ graceHours: z.union(graceHours.map((hours) => z.literal(hours))) });

const KeyParams = ClanParams.extend({ keyId: z.string() });
export const keyEndpoints = {
  "list-keys": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/keys",
    access: "key-viewer",
    params: ClanParams,
    query: NoQuery,
    body: NoBody,
    response: KeyList,
  }),
  "create-key": endpoint({
    method: "POST",
    path: "/api/clans/{clanId}/keys",
    access: "owner",
    params: ClanParams,
    query: NoQuery,
    body: CreateKeyRequest,
    response: IssuedKey,
  }),
  "limit-key": endpoint({
    method: "PUT",
    path: "/api/clans/{clanId}/keys/{keyId}/limits",
    access: "owner",
    params: KeyParams,
    query: NoQuery,
    body: KeyLimitsRequest,
    response: KeyFacts,
  }),
  "rotate-key": endpoint({
    method: "POST",
    path: "/api/clans/{clanId}/keys/{keyId}/rotate",
    access: "owner",
    params: KeyParams,
    query: NoQuery,
    body: RotateKeyRequest,
    response: IssuedKey,
  }),
  "revoke-key": endpoint({
    method: "POST",
    path: "/api/clans/{clanId}/keys/{keyId}/revoke",
    access: "owner",
    params: KeyParams,
    query: NoQuery,
    body: NoBody,
    response: KeyFacts,
  }),
};
