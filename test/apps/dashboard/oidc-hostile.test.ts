// Sign-in through an OpenID provider that lies or is unavailable: it lets nobody in, and answers in bounded time.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeVisitor, unlimited } from "./dashboard-world.ts";
import { startHostileProvider, type Behavior, type HostileProvider } from "./hostile-provider.ts";
import { begin, finish, useOidc } from "./use-oidc.ts";

const { dashboard, invite } = await useOidc();

describe("sign-in at an identity provider with false or missing responses", () => {
  let evil: HostileProvider;
  let evilUrl: string;
  beforeAll(async () => {
    evil = await startHostileProvider();
    evilUrl = await dashboard.startAnother({ changes: { oidc: evil.oidc }, signInRates: unlimited });
    await invite("4711");
  });
  afterAll(() => evil.close());

  async function attempt(behavior: Behavior, query: Record<string, string> = {}) {
    evil.behave({});
    const visitor = makeVisitor(evilUrl);
    const parameters = new URL(await begin(visitor)).searchParams;
    evil.behave(behavior, parameters.get("nonce") ?? "");
    const back = new URL("http://back");
    back.search = new URLSearchParams({
      code: "a-code",
      state: parameters.get("state") ?? "",
      iss: evil.oidc.issuer,
      ...query,
    }).toString();
    return { visitor, answer: await finish(visitor, back) };
  }

  test.each<[string, Behavior]>([
    ["another sign-in's nonce", { claims: (honest) => ({ ...honest, nonce: "another" }) }],
    ["no nonce", { claims: (honest) => ({ ...honest, nonce: undefined }) }],
    ["another issuer", { claims: (honest) => ({ ...honest, iss: "https://id.example.com" }) }],
    ["another audience", { claims: (honest) => ({ ...honest, aud: "another-client" }) }],
    ["no subject", { claims: (honest) => ({ ...honest, sub: undefined }) }],
    ["an expiry in the past", { claims: (honest) => ({ ...honest, exp: 1_000, iat: 900 }) }],
    ["a signature by a foreign key", { signature: "foreign" }],
    ["no signature", { signature: "none" }],
  ])("rejects an ID token with %s", async (_, behavior) => {
    const { visitor, answer } = await attempt(behavior);
    expect(answer.body).toMatchObject({ status: 401, code: "sign_in_failed" });
    expect(visitor.cookie()).toBeUndefined();
  });

  test("rejects a response in the name of another issuer before its code is sent anywhere", async () => {
    const before = evil.exchanges();
    expect((await attempt({}, { iss: "https://id.example.com" })).answer.status).toBe(401);
    expect(evil.exchanges()).toBe(before);
    // The same answer with the right issuer does sign in.
    expect((await attempt({})).answer.status).toBe(200);
  });

  test("returns 503 in bounded time for foreign metadata, errors and silence, and recovers afterwards", async () => {
    const unavailable = { status: 503, body: { code: "provider_unavailable" } };
    expect((await attempt({ status: 500 })).answer).toMatchObject(unavailable);
    const began = Date.now();
    expect((await attempt({ silent: ["/token"] })).answer).toMatchObject(unavailable);
    expect(Date.now() - began).toBeLessThan(15_000);

    const fresh = makeVisitor(await dashboard.startAnother({ changes: { oidc: evil.oidc }, signInRates: unlimited }));
    for (const behavior of [{ issuer: "https://id.example.com" }, { status: 500 }]) {
      evil.behave(behavior);
      expect(await fresh.send("POST", "/api/oidc/begin")).toMatchObject(unavailable);
    }
    evil.behave({});
    expect((await fresh.send("POST", "/api/oidc/begin")).status).toBe(200);
  });
});
