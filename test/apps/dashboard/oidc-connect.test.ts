// A person who is signed in connects their account with an OpenID provider, and disconnects it.
import { describe, expect, test } from "vitest";
import { makeVisitor, PASSWORD, type Visitor } from "./dashboard-world.ts";
import { finish, useOidc } from "./use-oidc.ts";

const { dashboard, clanId, provider, url, invite, signInAs, expectNobody } = await useOidc();

describe("a person with a session", () => {
  test("connects an identity with the current password, finishes as the same account, and can disconnect it", async () => {
    await dashboard.signedIn("carol@example.com", "viewer", clanId);
    await dashboard.signedIn("dave", "viewer", clanId);
    const [carol, dave] = [makeVisitor(url), makeVisitor(url)];
    await carol.post("/api/sign-in", { name: "carol@example.com", password: PASSWORD });
    await dave.post("/api/sign-in", { name: "dave", password: PASSWORD });
    const connect = (visitor: Visitor, current: string | null) => visitor.post("/api/me/identity/connect", { current });
    expect((await connect(carol, "not the password")).body.errors).toMatchObject([{ pointer: "/current" }]);

    // Dave's session with the cookie of Carol's way to the provider.
    const authorization = (await connect(carol, PASSWORD)).body.url;
    const back = await provider.visit(authorization, "c-1");
    const cookie = `${dave.cookie()}; ${carol.cookie("challenge")}`;
    const query = back.search.slice(1);
    expect((await makeVisitor(url).send("POST", "/api/oidc/finish", { query }, { cookie })).status).toBe(401);
    await expectNobody("c-1");

    const again = await provider.visit((await connect(carol, PASSWORD)).body.url, "c-1");
    expect((await finish(carol, again)).body).toEqual({ kind: "connected" });
    const identity = async () => (await carol.get("/api/me/identity")).body;
    expect(await identity()).toEqual({ provider: "Test ID", connectedAt: expect.any(String) });
    const other = await signInAs("c-1");
    expect((await other.visitor.get("/api/me")).body.name).toBe("carol@example.com");
    const taken = await finish(dave, await provider.visit((await connect(dave, PASSWORD)).body.url, "c-1"));
    expect(taken.body.code).toBe("conflict");
    expect((await carol.post("/api/me/identity/disconnect", { current: null })).status).toBe(400);
    const disconnect = () => carol.post("/api/me/identity/disconnect", { current: PASSWORD });
    expect((await dashboard.withoutSessionsOf("carol@example.com", disconnect)).status).toBe(503);
    expect((await identity()).connectedAt).toEqual(expect.any(String));
    expect((await disconnect()).status).toBe(200);
    expect([(await other.visitor.get("/api/me")).status, (await carol.get("/api/me")).status]).toEqual([401, 200]);
    for (const subject of ["c-1", "c-2"]) {
      provider.people.set(subject, { email: "carol@example.com", email_verified: true });
      await expectNobody(subject);
    }
    const { answer } = await dashboard.cli.json("audit", "list", "--actor", "carol@example.com");
    const actions = answer.records.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(["identity.disconnect", "identity.connect"]);
  });

  test("cannot disconnect the only way to sign in, and needs a recent sign-in if there is no password", async () => {
    await invite("3001");
    const { visitor } = await signInAs("3001");
    expect((await visitor.post("/api/me/identity/disconnect", { current: null })).body.code).toBe("conflict");
    const { sessions } = dashboard.world.database.stored;
    await sessions.updateOne({ accountName: "3001" }, { $set: { createdAt: new Date(Date.now() - 11 * 60_000) } });
    for (const [path, body] of [
      ["identity/disconnect", { current: null }],
      ["identity/connect", { current: null }],
      ["password", { current: null, password: PASSWORD }],
    ] as const)
      expect((await visitor.post(`/api/me/${path}`, body)).body.code).toBe("sign_in_again");
  });
});
