// What tests of sign-in through an OpenID provider begin with: a provider and a dashboard that trusts it, closed when
// they end.
import { afterAll, expect } from "vitest";
import { useDashboard, makeVisitor, tokenIn, unlimited, type Visitor } from "./dashboard-world.ts";
import { startProvider } from "./identity-provider.ts";

/** Call it where a file begins. `url`: the dashboard that trusts the provider. */
export async function useOidc() {
  const provider = await startProvider();
  afterAll(() => provider.close());
  const dashboard = await useDashboard();
  const { clanId } = (await dashboard.world.makeClan()).clan;
  const url = await dashboard.startAnother({ changes: { oidc: provider.oidc }, signInRates: unlimited });
  provider.register([url]);
  /** Invites a viewer of the clan; the secret part of the invitation's link. */
  const invite = async (name: string) =>
    tokenIn((await dashboard.cli.json("account", "invite", name, "--clan", clanId, "--role", "viewer")).answer);
  const signInAs = async (subject: string, visitor = makeVisitor(url)) => {
    const answer = await finish(visitor, await provider.visit(await begin(visitor), subject));
    return { visitor, answer };
  };
  /** The provider's `subject` opens no account. */
  async function expectNobody(subject: string): Promise<void> {
    const { visitor, answer } = await signInAs(subject);
    const detail = expect.stringContaining("No account");
    expect(answer).toMatchObject({ status: 401, body: { code: "sign_in_failed", detail } });
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
