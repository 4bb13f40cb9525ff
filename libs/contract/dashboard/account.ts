// Signing in and out, links, passwords, and who is signed in.
import { z } from "zod";
import { clanRoles, PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from "#domain/account.ts";
import { Done, endpoint, NoBody, NoParams, NoQuery } from "#contract/dashboard/endpoint.ts";

const NAME_CHARS_MAX = 100;
const TOKEN_CHARS_MAX = 100;

const NewPassword = z
  .string()
  .refine((password) => [...password].length >= PASSWORD_CHARS_MIN, {
    error: `must have at least ${PASSWORD_CHARS_MIN} characters`,
    abort: true,
  })
  .max(PASSWORD_CHARS_MAX, { error: `must have at most ${PASSWORD_CHARS_MAX} characters` });
const Token = z.string().max(TOKEN_CHARS_MAX);

const SignInRequest = z.strictObject({
  name: z.string().min(1, { error: "is required" }).max(NAME_CHARS_MAX),
  password: z.string().min(1, { error: "is required" }).max(PASSWORD_CHARS_MAX),
});
export const PasswordRequest = z.strictObject({
  current: z.string().max(PASSWORD_CHARS_MAX).nullable(),
  password: NewPassword,
});

const ClanOfAccount = z.strictObject({ clanId: z.string(), name: z.string(), role: z.enum(clanRoles) });
/**
 * `clans`: those in which the account has a role; for an operator the first ones by id, and `hasMoreClans` is true if
 * there are others. `docsUrl`: of the documentation, which the API serves; null if its address is unknown.
 */
export const Me = z.strictObject({
  name: z.string(),
  operator: z.boolean(),
  hasPassword: z.boolean(),
  clans: z.array(ClanOfAccount),
  hasMoreClans: z.boolean(),
  docsUrl: z.string().nullable(),
  version: z.string(),
});
export type Me = z.infer<typeof Me>;

/** `accept`: the account exists, and gets the role in the clan when its person accepts the invitation. */
const LinkFacts = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["set-password", "sign-in"]), accountName: z.string() }),
  z.strictObject({
    kind: z.literal("accept"),
    accountName: z.string(),
    clanName: z.string(),
    role: z.enum(clanRoles),
  }),
]);
export type LinkFacts = z.infer<typeof LinkFacts>;

const base = { params: NoParams, query: NoQuery } as const;
export const accountEndpoints = {
  "sign-in": endpoint({
    ...base,
    method: "POST",
    path: "/api/sign-in",
    access: "public",
    body: SignInRequest,
    response: Done,
  }),
  "look-at-link": endpoint({
    ...base,
    method: "POST",
    path: "/api/link/look",
    access: "public",
    body: z.strictObject({ token: Token }),
    response: LinkFacts,
  }),
  "use-link": endpoint({
    ...base,
    method: "POST",
    path: "/api/link/use",
    access: "public",
    body: z.strictObject({ token: Token, password: NewPassword.optional() }),
    response: Done,
  }),
  "accept-invitation": endpoint({
    ...base,
    method: "POST",
    path: "/api/link/accept",
    access: "signed-in",
    body: z.strictObject({ token: Token }),
    response: z.strictObject({ clanId: z.string() }),
  }),
  "sign-out": endpoint({
    ...base,
    method: "POST",
    path: "/api/sign-out",
    access: "signed-in",
    body: NoBody,
    response: Done,
  }),
  "read-me": endpoint({ ...base, method: "GET", path: "/api/me", access: "signed-in", body: NoBody, response: Me }),
  "change-password": endpoint({
    ...base,
    method: "POST",
    path: "/api/me/password",
    access: "signed-in",
    body: PasswordRequest,
    response: Done,
  }),
};
