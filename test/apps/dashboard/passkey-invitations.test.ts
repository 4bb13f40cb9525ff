// Invitations that a person accepts with a passkey instead of a password.
import { describe, expect, test } from "vitest";
import { makeAuthenticator } from "./authenticator.ts";
import { makeVisitor, PASSWORD } from "./dashboard-world.ts";
import { usePasskeys } from "./use-passkeys.ts";

const { dashboard, url, newName, invitation, signInWith } = await usePasskeys();

/** A browser in which the person of this link has created a passkey, and what it sends then. */
async function begun(token: string) {
  const [visitor, phone] = [makeVisitor(url), makeAuthenticator(url)];
  const { options } = (await visitor.post("/api/link/passkey/options", { token })).body;
  return { visitor, phone, body: { token, name: "Phone", credential: phone.create(options) } };
}

describe("an invitation to the dashboard", () => {
  test("to a name without an account makes one with a passkey, which signs in later", async () => {
    const name = newName();
    const { clanId, person: owner } = await dashboard.newClan(newName());
    const { token } = (await owner.post(`/api/clans/${clanId}/people`, { name, role: "viewer" })).body.link;
    const { visitor, phone, body } = await begun(token);
    expect((await visitor.post("/api/link/passkey", body)).status).toBe(200);
    const again = makeVisitor(url);
    expect((await signInWith(phone, {}, again)).status).toBe(200);
    expect((await again.get("/api/me")).body.clans).toMatchObject([{ clanId, role: "viewer" }]);
    expect((await makeVisitor(url).post("/api/link/look", { token })).body.code).toBe("link_invalid");
  });

  test("is accepted once with a passkey instead of a password, which later changes confirm by a recent sign-in", async () => {
    const name = newName();
    const token = await invitation(name);
    const { visitor, phone, body } = await begun(token);
    expect((await makeVisitor(url).post("/api/link/passkey", body)).status).toBe(400);
    expect((await visitor.post("/api/link/passkey", body)).status).toBe(200);
    expect((await visitor.get("/api/me")).body).toMatchObject({ name, hasPassword: false });
    expect((await makeVisitor(url).post("/api/link/passkey", body)).body.code).toBe("link_invalid");
    for (const path of ["/api/link/look", "/api/link/passkey/options"])
      expect((await makeVisitor(url).post(path, { token })).body.code).toBe("link_invalid");

    const removal = await visitor.post("/api/me/passkeys/remove", { id: phone.id, current: null });
    expect(removal.body).toMatchObject({ code: "conflict", detail: expect.stringContaining("Set a password first") });
    const { sessions } = dashboard.world.database.stored;
    await sessions.updateOne({ accountName: name }, { $set: { createdAt: new Date(Date.now() - 11 * 60_000) } });
    const changes: [string, object][] = [
      ["/api/me/passkeys/options", { current: null }],
      ["/api/me/passkeys/remove", { id: phone.id, current: null }],
      ["/api/me/password", { current: null, password: PASSWORD }],
    ];
    for (const [path, sent] of changes) expect((await visitor.post(path, sent)).body.code).toBe("sign_in_again");
    const again = makeVisitor(url);
    expect((await signInWith(phone, {}, again)).status).toBe(200);
    expect((await again.post("/api/me/password", { current: null, password: PASSWORD })).status).toBe(200);
  });

  test("of kind sign-in, as printed by npm start, adds no passkey", async () => {
    const name = newName();
    const token = await invitation(name);
    await dashboard.world.database.stored.accounts.updateOne({ _id: name }, { $set: { "link.kind": "sign-in" } });
    expect((await makeVisitor(url).post("/api/link/passkey/options", { token })).body.code).toBe("link_invalid");
  });
});
