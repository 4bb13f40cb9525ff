// What tests of sign-in through an OpenID provider begin with: a provider and a dashboard that trusts it, closed when
// they end.
import { afterAll, expect } from "vitest";
import { useDashboard, makeVisitor, tokenIn, unlimited, type DashboardWorld, type Visitor } from "./dashboard-world.ts";
import { startProvider, type TestProvider } from "./identity-provider.ts";

export type OidcSuite = {
  dashboard: DashboardWorld;
  clanId: string;
  provider: TestProvider;
  /** The dashboard that trusts the provider. */
  url: string;
  /** Invites a viewer of the clan; the secret part of the invitation's link. */
  invite(name: string): Promise<string>;
  signInAs(
    subject: string,
    visitor?: Visitor,
  ): Promise<{ visitor: Visitor; answer: Awaited<ReturnType<typeof finish>> }>;
  /** The provider's `subject` opens no account. */
  expectNobody(subject: string): Promise<void>;
};

/** Call it where a file begins. */
export async function useOidc(): Promise<OidcSuite> {
  const provider = await startProvider();
  afterAll(() => provider.close());
  const dashboard = await useDashboard();
  const { clanId } = (await dashboard.world.makeClan()).clan;
  const url = await dashboard.startAnother({ changes: { oidc: provider.oidc }, signInRates: unlimited });
  provider.register([url]);
  const invite = async (name: string) =>
    tokenIn((await dashboard.cli.json("account", "invite", name, "--clan", clanId, "--role", "viewer")).answer);
  const signInAs: OidcSuite["signInAs"] = async (subject, visitor = makeVisitor(url)) => {
    const answer = await finish(visitor, await provider.visit(await begin(visitor), subject));
    return { visitor, answer };
  };
  async function expectNobody(subject: string): Promise<void> {
    const { visitor, answer } = await signInAs(subject);
    expect(answer).toMatchObject({
      status: 401,
      body: { code: "sign_in_failed", detail: expect.stringContaining("No account") },
    });
    expect(visitor.cookie()).toBeUndefined();
  }
  return { dashboard, clanId, provider, url, invite, signInAs, expectNobody };
}

/** Where the provider is asked. */
export async function begin(visitor: Visitor): Promise<string> {
  return (await visitor.send("POST", "/api/oidc/begin")).body.url;
}

/** `back`: where the provider sent the browser. */
export function finish(visitor: Visitor, back: URL) {
  return visitor.post("/api/oidc/finish", { query: back.search.slice(1) });
}
