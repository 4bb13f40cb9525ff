// A real OpenID provider on this machine, and a person who signs in there by HTTP as a browser would.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Provider } from "oidc-provider";
import type { OidcConfig } from "#process/config.ts";
import { listenLocally } from "../../support/listen-locally.ts";

const FORM = `<!doctype html><title>Provider</title><form method="post"><label>Login <input name="login"></label>
<button>Continue</button><button name="cancel" value="1">Cancel</button></form>`;
const STEPS_MAX = 10;
const LIFE_S = 600;

export async function startProvider() {
  let provider: Provider | null = null;
  const server = createServer((req, res) => {
    if (!provider) res.writeHead(503).end();
    else if (req.url?.startsWith("/interaction/")) void interact(provider, req, res);
    else void provider.callback()(req, res);
  });
  const { url: issuer, close } = await listenLocally(server);
  const known = { clientId: "clanxp", clientSecret: "a secret of the client" };
  const oidc: OidcConfig = { issuer, ...known, name: "Test ID", scopes: "openid email" };
  /** By subject: what the provider says of people, besides that. */
  const people = new Map<string, { email?: string; email_verified?: boolean }>();
  return {
    oidc,
    people,
    /** Once the dashboards run. */
    register(dashboards: string[]): void {
      const redirect_uris = dashboards.map((url) => `${url}/oidc/callback`);
      provider = new Provider(issuer, {
        clients: [{ client_id: oidc.clientId, client_secret: oidc.clientSecret, redirect_uris }],
        cookies: { keys: ["signs cookies"] },
        ttl: { Interaction: LIFE_S, Grant: LIFE_S, Session: LIFE_S, AccessToken: LIFE_S, IdToken: LIFE_S },
        claims: { openid: ["sub"], email: ["email", "email_verified"] },
        findAccount: (_, subject) => ({ accountId: subject, claims: () => ({ sub: subject, ...people.get(subject) }) }),
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_, { uid }) => `/interaction/${uid}` },
        // Nobody is asked whether the dashboard may know who they are.
        async loadExistingGrant({ oidc: { client, account, provider: own } }) {
          const grant = new own.Grant({ clientId: client?.clientId ?? "", accountId: account?.accountId ?? "" });
          grant.addOIDCScope("openid email");
          await grant.save();
          return grant;
        },
      });
    },
    /** Signs in as this person, or cancels (null): where the browser is sent back to. */
    visit: (url: string, subject: string | null): Promise<URL> => walk(issuer, url, subject),
    close,
  };
}

async function interact(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method === "GET") {
    res.setHeader("content-type", "text/html").end(FORM);
    return;
  }
  const sent = new URLSearchParams(await text(req));
  const result = sent.has("cancel") ? { error: "access_denied" } : { login: { accountId: sent.get("login") ?? "" } };
  await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
}

async function walk(issuer: string, start: string, subject: string | null): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(start);
  for (let steps = 0; steps < STEPS_MAX && url.origin === issuer; steps += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const body = new URLSearchParams(subject === null ? { cancel: "1" } : { login: subject });
    const form = url.pathname.startsWith("/interaction/") ? { method: "POST", body } : {};
    const response = await fetch(url, { redirect: "manual", headers: { cookie }, ...form });
    for (const set of response.headers.getSetCookie()) {
      const [name = "", value = ""] = set.split(";")[0]?.split("=") ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${url.pathname} answered ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
  }
  return url;
}
