// Passkeys: who may add one, what signs in with one, and every answer that must not.
import { describe, expect, test, vi } from "vitest";
import { testLog } from "../../support/world.ts";
import { makeAuthenticator, type Authenticator, type Forgery } from "./authenticator.ts";
import { makeVisitor, PASSWORD, unlimited, type Visitor } from "./dashboard-world.ts";
import { usePasskeys } from "./use-passkeys.ts";

const { dashboard, url, invitation, newOwner, added, optionsFor, signInWith } = await usePasskeys();

const begin = (visitor: Visitor, current: string | null = PASSWORD) =>
  visitor.post("/api/me/passkeys/options", { current });
const listed = async (visitor: Visitor) => (await visitor.get("/api/me/passkeys")).body.passkeys;
const removal = (visitor: Visitor, id: string, current = PASSWORD) =>
  visitor.post("/api/me/passkeys/remove", { id, current });

describe("a passkey", () => {
  test("signs in without an account name, counts its uses, and is listed with them", async () => {
    const { name, visitor } = await newOwner();
    const phone = await added(visitor);
    const shown = { id: phone.id, name: "Phone", createdAt: expect.any(String) };
    expect(await listed(visitor)).toEqual([{ ...shown, lastUsedAt: null }]);

    const other = makeVisitor(url);
    const options = await optionsFor(other);
    expect(options).toMatchObject({ rpId: "localhost", userVerification: "required" });
    // Any passkey of the site: a list would say which accounts exist.
    expect(options.allowCredentials ?? []).toEqual([]);
    expect((await other.post("/api/sign-in/passkey", { credential: phone.get(options) })).status).toBe(200);
    expect((await other.get("/api/me")).body.name).toBe(name);
    expect(await listed(visitor)).toEqual([{ ...shown, lastUsedAt: expect.any(String) }]);
  });

  test("is created only for this site, discoverable, with user verification, and with an anonymous handle", async () => {
    const { name, visitor } = await newOwner();
    const phone = await added(visitor);
    const { options } = (await begin(visitor)).body;
    expect(options.rp).toEqual({ id: "localhost", name: "Clan XP" });
    expect(options.authenticatorSelection).toMatchObject({ residentKey: "required", userVerification: "required" });
    expect(options.attestation).toBe("none");
    expect(options.excludeCredentials).toMatchObject([{ id: phone.id }]);
    expect(Buffer.from(options.user.id, "base64url").toString()).not.toContain(name);
  });

  test("does not sign in if its response is forged, late, sent twice or from another browser, with equal errors", async () => {
    const { visitor } = await newOwner();
    const phone = await added(visitor);
    expect((await signInWith(phone)).status).toBe(200);
    const forgeries: Record<string, Forgery> = {
      "another site": { origin: "http://evil.example" },
      "another port": { origin: "http://localhost:1" },
      "another RP": { rpId: "evil.example" },
      "a challenge that nobody gave": { challenge: "AAAA" },
      "a person who was not verified": { notVerified: true },
      "another account's handle": { userHandle: "AAAA" },
    };
    const bodyOf = ({ body: { status, code, detail } }: { body: any }) => ({ status, code, detail });
    const send = (browser: Visitor, credential: object) => browser.post("/api/sign-in/passkey", { credential });
    const unknown = bodyOf(await signInWith(makeAuthenticator(url), { userHandle: "AAAA" }));
    expect(unknown).toMatchObject({ status: 401, code: "sign_in_failed" });
    for (const [what, forgery] of Object.entries(forgeries)) {
      expect({ what, ...bodyOf(await signInWith(phone, forgery)) }).toEqual({ what, ...unknown });
    }

    // A page of another site sees the answer, but not the cookie that it belongs to.
    const thief = makeVisitor(url);
    const [options] = [await optionsFor(visitor), await optionsFor(thief)];
    const credential = phone.get(options);
    expect(bodyOf(await send(thief, credential))).toEqual(unknown);
    // Once, also for a person who has both.
    const cookie = visitor.cookies();
    const withBoth = () => makeVisitor(url).send("POST", "/api/sign-in/passkey", { credential }, { cookie });
    expect((await withBoth()).status).toBe(200);
    expect(bodyOf(await withBoth())).toEqual(unknown);

    const late = makeVisitor(url);
    const lateOptions = await optionsFor(late);
    await dashboard.world.database.stored.sign_in_challenges.updateMany({}, { $set: { expiresAt: new Date() } });
    expect(bodyOf(await send(late, phone.get(lateOptions)))).toEqual(unknown);
    // And of two at the same time, one.
    const twice = makeVisitor(url);
    const sent = phone.get(await optionsFor(twice));
    const answers = await Promise.all([send(twice, sent), send(twice, sent)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  });

  test("signs in with a counter that does not rise, as that of some password managers, which the log says", async () => {
    const { visitor, name } = await newOwner();
    const phone = await added(visitor);
    const lines = vi.spyOn(testLog, "warn");
    const noted = () => lines.mock.calls.filter(([, event]) => event === "passkey.counter_not_rising").length;
    const notedAfter: number[] = [];
    for (const counter of [0, 0, 5, 6, 6, 0, 7, 1_790_000_000, 0]) {
      expect([counter, (await signInWith(phone, { counter })).status]).toStrictEqual([counter, 200]);
      notedAfter.push(noted());
    }
    expect(notedAfter).toStrictEqual([1, 1, 1, 1, 2, 3, 3, 3, 4]);
    expect(lines.mock.calls.at(-1)?.[0]).toStrictEqual({ account: name, passkey: phone.id });
  });

  test("is added only with the current password, by the browser and for the account that requested it", async () => {
    const [ada, bob] = [await newOwner(), await newOwner()];
    expect((await begin(ada.visitor, "not the password")).body.errors).toMatchObject([{ pointer: "/current" }]);
    expect((await begin(ada.visitor, null)).status).toBe(400);

    const phone = makeAuthenticator(url);
    const { options } = (await begin(ada.visitor)).body;
    const body = { name: "Phone", credential: phone.create(options) };
    // Bob's session with the challenge of Ada's browser.
    const cookie = `${bob.visitor.cookie()}; ${ada.visitor.cookie("challenge")}`;
    expect((await makeVisitor(url).send("POST", "/api/me/passkeys", body, { cookie })).status).toBe(400);
    const add = async (visitor: Visitor, authenticator: Authenticator, forgery?: Forgery) => {
      const credential = authenticator.create((await begin(visitor)).body.options, forgery);
      return visitor.post("/api/me/passkeys", { name: "Phone", credential });
    };
    const forgeries: Forgery[] = [{ origin: "http://evil.example" }, { rpId: "evil.example" }, { notVerified: true }];
    for (const forgery of forgeries) expect((await add(ada.visitor, phone, forgery)).status).toBe(400);
    expect(await listed(ada.visitor)).toEqual([]);

    const shared = await added(ada.visitor);
    expect((await add(bob.visitor, shared)).body.code).toBe("conflict");
    expect(await listed(bob.visitor)).toEqual([]);
  });

  test("is limited to ten for each account, even under concurrency", async () => {
    const { name, visitor } = await newOwner();
    const { accounts } = dashboard.world.database.stored;
    const facts = { publicKey: "AA", counter: 0, name: "x", createdAt: new Date(), lastUsedAt: null };
    const many = Array.from({ length: 9 }, (_, index) => ({ id: `${name}-${index}`, ...facts }));
    await accounts.updateOne({ _id: name }, { $set: { passkeys: many } });
    const adding = async () => {
      const browser = makeVisitor(url);
      await browser.post("/api/sign-in", { name, password: PASSWORD });
      const credential = makeAuthenticator(url).create((await begin(browser)).body.options);
      return () => browser.post("/api/me/passkeys", { name: "y", credential });
    };
    const adds = await Promise.all([adding(), adding()]);
    const answers = await Promise.all(adds.map((add) => add()));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect(await listed(visitor)).toHaveLength(10);
    expect((await begin(visitor)).body.code).toBe("conflict");
  });

  test("is removed with the current password, which ends all other sessions and is audited", async () => {
    const { name, visitor } = await newOwner();
    const phone = await added(visitor, PASSWORD, "Lost phone");
    const finder = makeVisitor(url);
    await signInWith(phone, {}, finder);
    expect((await removal(visitor, phone.id, "not the password")).status).toBe(400);
    expect((await removal(visitor, "AAAA")).status).toBe(404);
    expect((await removal(visitor, phone.id)).status).toBe(200);
    expect([(await finder.get("/api/me")).status, (await visitor.get("/api/me")).status]).toEqual([401, 200]);
    expect((await signInWith(phone)).status).toBe(401);

    const { answer } = await dashboard.cli.json("audit", "list", "--actor", name);
    const facts = { via: "dashboard", target: name };
    expect(answer.records).toMatchObject([
      { ...facts, action: "passkey.remove", before: { passkey: phone.id }, after: null },
      { ...facts, action: "passkey.add", before: null, after: { passkey: phone.id, name: "Lost phone" } },
    ]);
  });

  test("remains if the session after its removal cannot be stored, and the response says so", async () => {
    const { name, visitor } = await newOwner();
    const phone = await added(visitor);
    const { status, body } = await dashboard.withoutSessionsOf(name, () => removal(visitor, phone.id));
    expect([status, body.detail]).toEqual([503, expect.stringContaining("Nothing was changed")]);
    expect(await listed(visitor)).toMatchObject([{ id: phone.id }]);
    expect((await removal(visitor, phone.id)).status).toBe(200);
  });

  test("ends with a reset or removal of its account, also for a new account of the same name", async () => {
    const { name, visitor } = await newOwner();
    const phone = await added(visitor);
    await dashboard.cli.json("account", "reset", name);
    expect((await signInWith(phone)).status).toBe(401);

    const gone = await newOwner();
    const key = await added(gone.visitor);
    await dashboard.cli.json("account", "remove", gone.name);
    expect((await signInWith(key)).status).toBe(401);
    await invitation(gone.name);
    expect((await signInWith(key)).status).toBe(401);
  });

  test("requires a host name, belongs to that of DASHBOARD_URL, and has a cookie that is bound to host and TLS", async () => {
    const { body } = await makeVisitor(dashboard.url).send("POST", "/api/sign-in/passkey/options");
    expect(body).toMatchObject({ code: "conflict", detail: expect.stringContaining("localhost") });
    const origin = "https://clans.example";
    const behindProxy = await dashboard.startAnother({ changes: { dashboardUrl: origin } });
    const headers = { origin };
    const answer = await makeVisitor(behindProxy).send("POST", "/api/sign-in/passkey/options", undefined, headers);
    expect(answer.body.options.rpId).toBe("clans.example");
    const [cookie = ""] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-clanxp-challenge=\w{40};/);
    for (const attribute of ["HttpOnly", "Secure", "SameSite=Strict", "Path=/"])
      expect(cookie.split("; ")).toContain(attribute);
  });

  test("is limited to a rate of failed sign-ins for each address", async () => {
    const { visitor: owner } = await newOwner();
    const phone = await added(owner);
    const strict = await dashboard.startAnother({ signInRates: { ...unlimited, perAddress: 2 } });
    const origin = strict.replace("127.0.0.1", "localhost");
    const visitor = makeVisitor(origin);
    await dashboard.world.database.stored.sign_in_attempts.deleteMany({});
    for (let times = 0; times < 3; times += 1) {
      const credential = phone.get(await optionsFor(visitor), { origin });
      expect((await visitor.post("/api/sign-in/passkey", { credential })).status).toBe(200);
    }
    const statuses = [];
    for (let tries = 0; tries < 3; tries += 1)
      statuses.push((await visitor.send("POST", "/api/sign-in/passkey/options")).status);
    expect(statuses).toEqual([200, 200, 429]);
    await dashboard.world.database.stored.sign_in_attempts.deleteMany({});
  });
});
