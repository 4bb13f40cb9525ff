// What tests of passkeys begin with: a dashboard under a host name, its people, and their authenticators, closed when
// they end.
import { expect } from "vitest";
import { makeAuthenticator, type Authenticator, type Forgery } from "./authenticator.ts";
import { useDashboard, makeVisitor, PASSWORD, tokenIn, unlimited, type Visitor } from "./dashboard-world.ts";

/** Call it where a file begins. */
export async function usePasskeys() {
  const dashboard = await useDashboard();
  const { clanId } = (await dashboard.world.makeClan()).clan;
  // By its host name: browsers make no passkeys for addresses.
  const url = (await dashboard.startAnother({ signInRates: unlimited })).replace("127.0.0.1", "localhost");

  let people = 0;
  const newName = (): string => `person-${(people += 1)}`;
  const invitation = async (name: string) =>
    tokenIn((await dashboard.cli.json("account", "invite", name, "--clan", clanId, "--role", "owner")).answer);

  async function newOwner(): Promise<{ name: string; visitor: Visitor }> {
    const name = newName();
    await dashboard.signedIn(name, "owner", clanId);
    const visitor = makeVisitor(url);
    expect((await visitor.post("/api/sign-in", { name, password: PASSWORD })).status).toBe(200);
    return { name, visitor };
  }

  async function added(visitor: Visitor, current: string | null = PASSWORD, name = "Phone"): Promise<Authenticator> {
    const authenticator = makeAuthenticator(url);
    const { body } = await visitor.post("/api/me/passkeys/options", { current });
    const answer = await visitor.post("/api/me/passkeys", { name, credential: authenticator.create(body.options) });
    expect(answer.body).toEqual({ done: true });
    return authenticator;
  }

  async function optionsFor(visitor: Visitor): Promise<any> {
    return (await visitor.send("POST", "/api/sign-in/passkey/options")).body.options;
  }

  async function signInWith(authenticator: Authenticator, forgery: Forgery = {}, visitor = makeVisitor(url)) {
    const options = await optionsFor(visitor);
    return visitor.post("/api/sign-in/passkey", { credential: authenticator.get(options, forgery) });
  }

  return { dashboard, url, newName, invitation, newOwner, added, optionsFor, signInWith };
}
