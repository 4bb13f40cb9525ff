// An OpenID provider: authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, RFC 7636). The
// signature of an ID token is verified although it comes from the provider itself. Only the person's identity is
// stored, and no token.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type ClientAuth,
  type Configuration,
} from "openid-client";
import type { OidcConfig } from "#process/config.ts";
import type { IdentityProvider } from "#accounts/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

/** Timeout of a request to the provider; a person waits for it. */
const ANSWER_S_MAX = 5;
/** Providers rarely change their addresses, and announce changes long before. */
const DISCOVERY_MS = 3_600_000;
/** Errors after which the provider is considered unavailable. After any other error, the sign-in is rejected. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
]);

type Deps = { oidc: OidcConfig; clock: Clock; log: Log };

export function makeIdentityProvider({ oidc, clock, log }: Deps): IdentityProvider {
  const client = makeClientAuthentication(oidc);
  let found: { at: number; configuration: Promise<Configuration> } | null = null;

  /** Read once for everybody who signs in within the hour; after a failure the next person reads it again. */
  function discovered(): Promise<Configuration> {
    const now = clock.monotonicMs();
    if (found && now - found.at < DISCOVERY_MS) return found.configuration;
    const reading = { at: now, configuration: discover(oidc, client.auth) };
    found = reading;
    reading.configuration.catch(() => {
      if (found === reading) found = null;
    });
    return reading.configuration;
  }

  return {
    name: oidc.name,

    async begin({ redirectUri, state, nonce, verifier }) {
      try {
        const url = buildAuthorizationUrl(await discovered(), {
          redirect_uri: redirectUri,
          scope: oidc.scopes,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        });
        return url.href;
      } catch (error) {
        noteFailure({ oidc, log }, error);
        return null;
      }
    },

    async finish({ redirectUri, query, state, nonce, verifier }) {
      try {
        const configuration = await discovered();
        const answer = new URL(redirectUri);
        answer.search = query;
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        };
        const tokens = await client.authenticated(configuration, () =>
          authorizationCodeGrant(configuration, answer, checks),
        );
        const claims = tokens.claims();
        if (!claims) return { kind: "not_verified" };
        const isIncomplete = claims["email"] === undefined || claims["email_verified"] === undefined;
        const needsEmail = oidc.scopes.split(" ").includes("email") && isIncomplete;
        const readsUserInfo = needsEmail && configuration.serverMetadata().userinfo_endpoint !== undefined;
        // Both from one place: an address of the token may be another than the one that was verified.
        const facts = readsUserInfo ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
        return { kind: "verified", issuer: claims.iss, subject: claims.sub, email: verifiedEmail(facts) };
      } catch (error) {
        return noteFailure({ oidc, log }, error);
      }
    },
  };
}

async function discover({ issuer, clientId }: OidcConfig, auth: ClientAuth): Promise<Configuration> {
  // Settings permit http: only on this machine.
  // oxlint-disable-next-line typescript/no-deprecated -- the library marks it only to make it conspicuous
  const insecure = issuer.startsWith("http:") ? [allowInsecureRequests] : [];
  const options = { timeout: ANSWER_S_MAX, execute: [...insecure, enableNonRepudiationChecks] };
  const configuration = await discovery(new URL(issuer), clientId, undefined, auth, options);
  // The library accepts issuers of some services that represent many tenants: then anybody there could sign in.
  if (new URL(configuration.serverMetadata().issuer).href === new URL(issuer).href) return configuration;
  throw new Error("The provider names another issuer");
}

type ClientAuthentication = {
  auth: ClientAuth;
  /** Repeats the request by the other method if the provider rejects the client. */
  authenticated<T>(configuration: Configuration, request: () => Promise<T>): Promise<T>;
};

/**
 * By `client_secret_basic`, which every provider must support that lists no others. It encodes the secret, and some
 * providers do not decode it: a secret that the encoding changes goes in the body, if the provider lists that method. A
 * client may be registered for one of the listed methods only.
 */
function makeClientAuthentication({ clientId, clientSecret }: OidcConfig): ClientAuthentication {
  const methods = {
    client_secret_basic: ClientSecretBasic(clientSecret),
    client_secret_post: ClientSecretPost(clientSecret),
  };
  type Method = keyof typeof methods;
  const isPlain = /^[A-Za-z0-9]*$/.test(`${clientId}${clientSecret}`);
  let preferred: Method = isPlain ? "client_secret_basic" : "client_secret_post";

  function methodFor(listed: readonly string[] = ["client_secret_basic"]): Method {
    if (listed.includes(preferred)) return preferred;
    return listed.includes("client_secret_basic") ? "client_secret_basic" : "client_secret_post";
  }

  return {
    auth: (server, ...rest) => methods[methodFor(server.token_endpoint_auth_methods_supported)](server, ...rest),
    async authenticated(configuration, request) {
      try {
        return await request();
      } catch (error) {
        const listed = configuration.serverMetadata().token_endpoint_auth_methods_supported ?? [];
        const hasBoth = Object.keys(methods).every((method) => listed.includes(method));
        if (!hasBoth || !isInvalidClient(error)) throw error;
        preferred = preferred === "client_secret_basic" ? "client_secret_post" : "client_secret_basic";
        return request();
      }
    },
  };
}

function isInvalidClient(error: unknown): boolean {
  // A status of 401 with a challenge is another error of the library.
  return error instanceof WWWAuthenticateChallengeError || reasonOf(error).reason === "invalid_client";
}

/** Some providers send the truth value as a text. */
function verifiedEmail({ email, email_verified: isVerified }: Record<string, unknown>): string | null {
  return (isVerified === true || isVerified === "true") && typeof email === "string" ? email : null;
}

function noteFailure(
  { oidc: { issuer }, log }: { oidc: OidcConfig; log: Log },
  error: unknown,
): { kind: "canceled" | "not_verified" | "clocks_differ" | "unreachable" } {
  const { reason, isProviders } = reasonOf(error);
  if (reason === "access_denied") return { kind: "canceled" };
  if (isProviders) log.warn({ issuer, reason }, "oidc.unreachable");
  else log.warn({ issuer, reason }, "oidc.rejected");
  if (reason === "OAUTH_JWT_TIMESTAMP_CHECK_FAILED") return { kind: "clocks_differ" };
  return { kind: isProviders ? "unreachable" : "not_verified" };
}

/** A code, never a message, which could contain the provider's response. */
function reasonOf(error: unknown): { reason: string; isProviders: boolean } {
  if (error instanceof AuthorizationResponseError) {
    return {
      reason: textOf(error.error),
      isProviders: ["server_error", "temporarily_unavailable"].includes(error.error),
    };
  }
  if (error instanceof ResponseBodyError) return { reason: textOf(error.error), isProviders: error.status >= 500 };
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : null;
  if (typeof code === "string") return { reason: code, isProviders: UNREACHABLE.has(code) };
  // fetch throws this for every failure of the network.
  return { reason: error instanceof Error ? error.name : "unknown", isProviders: error instanceof TypeError };
}

function textOf(code: string): string {
  return /^[\x20-\x7e]{1,100}$/.test(code) ? code : "unknown";
}
