// An OpenID provider that says whatever a test wants: forged ID tokens, another issuer, errors, nothing at all.
import { generateKeyPairSync, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { OidcConfig } from "#process/config.ts";
import { listenLocally } from "../../support/listen-locally.ts";

type Claims = Record<string, unknown>;
export type Behavior = {
  /** Changes the claims of an honest ID token. */
  claims?: (honest: Claims) => Claims;
  /** Signed by a key that the provider never published, or by none. */
  signature?: "foreign" | "none";
  /** Of the metadata. */
  issuer?: string;
  methods?: readonly string[];
  /** The only method by which it accepts the client; it does not decode what comes by Basic. */
  accepts?: "client_secret_basic" | "client_secret_post";
  /** What the userinfo endpoint answers; without it there is none. */
  userInfo?: object;
  /** Of every answer. */
  status?: number;
  /** These paths are never answered. */
  silent?: readonly string[];
};

export type HostileProvider = Awaited<ReturnType<typeof startHostileProvider>>;

const own = generateKeyPairSync("rsa", { modulusLength: 2048 });
const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 });

export async function startHostileProvider() {
  let [behavior, nonce, exchanges]: [Behavior, string, number] = [{}, "", 0];
  let issuer = "";
  const secret = { clientId: "clanxp", clientSecret: "RBX-aB_c~d+e/f==" };
  const oidc: OidcConfig = { issuer, ...secret, name: "Evil ID", scopes: "openid" };
  const answers: Record<string, () => object> = {
    "/.well-known/openid-configuration": () => ({
      issuer: behavior.issuer ?? issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      authorization_response_iss_parameter_supported: true,
      ...(behavior.methods ? { token_endpoint_auth_methods_supported: behavior.methods } : {}),
      ...(behavior.userInfo ? { userinfo_endpoint: `${issuer}/userinfo` } : {}),
    }),
    "/keys": () => ({ keys: [{ ...own.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] }),
    "/userinfo": () => behavior.userInfo ?? {},
    "/token": () => {
      exchanges += 1;
      return { access_token: "an access token", token_type: "Bearer", id_token: idToken() };
    },
  };

  function idToken(): string {
    const now = Math.floor(Date.now() / 1_000);
    const honest = { iss: issuer, sub: "4711", aud: "clanxp", exp: now + 300, iat: now, nonce };
    const claims = behavior.claims?.(honest) ?? honest;
    const header = behavior.signature === "none" ? { alg: "none" } : { alg: "RS256", kid: "1" };
    const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    if (behavior.signature === "none") return `${signed}.`;
    const { privateKey } = behavior.signature === "foreign" ? foreign : own;
    return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
  }

  async function isAccepted(req: IncomingMessage): Promise<boolean> {
    const basic = Buffer.from(req.headers.authorization?.slice("Basic ".length) ?? "", "base64").toString();
    const sent = new URLSearchParams(await text(req));
    const { clientId, clientSecret } = oidc;
    return behavior.accepts === "client_secret_basic"
      ? basic === `${clientId}:${clientSecret}`
      : sent.get("client_id") === clientId && sent.get("client_secret") === clientSecret;
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = new URL(req.url ?? "", "http://provider").pathname;
    if (behavior.silent?.includes(path)) return;
    if (path === "/token" && behavior.accepts && !(await isAccepted(req))) {
      res.writeHead(401, { "content-type": "application/json", "www-authenticate": "Basic" });
      res.end(JSON.stringify({ error: "invalid_client" }));
      return;
    }
    res.writeHead(behavior.status ?? 200, { "content-type": "application/json" });
    res.end(JSON.stringify(answers[path]?.() ?? {}));
  }
  const server = createServer((req, res) => void answer(req, res));
  const { url, close } = await listenLocally(server);
  issuer = url;
  Object.assign(oidc, { issuer });
  return {
    oidc,
    /** Until the next call. `nonce`: what an honest ID token holds. */
    behave(next: Behavior, nextNonce = ""): void {
      [behavior, nonce] = [next, nextNonce];
    },
    /** How often a code was brought. */
    exchanges: () => exchanges,
    close,
  };
}
