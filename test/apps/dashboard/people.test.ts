// Who has which role in a clan, over HTTP. The page People: people-browser.test.ts.
import { describe, expect, test } from "vitest";
import { makeClanDeletionStore } from "#erasure/store/clan-deletion-store.ts";
import { makeVisitor, PASSWORD, type Visitor } from "./dashboard-world.ts";
import { usePeople } from "./use-people.ts";

const { dashboard, newClan } = await usePeople();

/** The secret part of the link of an invitation. */
async function invite({ api, owner }: { api: string; owner: Visitor }, name: string, role: "owner" | "viewer") {
  const { body } = await owner.post(api, { name, role });
  expect(body).toStrictEqual({ name, link: { token: expect.any(String), expiresAt: expect.any(String) } });
  return body.link.token as string;
}

const look = async (token: string, visitor = makeVisitor(dashboard.url)) =>
  (await visitor.post("/api/link/look", { token })).body;

async function open(token: string): Promise<Visitor> {
  const visitor = makeVisitor(dashboard.url);
  expect((await visitor.post("/api/link/use", { token, password: PASSWORD })).status).toBe(200);
  return visitor;
}

describe("the people of a clan", () => {
  test("are invited by a link that works once, get another role, and are removed, each with an audit record", async () => {
    const clan = await newClan();
    const { clanId, api, owner, name, people } = clan;
    const vic = name("vic");
    const token = await invite(clan, vic, "viewer");
    expect(await people()).toStrictEqual([
      { name: name("olga"), role: "owner", lastSignInAt: expect.any(String), status: "active" },
      { name: vic, role: "viewer", lastSignInAt: null, status: "invited" },
    ]);
    const visitor = await open(token);
    expect((await people())[1]).toMatchObject({ status: "active", lastSignInAt: expect.any(String) });
    expect((await visitor.get(`/api/clans/${clanId}/keys`)).status).toBe(200);
    expect((await visitor.get(api)).status).toBe(403);

    expect((await owner.send("PUT", `${api}/${vic}/role`, { role: "owner" })).body).toStrictEqual({ done: true });
    expect((await visitor.get(api)).body.people).toMatchObject([{ role: "owner" }, { name: vic, role: "owner" }]);
    expect((await owner.send("DELETE", `${api}/${vic}`)).body).toStrictEqual({ done: true });
    expect((await visitor.get(`/api/clans/${clanId}/keys`)).status).toBe(403);
    expect((await visitor.get("/api/me")).body.clans).toStrictEqual([]);

    const { records } = (await owner.get(`/api/clans/${clanId}/audit`)).body;
    const facts = { actor: name("olga"), via: "dashboard", target: vic };
    expect(records.slice(0, 4)).toMatchObject([
      { ...facts, action: "account.revoke", before: { role: "owner" }, after: null },
      { ...facts, action: "account.grant", before: { role: "viewer" }, after: { role: "owner" } },
      { actor: vic, action: "account.accept", target: vic, before: null, after: { role: "viewer" } },
      { ...facts, action: "account.invite", before: null, after: { clans: [{ clanId, role: "viewer" }] } },
    ]);
  });

  test("who have an account get a link, too, and the role when they accept it signed in; the owner sees no difference", async () => {
    const [first, second] = [await newClan(), await newClan()];
    const ada = first.name("ada");
    const visitor = await dashboard.signedIn(ada, "owner", first.clanId);
    const token = await invite(second, ada, "viewer");
    const keys = async () => (await visitor.get(`/api/clans/${second.clanId}/keys`)).status;
    const pending = { role: "viewer", lastSignInAt: null, status: "invited" };
    expect((await second.people())[0]).toStrictEqual({ name: ada, ...pending });
    expect(await keys()).toBe(403);

    expect(await look(token)).toMatchObject({ kind: "accept", accountName: ada, role: "viewer" });
    // The link opens nothing by itself, and sets no password of an account that exists.
    for (const body of [{ token }, { token, password: "a password of a stranger" }])
      expect((await makeVisitor(dashboard.url).post("/api/link/use", body)).body.code).toBe("link_invalid");
    expect((await makeVisitor(dashboard.url).post("/api/link/accept", { token })).status).toBe(401);
    const other = await second.owner.post("/api/link/accept", { token });
    expect([other.status, other.body.detail]).toStrictEqual([409, expect.stringContaining(`for ${ada}`)]);
    expect(await keys()).toBe(403);

    expect((await visitor.post("/api/link/accept", { token })).body).toStrictEqual({ clanId: second.clanId });
    expect((await visitor.post("/api/link/accept", { token })).body.code).toBe("link_invalid");
    const { clans } = (await visitor.get("/api/me")).body;
    const roles = { [first.clanId]: "owner", [second.clanId]: "viewer" };
    expect(Object.fromEntries(clans.map(({ clanId, role }: any) => [clanId, role]))).toStrictEqual(roles);
    expect(await keys()).toBe(200);
    expect((await visitor.post("/api/sign-in", { name: ada, password: PASSWORD })).status).toBe(200);
    expect((await second.people())[0]).toMatchObject({ name: ada, status: "active" });
    expect(JSON.stringify(await second.people())).not.toContain(first.clanId);

    await dashboard.cli.json("account", "remove", ada);
    expect(await second.people()).toHaveLength(1);
    const log = (await second.owner.get(`/api/clans/${second.clanId}/audit`)).body.records;
    expect(log.slice(0, 3)).toMatchObject([
      { action: "account.remove", target: ada, before: { clans: [{ clanId: second.clanId }] } },
      { action: "account.accept", actor: ada, target: ada, before: null, after: { role: "viewer" } },
      { action: "account.invite", target: ada },
    ]);
    expect(JSON.stringify(log)).not.toContain(first.clanId);
  });

  test("get nothing from a name that somebody else took before them", async () => {
    const [first, second] = [await newClan(), await newClan()];
    const carol = `${first.name("carol")}@corp.example`;
    // The owner of one clan opens the link that was for Carol, and hides that.
    const squatter = await open(await invite(first, carol, "viewer"));
    expect((await first.owner.send("DELETE", `${first.api}/${carol}`)).status).toBe(200);
    const hers = await invite(second, carol, "owner");
    expect((await squatter.get(`/api/clans/${second.clanId}/keys`)).status).toBe(403);
    expect((await squatter.get("/api/me")).body.clans).toStrictEqual([]);
    expect((await second.people())[0]).toMatchObject({ name: carol, status: "invited" });
    // An earlier link to the same name, which was kept unopened, gives the role of that clan alone.
    const dora = first.name("dora");
    const kept = await invite(first, dora, "viewer");
    const doras = await invite(second, dora, "owner");
    const keeper = await open(kept);
    expect((await keeper.get("/api/me")).body.clans).toMatchObject([{ clanId: first.clanId, role: "viewer" }]);
    expect((await second.people()).map(({ status }: any) => status)).toStrictEqual(["invited", "invited", "active"]);
    for (const token of [hers, doras]) expect((await look(token)).kind).toBe("accept");
  });

  test("who are invited can be given another role and be withdrawn, and are no owner until they accept", async () => {
    const clan = await newClan();
    const { clanId, api, owner, name, people } = clan;
    const [ada, bob] = [name("ada"), name("bob")];
    await dashboard.signedIn(ada, "viewer", (await newClan()).clanId);
    const [ofAda, ofBob] = [await invite(clan, ada, "owner"), await invite(clan, bob, "owner")];
    const again = await owner.post(api, { name: ada, role: "viewer" });
    expect([again.status, again.body.errors[0].pointer]).toStrictEqual([409, "/name"]);
    expect((await owner.send("DELETE", `${api}/${name("olga")}`)).body.detail).toContain("last owner");
    expect((await owner.send("PUT", `${api}/${ada}/role`, { role: "viewer" })).status).toBe(200);
    expect((await owner.send("DELETE", `${api}/${bob}`)).status).toBe(200);
    expect(await people()).toMatchObject([{ name: ada, role: "viewer", status: "invited" }, {}]);
    const actor = name("olga");
    expect((await owner.get(`/api/clans/${clanId}/audit`)).body.records.slice(0, 2)).toMatchObject([
      { action: "account.revoke", actor, target: bob, before: { role: "owner", invited: true }, after: null },
      { action: "account.grant", actor, target: ada, before: { role: "owner" }, after: { role: "viewer" } },
    ]);
    expect(await look(ofBob)).toMatchObject({ code: "link_invalid" });
    expect(await look(ofAda)).toMatchObject({ kind: "accept", role: "viewer" });
    // What an operator gives immediately replaces an invitation.
    await dashboard.cli.json("account", "grant", ada, "--clan", clanId, "--role", "owner");
    expect(await look(ofAda)).toMatchObject({ code: "link_invalid" });
    expect(await people()).toMatchObject([{ name: ada, role: "owner", status: "active" }, {}]);
  });

  test("who are invited lose their links with all others, with their account, and with the clan", async () => {
    const clan = await newClan();
    const { clanId, owner, name, people } = clan;
    const [ada, bob] = [name("ada"), name("bob")];
    await dashboard.signedIn(ada, "viewer", (await newClan()).clanId);
    const inviteBoth = async () => [await invite(clan, ada, "viewer"), await invite(clan, bob, "viewer")] as const;
    const ended = await inviteBoth();
    const { links } = (await dashboard.cli.json("account", "end-sessions", "--all")).answer;
    expect(links).toBeGreaterThanOrEqual(2);
    for (const token of ended) expect((await look(token)).code).toBe("link_invalid");
    await owner.post("/api/sign-in", { name: name("olga"), password: PASSWORD });
    // An ended link is replaced.
    expect(await people()).toMatchObject([{ status: "invited" }, { status: "invited" }, {}]);
    const [ofAda, ofBob] = await inviteBoth();
    expect((await look(ofAda)).kind).toBe("accept");
    await dashboard.cli.json("account", "remove", ada);
    expect((await look(ofAda)).code).toBe("link_invalid");
    expect(await people()).toHaveLength(2);
    const { records } = (await owner.get(`/api/clans/${clanId}/audit`)).body;
    expect(records[0]).toMatchObject({ action: "account.remove", target: ada });
    const deletions = makeClanDeletionStore(dashboard.world.database);
    expect(await deletions.begin(clanId, { actor: "ops", via: "cli" })).toBe("begun");
    expect((await look(ofBob)).code).toBe("link_invalid");
    const stored = dashboard.world.database.db().collection<any>("accounts");
    expect(await stored.countDocuments({ "invites.clanId": clanId })).toBe(0);
  });

  test("who were removed before they had opened their link get a new one, and the old one does nothing", async () => {
    const clan = await newClan();
    const { api, owner, name, people } = clan;
    const old = await invite(clan, name("bob"), "viewer");
    expect((await owner.send("DELETE", `${api}/${name("bob")}`)).status).toBe(200);
    const fresh = await invite(clan, name("bob"), "viewer");
    expect((await look(old)).code).toBe("link_invalid");
    await open(fresh);
    expect(await people()).toMatchObject([{ name: name("bob"), status: "active" }, {}]);
  });

  test("of older versions are listed, and get another role, without a change of their documents before", async () => {
    const { clanId, api, owner, name, people } = await newClan();
    const never = { lastSignInAt: null, link: null, removedAt: null };
    const account = {
      operator: false,
      passwordHash: "$argon2id$of-old",
      generation: 3,
      createdAt: new Date(0),
      ...never,
    };
    const old = { _id: name("old"), grants: [{ clanId, role: "owner" }], ...account };
    const accounts = dashboard.world.database.db().collection<any>("accounts");
    await accounts.insertOne(old);
    const [listed] = await people();
    expect(listed).toStrictEqual({ name: name("old"), role: "owner", lastSignInAt: null, status: "active" });
    expect((await owner.send("PUT", `${api}/${name("old")}/role`, { role: "viewer" })).status).toBe(200);
    expect(await accounts.findOne({ _id: old._id })).toMatchObject({ ...old, grants: [{ clanId, role: "viewer" }] });
  });

  test("are not invited twice; an operator's name is answered as any other, and needs no role", async () => {
    const { api, owner, name, people } = await newClan();
    const ops = await dashboard.signedIn(name("ops"), "operator");
    const { status, body } = await owner.post(api, { name: name("olga"), role: "viewer" });
    expect([status, body.code, body.errors[0].pointer]).toStrictEqual([409, "conflict", "/name"]);
    const { token } = (await owner.post(api, { name: name("ops"), role: "viewer" })).body.link;
    expect((await ops.post("/api/link/accept", { token })).body.detail).toContain("may do everything");
    expect(await people()).toMatchObject([{ role: "owner" }, { name: name("ops"), status: "invited" }]);
    expect((await owner.send("PUT", `${api}/nobody/role`, { role: "owner" })).status).toBe(404);
    expect((await owner.send("DELETE", `${api}/nobody`)).status).toBe(404);
    expect((await owner.post(api, { name: "A B", role: "viewer" })).body.errors[0].pointer).toBe("/name");
  });

  test("always include an owner, also if the last two are removed or changed at the same time", async () => {
    const clan = await newClan();
    const { clanId, api, owner, name, people } = clan;
    const withdrawals = [
      (by: Visitor) => by.send("DELETE", `${api}/${name("olga")}`),
      (by: Visitor) => by.send("PUT", `${api}/${name("olga")}/role`, { role: "viewer" }),
    ];
    for (const withdraw of withdrawals) {
      const { status, body } = await withdraw(owner);
      expect([status, body.code, body.detail]).toStrictEqual([409, "conflict", expect.stringContaining("last owner")]);
    }
    for (const withdraw of [...withdrawals, ...withdrawals, ...withdrawals]) {
      const other = name(`other-${crypto.randomUUID()}`);
      const visitor = await open(await invite(clan, other, "owner"));
      // Each withdraws the other's role; one of them is too late.
      const [one, two] = await Promise.all([owner.send("DELETE", `${api}/${other}`), withdraw(visitor)]);
      expect([one.status, two.status].toSorted((a, b) => a - b)).toStrictEqual([200, expect.toBeOneOf([403, 409])]);
      const { accounts } = (await dashboard.cli.json("account", "list")).answer;
      const grants = accounts.flatMap(({ clans }: any) => clans);
      expect(grants.filter((grant: any) => grant.clanId === clanId && grant.role === "owner")).toHaveLength(1);
      if (two.status !== 200) continue;
      await dashboard.cli.json("account", "grant", name("olga"), "--clan", clanId, "--role", "owner");
      await owner.send("DELETE", `${api}/${other}`);
    }
    expect(await people()).toMatchObject([{ name: name("olga"), role: "owner" }]);
  });
});

describe("the command line", () => {
  test("may leave a clan without an owner, and says so", async () => {
    const { clanId, name } = await newClan();
    const asViewer = await dashboard.cli.run("account", "grant", name("olga"), "--clan", clanId, "--role", "viewer");
    expect(asViewer.stdout).toContain("has no owner");
    const revoked = await dashboard.cli.run("account", "revoke", name("olga"), "--clan", clanId);
    expect([revoked.exitCode, revoked.stdout]).toStrictEqual([0, expect.stringContaining("has no owner")]);
  });
});
