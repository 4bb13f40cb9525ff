// Passkeys: the options for the browser, its answers (Web Authentication, Level 3, as JSON), and the list of an
// account's passkeys.
import { z } from "zod";
import { PASSKEY_NAME_CHARS_MAX, PASSWORD_CHARS_MAX } from "#domain/account.ts";
import { Done, endpoint, NoBody, NoParams, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant, textOf } from "#contract/text.ts";

/** An authenticator with a long certificate chain sends some kilobytes. */
const PART_CHARS_MAX = 32_000;
/** 1,023 bytes, the most that the standard permits. */
const ID_CHARS_MAX = 1_364;
const TOKEN_CHARS_MAX = 100;

const Id = z
  .string()
  .regex(/^[\w-]+$/, { error: "is not base64url" })
  .max(ID_CHARS_MAX);
const Part = z
  .string()
  .regex(/^[\w-]+$/, { error: "is not base64url" })
  .max(PART_CHARS_MAX);
const Token = z.string().max(TOKEN_CHARS_MAX);
const Current = z.string().max(PASSWORD_CHARS_MAX).nullable();

/** Browsers add fields that are not needed. */
const NewCredential = z.object({
  id: Id,
  rawId: Id,
  type: z.literal("public-key"),
  response: z.object({ clientDataJSON: Part, attestationObject: Part }),
});
export type NewCredential = z.infer<typeof NewCredential>;
const UsedCredential = z.object({
  id: Id,
  rawId: Id,
  type: z.literal("public-key"),
  response: z.object({ clientDataJSON: Part, authenticatorData: Part, signature: Part, userHandle: Part }),
});

export type UsedCredential = z.infer<typeof UsedCredential>;

const PasskeyName = textOf(PASSKEY_NAME_CHARS_MAX).trim().min(1, { error: "is required" });

/** Checked by the form. */
export const PasskeyForm = z.strictObject({ name: PasskeyName, current: Current });

const PasskeyFacts = z.strictObject({
  id: z.string(),
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
});
export type PasskeyFacts = z.infer<typeof PasskeyFacts>;

/** For the browser's own functions. */
const Options = z.strictObject({ options: z.record(z.string(), z.unknown()) });

const base = { method: "POST", params: NoParams, query: NoQuery } as const;
export const passkeyEndpoints = {
  "list-passkeys": endpoint({
    ...base,
    method: "GET",
    path: "/api/me/passkeys",
    access: "signed-in",
    body: NoBody,
    response: z.strictObject({ passkeys: z.array(PasskeyFacts), max: z.int() }),
  }),
  "begin-passkey": endpoint({
    ...base,
    path: "/api/me/passkeys/options",
    access: "signed-in",
    body: z.strictObject({ current: Current }),
    response: Options,
  }),
  "add-passkey": endpoint({
    ...base,
    path: "/api/me/passkeys",
    access: "signed-in",
    body: z.strictObject({ name: PasskeyName, credential: NewCredential }),
    response: Done,
  }),
  "remove-passkey": endpoint({
    ...base,
    path: "/api/me/passkeys/remove",
    access: "signed-in",
    body: z.strictObject({ id: Id, current: Current }),
    response: Done,
  }),
  "begin-passkey-by-link": endpoint({
    ...base,
    path: "/api/link/passkey/options",
    access: "public",
    body: z.strictObject({ token: Token }),
    response: Options,
  }),
  "use-link-with-passkey": endpoint({
    ...base,
    path: "/api/link/passkey",
    access: "public",
    body: z.strictObject({ token: Token, name: PasskeyName, credential: NewCredential }),
    response: Done,
  }),
  "begin-passkey-sign-in": endpoint({
    ...base,
    path: "/api/sign-in/passkey/options",
    access: "public",
    body: NoBody,
    response: Options,
  }),
  "sign-in-with-passkey": endpoint({
    ...base,
    path: "/api/sign-in/passkey",
    access: "public",
    body: z.strictObject({ credential: UsedCredential }),
    response: Done,
  }),
};
