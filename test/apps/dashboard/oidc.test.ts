// Sign-in through an OpenID provider: whom it lets in, and every request that must let nobody in. A provider that lies:
// oidc-hostile.test.ts.
import { describe, expect, test } from "vitest";
import { makeVisitor, PASSWORD, unlimited } from "./dashboard-world.ts";
import { begin, finish, useOidc } from "./use-oidc.ts";

const { dashboard, clanId, provider, url, invite, signInAs, expectNobody } = await useOidc();

/** The provider has verified this person's address. */
const verify = (subject: string, email = `${subject}@example.com`) =>
  provider.people.set(subject, { email, email_verified: true });

describe("an identity of the provider opens", () => {
  test("only the account that was invited by its verified e-mail address, and becomes its only identity", async () => {
    const token = await invite("ada@example.com");
    verify("u-1", "Ada@Example.com");
    const { visitor, answer } = await signInAs("u-1");
    expect(answer).toMatchObject({ status: 200, body: { kind: "signed_in" } });
    expect((await visitor.get("/api/me")).body).toMatchObject({ name: "ada@example.com", hasPassword: false });
    // The invitation was accepted: nobody else can use the link.
    expect((await makeVisitor(url).post("/api/link/look", { token })).body.code).toBe("link_invalid");

    // The address now belongs to somebody else at the provider.
    verify("u-2", "ada@example.com");
    provider.people.set("u-1", {});
    await expectNobody("u-2");
    expect((await (await signInAs("u-1")).visitor.get("/api/me")).body.name).toBe("ada@example.com");

    const after = { issuer: provider.oidc.issuer, subject: "u-1" };
    const { answer: log } = await dashboard.cli.json("audit", "list", "--actor", "ada@example.com");
    expect(log.records).toMatchObject([{ action: "identity.connect", target: "ada@example.com", before: null, after }]);
  });

  test("an account that somebody else set up under its verified address, and then that person is alone in it", async () => {
    const carol = "carol@corp.example";
    const squatter = makeVisitor(url);
    const used = await squatter.post("/api/link/use", { token: await invite(carol), password: PASSWORD });
    expect(used.status).toBe(200);
    verify("carol", carol);
    const { visitor } = await signInAs("carol");
    expect((await visitor.get("/api/me")).body).toMatchObject({ name: carol, hasPassword: false });
    expect((await squatter.get("/api/me")).status).toBe(401);
    expect((await makeVisitor(url).post("/api/sign-in", { name: carol, password: PASSWORD })).status).toBe(401);
    const { answer: log } = await dashboard.cli.json("audit", "list", "--actor", carol);
    const after = { issuer: provider.oidc.issuer, subject: "carol", ended: ["password", "sessions"] };
    expect(log.records[0]).toMatchObject({ action: "identity.connect", target: carol, after });
  });

  test("the invitations of its name, if there is no account yet, and not after they have expired", async () => {
    const owner = await dashboard.signedIn("olga", "owner", clanId);
    const api = `/api/clans/${clanId}/people`;
    for (const name of ["1516563361", "gus@example.com", "late@example.com"])
      expect((await owner.post(api, { name, role: "viewer" })).status).toBe(200);
    const stored = dashboard.world.database.db().collection<any>("accounts");
    await stored.updateOne({ _id: "late@example.com" }, { $set: { "invites.0.expiresAt": new Date(0) } });
    for (const subject of ["gus", "late"]) verify(subject);
    for (const subject of ["1516563361", "gus"]) {
      const { visitor } = await signInAs(subject);
      expect((await visitor.get("/api/me")).body.clans).toMatchObject([{ clanId, role: "viewer" }]);
    }
    await expectNobody("late");
    const listed = (await owner.get(api)).body.people.filter(({ status }: any) => status === "invited");
    expect(listed).toMatchObject([{ name: "late@example.com" }]);
    for (const { name } of listed) await owner.send("DELETE", `${api}/${name}`);
  });

  test("nothing if the session cannot be stored, and the invitation remains valid", async () => {
    const token = await invite("fay@example.com");
    verify("fay");
    const failed = await dashboard.withoutSessionsOf("fay@example.com", () => signInAs("fay"));
    const detail = expect.stringContaining("Nothing was changed");
    expect(failed.answer).toMatchObject({ status: 503, body: { detail } });
    expect((await makeVisitor(url).post("/api/link/look", { token })).status).toBe(200);
    expect((await signInAs("fay")).answer.status).toBe(200);
    const { accounts } = (await dashboard.cli.json("account", "list")).answer;
    const signedIn = { name: "fay@example.com", lastSignInAt: expect.any(String) };
    expect(accounts).toContainEqual(expect.objectContaining(signedIn));
  });

  test("an invitation whose name is its subject, such as a Roblox user ID, but no account that is in use", async () => {
    await invite("1516563360");
    const { visitor } = await signInAs("1516563360");
    expect((await visitor.get("/api/me")).body.name).toBe("1516563360");

    await dashboard.signedIn("ops", "operator");
    await expectNobody("ops");
    // An address that nobody has verified, chosen as a subject.
    await invite("eve@example.com");
    await expectNobody("eve@example.com");
  });

  test("nothing for a person who was not invited, or whose address is unverified or only similar", async () => {
    await invite("kate@example.com");
    provider.people.set("no-address", {});
    provider.people.set("unverified", { email: "kate@example.com", email_verified: false });
    provider.people.set("unsaid", { email: "kate@example.com" });
    // The Kelvin sign: its lower case is the letter k.
    verify("kelvin", "\u212Aate@example.com");
    const before = await dashboard.cli.json("account", "list");
    for (const subject of ["no-address", "unverified", "unsaid", "kelvin"]) await expectNobody(subject);
    expect((await dashboard.cli.json("account", "list")).answer).toEqual(before.answer);
  });

  test("nothing after a reset or removal of the account", async () => {
    await invite("bob@example.com");
    verify("bob");
    expect((await signInAs("bob")).answer.status).toBe(200);
    provider.people.set("bob", {});
    await dashboard.cli.json("account", "reset", "bob@example.com");
    await expectNobody("bob");
    verify("bob");
    await dashboard.cli.json("account", "remove", "bob@example.com");
    await expectNobody("bob");
  });
});

describe("a sign-in at the identity provider", () => {
  test("uses PKCE, state and nonce, and returns to one fixed address", async () => {
    const changes = { oidc: provider.oidc, dashboardUrl: "https://clans.example" };
    const behindProxy = await dashboard.startAnother({ changes, signInRates: unlimited });
    const visitor = makeVisitor(behindProxy);
    const headers = { origin: "https://clans.example", "x-forwarded-host": "evil.example" };
    const begun = await visitor.send("POST", "/api/oidc/begin?redirect_uri=https://evil.example", undefined, headers);
    expect(begun.status).toBe(400);
    const { body, headers: answered } = await visitor.send("POST", "/api/oidc/begin", undefined, headers);
    const authorization = Object.fromEntries(new URL(body.url).searchParams);
    expect(authorization).toMatchObject({
      redirect_uri: "https://clans.example/oidc/callback",
      response_type: "code",
      scope: "openid email",
      code_challenge_method: "S256",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(answered.getSetCookie()[0]).toMatch(/^__Host-clanxp-challenge=\w{40}; .*HttpOnly; Secure; SameSite=Strict$/);
    // What the database holds makes up neither.
    const stored = JSON.stringify(await dashboard.world.database.stored.sign_in_challenges.find({}).toArray());
    for (const secret of [authorization["state"], authorization["nonce"], provider.oidc.clientSecret])
      expect(stored).not.toContain(secret);
  });

  test("can be completed only once, by the browser that started it, within 10 minutes", async () => {
    await invite("2002");
    const [victim, attacker] = [makeVisitor(url), makeVisitor(url)];
    const back = await provider.visit(await begin(attacker), "2002");
    // A link to the attacker's own way back: the victim would work in the attacker's account.
    const detail = expect.stringContaining("not started");
    expect((await finish(victim, back)).body).toMatchObject({ code: "sign_in_failed", detail });
    await begin(victim);
    expect((await finish(victim, back)).status).toBe(401);

    // What is added to the address leads nowhere else.
    for (const name of ["redirect", "next", "returnTo", "url"]) back.searchParams.set(name, "https://evil.example");
    const answers = await Promise.all([finish(attacker, back), finish(attacker, back)]);
    expect(answers.map(({ headers }) => headers.get("location"))).toEqual([null, null]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect((await finish(attacker, back)).status).toBe(401);

    const late = makeVisitor(url);
    const lateBack = await provider.visit(await begin(late), "2002");
    await dashboard.world.database.stored.sign_in_challenges.updateMany({}, { $set: { expiresAt: new Date() } });
    expect((await finish(late, lateBack)).status).toBe(401);
  });

  test("accepts no code that was issued to another browser, and no other state", async () => {
    await invite("2003");
    await invite("2004");
    const [victim, attacker, mixed] = [makeVisitor(url), makeVisitor(url), makeVisitor(url)];
    const stolen = (await provider.visit(await begin(victim), "2003")).searchParams.get("code") ?? "";
    const own = await provider.visit(await begin(attacker), "2004");
    own.searchParams.set("code", stolen);
    const detail = expect.stringContaining("did not succeed");
    expect((await finish(attacker, own)).body).toMatchObject({ status: 401, detail });

    const back = await provider.visit(await begin(mixed), "2004");
    back.searchParams.set("state", "A".repeat(43));
    expect((await finish(mixed, back)).status).toBe(401);
  });

  test("reports that the person cancelled it at the provider", async () => {
    const visitor = makeVisitor(url);
    const answer = await finish(visitor, await provider.visit(await begin(visitor), null));
    expect(answer.body).toMatchObject({ code: "sign_in_failed", detail: "The sign-in with Test ID was canceled." });
  });

  test("is limited for each address unless it succeeds, and returns 404 without a configured provider", async () => {
    const signInRates = { ...unlimited, perAddress: 1 };
    const strict = await dashboard.startAnother({ changes: { oidc: provider.oidc }, signInRates });
    provider.register([url, strict]);
    await invite("2005");
    await dashboard.world.database.stored.sign_in_attempts.deleteMany({});
    for (let times = 0; times < 2; times += 1)
      expect((await signInAs("2005", makeVisitor(strict))).answer.status).toBe(200);
    const visitor = makeVisitor(strict);
    expect((await visitor.send("POST", "/api/oidc/begin")).status).toBe(200);
    expect((await visitor.send("POST", "/api/oidc/begin")).status).toBe(429);
    await dashboard.world.database.stored.sign_in_attempts.deleteMany({});

    const without = makeVisitor(dashboard.url);
    expect((await without.get("/api/oidc")).body).toEqual({ name: null });
    expect((await without.send("POST", "/api/oidc/begin")).status).toBe(404);
    expect((await makeVisitor(url).get("/api/oidc")).body).toEqual({ name: "Test ID" });
  });
});
