// Sign-in through an OpenID provider that lies or is unavailable: it lets nobody in, and answers in bounded time.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeVisitor, unlimited } from "./dashboard-world.ts";
import { startHostileProvider, type Behavior, type HostileProvider } from "./hostile-provider.ts";
import { begin, finish, useOidc } from "./use-oidc.ts";

const { dashboard, invite } = await useOidc();

/** Begins to sign in at the dashboard of `url`, and comes back from the provider, which behaves like this from then on. */
async function comeBack(provider: HostileProvider, url: string, behavior: Behavior, query = {}) {
  const visitor = makeVisitor(url);
  const parameters = new URL(await begin(visitor)).searchParams;
  provider.behave(behavior, parameters.get("nonce") ?? "");
  const back = new URL("http://back");
  const sent = { code: "a-code", state: parameters.get("state") ?? "", iss: provider.oidc.issuer, ...query };
  back.search = new URLSearchParams(sent).toString();
  return { visitor, answer: await finish(visitor, back) };
}

describe("sign-in at an identity provider with habits of its own", () => {
  let odd: HostileProvider;
  beforeAll(async () => {
    odd = await startHostileProvider();
    await invite("1517");
  });
  afterAll(() => odd.close());

  /** By a dashboard that has read nothing of the provider yet. */
  async function signInAs(sub: string, behavior: Behavior, changes: Partial<HostileProvider["oidc"]> = {}) {
    const { oidc } = odd;
    Object.assign(oidc, { clientSecret: SPECIAL, scopes: "openid" }, changes);
    const claims: Behavior["claims"] = (honest) => ({ ...honest, sub, ...behavior.claims?.(honest) });
    odd.behave({ ...behavior, claims });
    const url = await dashboard.startAnother({ changes: { oidc: { ...oidc } }, signInRates: unlimited });
    return comeBack(odd, url, { ...behavior, claims });
  }
  const SPECIAL = "RBX-aB_c~d+e/f==";
  const [basic, post] = ["client_secret_basic", "client_secret_post"] as const;

  test.each<[string, Behavior, string]>([
    ["lists both methods and does not decode Basic", { methods: [basic, post], accepts: post }, SPECIAL],
    ["lists both methods, and knows the client by the other one", { methods: [basic, post], accepts: post }, "plain"],
    ["lists both methods, and knows the client by Basic alone", { methods: [post, basic], accepts: basic }, "plain"],
    ["lists one method", { methods: [post], accepts: post }, SPECIAL],
    ["lists no method", { accepts: basic }, "plain"],
  ])("succeeds if it %s", async (_, behavior, clientSecret) => {
    const { answer } = await signInAs("1517", behavior, { clientSecret });
    expect(answer.body).toStrictEqual({ kind: "signed_in" });
  });

  const scopes = "openid email";
  test.for<[string, Record<string, unknown>, object | undefined]>([
    ["a text in place of a truth value", { email: "a@id.example", email_verified: "true" }, undefined],
    ["both at the userinfo endpoint", {}, { email: "b@id.example", email_verified: true }],
    ["both there and one in the token", { email: "c@id.example" }, { email: "c@id.example", email_verified: "true" }],
  ])("knows a verified address by %s", async ([, said, more]) => {
    const name = String({ ...said, ...more }.email);
    await invite(name);
    const behavior = { claims: () => said, ...(more ? { userInfo: { sub: name, ...more } } : {}) };
    const { visitor } = await signInAs(name, behavior, { scopes });
    expect((await visitor.get("/api/me")).body.name).toBe(name);
  });

  test("knows no verified address by another value, or by one of each place", async () => {
    const email = "uma@example.com";
    await invite(email);
    for (const email_verified of [false, "false", 1, "yes", null]) {
      const { answer } = await signInAs("nobody", { claims: () => ({ email, email_verified }) }, { scopes });
      expect([email_verified, answer.status]).toStrictEqual([email_verified, 401]);
    }
    const userInfo = { sub: "nobody", email: "other@example.com", email_verified: true };
    const { answer } = await signInAs("nobody", { claims: () => ({ email }), userInfo }, { scopes });
    expect(answer.status).toBe(401);
  });

  test("names the clock if a token is not valid yet, or not any more", async () => {
    for (const seconds of [600, -600]) {
      const moved = (honest: any) => ({ nbf: honest.iat + seconds, exp: honest.exp + seconds });
      const { answer } = await signInAs("1517", { claims: moved });
      expect([answer.status, answer.body.detail]).toStrictEqual([401, expect.stringContaining("clock")]);
    }
  });
});

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
    return comeBack(evil, evilUrl, behavior, query);
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
    const began = performance.now();
    expect((await attempt({ silent: ["/token"] })).answer).toMatchObject(unavailable);
    expect(performance.now() - began).toBeLessThan(15_000);

    const fresh = makeVisitor(await dashboard.startAnother({ changes: { oidc: evil.oidc }, signInRates: unlimited }));
    for (const behavior of [{ issuer: "https://id.example.com" }, { status: 500 }]) {
      evil.behave(behavior);
      expect(await fresh.send("POST", "/api/oidc/begin")).toMatchObject(unavailable);
    }
    evil.behave({});
    expect((await fresh.send("POST", "/api/oidc/begin")).status).toBe(200);
  });
});
