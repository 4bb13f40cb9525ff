// Signing in through an OpenID provider. The browser passes the provider's response to the server; without the
// browser's cookie it has no effect.
import { z } from "zod";
import { PASSWORD_CHARS_MAX } from "#domain/account.ts";
import { Done, endpoint, NoBody, NoParams, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant } from "#contract/text.ts";

/** The codes of some providers are signed and have some kilobytes. */
const QUERY_CHARS_MAX = 8_000;

const Proof = z.strictObject({ current: z.string().max(PASSWORD_CHARS_MAX).nullable() });
const Elsewhere = z.strictObject({ url: z.url() });

const base = { method: "POST", params: NoParams, query: NoQuery } as const;
export const oidcEndpoints = {
  "read-provider": endpoint({
    ...base,
    method: "GET",
    path: "/api/oidc",
    access: "public",
    body: NoBody,
    /** Null if none is set up. */
    response: z.strictObject({ name: z.string().nullable() }),
  }),
  "begin-oidc": endpoint({ ...base, path: "/api/oidc/begin", access: "public", body: NoBody, response: Elsewhere }),
  "finish-oidc": endpoint({
    ...base,
    path: "/api/oidc/finish",
    access: "public",
    body: z.strictObject({ query: z.string().max(QUERY_CHARS_MAX) }),
    response: z.strictObject({ kind: z.enum(["signed_in", "connected"]) }),
  }),
  "read-identity": endpoint({
    ...base,
    method: "GET",
    path: "/api/me/identity",
    access: "signed-in",
    body: NoBody,
    response: z.strictObject({ provider: z.string().nullable(), connectedAt: Instant.nullable() }),
  }),
  "connect-identity": endpoint({
    ...base,
    path: "/api/me/identity/connect",
    access: "signed-in",
    body: Proof,
    response: Elsewhere,
  }),
  "disconnect-identity": endpoint({
    ...base,
    path: "/api/me/identity/disconnect",
    access: "signed-in",
    body: Proof,
    response: Done,
  }),
};
