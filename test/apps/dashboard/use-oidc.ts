// What tests of sign-in through an OpenID provider begin with: a provider and a dashboard that trusts it, closed when
// they end.
import { afterAll } from "vitest";
import { withTimeout } from "#async/with-timeout.ts";
import { makeDashboardWorld, tokenIn, unlimited, type DashboardWorld, type Visitor } from "./dashboard-world.ts";
import { startProvider, type TestProvider } from "./identity-provider.ts";

/** Vitest does not bound what a file does while its tests are collected. */
const OPEN_MS_MAX = 60_000;

export type OidcSuite = {
  dashboard: DashboardWorld;
  clanId: string;
  provider: TestProvider;
  /** The dashboard that trusts the provider. */
  url: string;
  /** Invites a viewer of the clan; the secret part of the invitation's link. */
  invite(name: string): Promise<string>;
};

/** Call it where a file begins. */
export async function useOidc(): Promise<OidcSuite> {
  return withTimeout(open(), OPEN_MS_MAX, "The servers have not answered");
}

async function open(): Promise<OidcSuite> {
  const [dashboard, provider] = await Promise.all([makeDashboardWorld(), startProvider()]);
  afterAll(async () => {
    await dashboard.close();
    await provider.close();
  });
  const { clanId } = (await dashboard.world.makeClan()).clan;
  const url = await dashboard.startAnother({ changes: { oidc: provider.oidc }, signInRates: unlimited });
  provider.register([url]);
  const invite = async (name: string) =>
    tokenIn((await dashboard.cli.json("account", "invite", name, "--clan", clanId, "--role", "viewer")).answer);
  return { dashboard, clanId, provider, url, invite };
}

/** Where the provider is asked. */
export async function begin(visitor: Visitor): Promise<string> {
  return (await visitor.send("POST", "/api/oidc/begin")).body.url;
}

/** `back`: where the provider sent the browser. */
export function finish(visitor: Visitor, back: URL) {
  return visitor.post("/api/oidc/finish", { query: back.search.slice(1) });
}
