// The accounts of the dashboard, for operators: who may sign in, and the links with which people set up their accounts.
import { z } from "zod";
import { clanRoles, isAccountName } from "#domain/account.ts";
import { isClanId, NAME_CHARS_MAX } from "#domain/bounds.ts";
import { Done, endpoint, NoBody, NoParams, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant, textOf } from "#contract/text.ts";

const Grants = z.array(z.strictObject({ clanId: z.string(), role: z.enum(clanRoles) }));

/** `link`: whether a link to choose a password is open, has expired unused, or none is needed. */
export const AccountFacts = z.strictObject({
  name: z.string(),
  operator: z.boolean(),
  clans: Grants,
  link: z.enum(["none", "open", "expired"]),
  lastSignInAt: Instant.nullable(),
});
export type AccountFacts = z.infer<typeof AccountFacts>;

/** `token`: the secret of the link, after its `#`. Only this response contains it. */
export const InvitedAccount = z.strictObject({ name: z.string(), token: z.string(), expiresAt: Instant });
export type InvitedAccount = z.infer<typeof InvitedAccount>;

export const AccountName = z
  .string()
  .refine(isAccountName, { error: "must be 1 to 100 characters of a-z 0-9 . _ @ + -" });

/** An operator has no clan, because operators may do everything in all of them. */
export const InviteRequest = z.strictObject({
  name: AccountName,
  may: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("operator") }),
    z.strictObject({
      kind: z.literal("clan"),
      clanId: z.string().refine(isClanId, { error: "must be the id of a clan" }),
      role: z.enum(clanRoles),
    }),
  ]),
});
export type InviteRequest = z.infer<typeof InviteRequest>;

/**
 * `search`: text in an account's name or in the id of one of its clans. `cursor`: `nextCursor` of the previous page.
 */
const AccountQuery = z.strictObject({ search: textOf(NAME_CHARS_MAX).optional(), cursor: z.string().optional() });
const AccountPage = z.strictObject({ accounts: z.array(AccountFacts), nextCursor: z.string().nullable() });

const base = { access: "operator", query: NoQuery } as const;
const AccountParams = z.strictObject({ name: z.string() });
export const accountsEndpoints = {
  "list-accounts": endpoint({
    ...base,
    method: "GET",
    path: "/api/accounts",
    params: NoParams,
    query: AccountQuery,
    body: NoBody,
    response: AccountPage,
  }),
  "invite-account": endpoint({
    ...base,
    method: "POST",
    path: "/api/accounts",
    params: NoParams,
    body: InviteRequest,
    response: InvitedAccount,
  }),
  /** Removes the password and ends every session; the person chooses another password with the new link. */
  "reset-account": endpoint({
    ...base,
    method: "POST",
    path: "/api/accounts/{name}/reset",
    params: AccountParams,
    body: NoBody,
    response: InvitedAccount,
  }),
  "remove-account": endpoint({
    ...base,
    method: "POST",
    path: "/api/accounts/{name}/removal",
    params: AccountParams,
    body: NoBody,
    response: Done,
  }),
};
