// The page People: who has which role in a clan, over HTTP and in a real browser.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { makeClanDeletionStore } from "#store/erasure/clan-deletion-store.ts";
import { expectUsable, noBrowser, openBrowser, signIn, type TestBrowser } from "./browser.ts";
import { makeDashboardWorld, makeVisitor, PASSWORD, type DashboardWorld, type Visitor } from "./dashboard-world.ts";

let dashboard: DashboardWorld;
beforeAll(async () => {
  dashboard = await makeDashboardWorld();
});
afterAll(() => dashboard.close());

let made = 0;
/** A clan with its own owner; `name` makes names of people that no other test uses. */
async function newClan() {
  const { clanId } = (await dashboard.world.makeClan()).clan;
  const number = (made += 1);
  const name = (first: string): string => `${first}-${number}`;
  const owner = await dashboard.signedIn(name("olga"), "--clan", clanId, "--role", "owner");
  const api = `/api/clans/${clanId}/people`;
  const people = async () => (await owner.get(api)).body.people;
  return { clanId, api, owner, name, people };
}

async function invite({ api, owner }: { api: string; owner: Visitor }, name: string, role: "owner" | "viewer") {
  const { status, body } = await owner.post(api, { name, role });
  expect([status, body]).toStrictEqual([
    200,
    { name, link: { token: expect.any(String), expiresAt: expect.any(String) } },
  ]);
  return body.link as { token: string; expiresAt: string };
}

async function open(token: string): Promise<Visitor> {
  const visitor = makeVisitor(dashboard.url);
  expect((await visitor.post("/api/link/use", { token, password: PASSWORD })).status).toBe(200);
  return visitor;
}

describe("the people of a clan", () => {
  test("are invited by a link that works once, get another role, and are removed, each with an audit record", async () => {
    const { clanId, api, owner, name, people } = await newClan();
    const vic = name("vic");
    const invited = await owner.post(api, { name: vic, role: "viewer" });
    expect(invited.body).toStrictEqual({
      name: vic,
      link: { token: expect.any(String), expiresAt: expect.any(String) },
    });
    expect(await people()).toStrictEqual([
      { name: name("olga"), role: "owner", lastSignInAt: expect.any(String), status: "active" },
      { name: vic, role: "viewer", lastSignInAt: null, status: "invited" },
    ]);
    const visitor = await open(invited.body.link.token);
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
    const visitor = await dashboard.signedIn(ada, "--clan", first.clanId, "--role", "owner");
    const { token } = await invite(second, ada, "viewer");
    const pending = { role: "viewer", lastSignInAt: null, status: "invited" };
    expect((await second.people())[0]).toStrictEqual({ name: ada, ...pending });
    expect((await visitor.get(`/api/clans/${second.clanId}/keys`)).status).toBe(403);

    expect((await visitor.post("/api/link/look", { token })).body).toMatchObject({
      kind: "accept",
      accountName: ada,
      role: "viewer",
    });
    // The link opens nothing by itself, and sets no password of an account that exists.
    for (const body of [{ token }, { token, password: "a password of a stranger" }])
      expect((await makeVisitor(dashboard.url).post("/api/link/use", body)).body.code).toBe("link_invalid");
    expect((await makeVisitor(dashboard.url).post("/api/link/accept", { token })).status).toBe(401);
    const other = await second.owner.post("/api/link/accept", { token });
    expect([other.status, other.body.detail]).toStrictEqual([409, expect.stringContaining(`for ${ada}`)]);
    expect((await visitor.get(`/api/clans/${second.clanId}/keys`)).status).toBe(403);

    expect((await visitor.post("/api/link/accept", { token })).body).toStrictEqual({ clanId: second.clanId });
    expect((await visitor.post("/api/link/accept", { token })).body.code).toBe("link_invalid");
    const { clans } = (await visitor.get("/api/me")).body;
    expect(Object.fromEntries(clans.map(({ clanId, role }: any) => [clanId, role]))).toStrictEqual({
      [first.clanId]: "owner",
      [second.clanId]: "viewer",
    });
    expect((await visitor.get(`/api/clans/${second.clanId}/keys`)).status).toBe(200);
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
    const squatter = await open((await invite(first, carol, "viewer")).token);
    expect((await first.owner.send("DELETE", `${first.api}/${carol}`)).status).toBe(200);
    const { token } = await invite(second, carol, "owner");
    expect((await squatter.get(`/api/clans/${second.clanId}/keys`)).status).toBe(403);
    expect((await squatter.post(`/api/clans/${second.clanId}/keys`, { name: "k", scopes: ["read"] })).status).toBe(403);
    expect((await squatter.get("/api/me")).body.clans).toStrictEqual([]);
    expect((await second.people())[0]).toMatchObject({ name: carol, status: "invited" });
    // An earlier link to the same name, which was kept unopened, gives the role of that clan alone.
    const dora = first.name("dora");
    const kept = await invite(first, dora, "viewer");
    const { token: hers } = await invite(second, dora, "owner");
    const keeper = await open(kept.token);
    expect((await keeper.get("/api/me")).body.clans).toMatchObject([{ clanId: first.clanId, role: "viewer" }]);
    expect((await second.people()).map(({ status }: any) => status)).toStrictEqual(["invited", "invited", "active"]);
    for (const link of [token, hers])
      expect((await makeVisitor(dashboard.url).post("/api/link/look", { token: link })).body.kind).toBe("accept");
  });

  test("who are invited can be given another role and be withdrawn, and are no owner until they accept", async () => {
    const { clanId, api, owner, name, people, ...clan } = await newClan();
    const [ada, bob] = [name("ada"), name("bob")];
    const visitor = await dashboard.signedIn(ada, "--clan", (await newClan()).clanId, "--role", "viewer");
    const links = [];
    for (const invited of [ada, bob]) links.push(await invite({ api, owner, ...clan }, invited, "owner"));
    const again = await owner.post(api, { name: ada, role: "viewer" });
    expect([again.status, again.body.errors[0].pointer]).toStrictEqual([409, "/name"]);
    expect((await owner.send("DELETE", `${api}/${name("olga")}`)).body.detail).toContain("last owner");
    expect((await owner.send("PUT", `${api}/${ada}/role`, { role: "viewer" })).status).toBe(200);
    expect((await owner.send("DELETE", `${api}/${bob}`)).status).toBe(200);
    expect(await people()).toMatchObject([{ name: ada, role: "viewer", status: "invited" }, {}]);
    const { actor } = { actor: name("olga") };
    expect((await owner.get(`/api/clans/${clanId}/audit`)).body.records.slice(0, 2)).toMatchObject([
      { action: "account.revoke", actor, target: bob, before: { role: "owner", invited: true }, after: null },
      { action: "account.grant", actor, target: ada, before: { role: "owner" }, after: { role: "viewer" } },
    ]);
    const look = async (link: any) => (await visitor.post("/api/link/look", { token: link.token })).body;
    expect(await look(links[1])).toMatchObject({ code: "link_invalid" });
    expect(await look(links[0])).toMatchObject({ kind: "accept", role: "viewer" });
    // What an operator gives immediately replaces an invitation.
    await dashboard.cli.json("account", "grant", ada, "--clan", clanId, "--role", "owner");
    expect(await look(links[0])).toMatchObject({ code: "link_invalid" });
    expect(await people()).toMatchObject([{ name: ada, role: "owner", status: "active" }, {}]);
  });

  test("who are invited lose their links with all others, with their account, and with the clan", async () => {
    const { clanId, api, owner, name, people, ...clan } = await newClan();
    const [ada, bob] = [name("ada"), name("bob")];
    const visitor = await dashboard.signedIn(ada, "--clan", (await newClan()).clanId, "--role", "viewer");
    const look = async ({ token }: any) => (await visitor.post("/api/link/look", { token })).body.code;
    const inviteBoth = async () => [
      await invite({ api, owner, ...clan }, ada, "viewer"),
      await invite({ api, owner, ...clan }, bob, "viewer"),
    ];
    const ended = await inviteBoth();
    const { links } = (await dashboard.cli.json("account", "end-sessions", "--all")).answer;
    expect(links).toBeGreaterThanOrEqual(2);
    for (const link of ended) expect(await look(link)).toBe("link_invalid");
    await owner.post("/api/sign-in", { name: name("olga"), password: PASSWORD });
    // An ended link is replaced.
    expect(await people()).toMatchObject([{ status: "invited" }, { status: "invited" }, {}]);
    const [ofAda, ofBob] = await inviteBoth();
    expect(await look(ofAda)).toBeUndefined();
    await dashboard.cli.json("account", "remove", ada);
    expect(await look(ofAda)).toBe("link_invalid");
    expect(await people()).toHaveLength(2);
    expect((await dashboard.cli.json("audit", "list", "--clan", clanId)).answer.records[0]).toMatchObject({
      action: "account.remove",
      target: ada,
    });
    const deletions = makeClanDeletionStore(dashboard.world.database);
    expect(await deletions.begin(clanId, { actor: "ops", via: "cli" })).toBe("begun");
    expect(await look(ofBob)).toBe("link_invalid");
    const stored = dashboard.world.database.db().collection<any>("accounts");
    expect(await stored.countDocuments({ "invites.clanId": clanId })).toBe(0);
  });

  test("who were removed before they had opened their link get a new one, and the old one does nothing", async () => {
    const { api, owner, name, people } = await newClan();
    const invite = async () => (await owner.post(api, { name: name("bob"), role: "viewer" })).body.link;
    const old = await invite();
    expect((await owner.send("DELETE", `${api}/${name("bob")}`)).status).toBe(200);
    const fresh = await invite();
    expect((await makeVisitor(dashboard.url).post("/api/link/look", { token: old.token })).body.code).toBe(
      "link_invalid",
    );
    await open(fresh.token);
    expect(await people()).toMatchObject([{ name: name("bob"), status: "active" }, {}]);
  });

  test("of older versions are listed, and get another role, without a change of their documents before", async () => {
    const { clanId, api, owner, name, people } = await newClan();
    const old = {
      _id: name("old"),
      operator: false,
      grants: [{ clanId, role: "owner" }],
      passwordHash: "$argon2id$of-an-older-version",
      generation: 3,
      createdAt: new Date(0),
      lastSignInAt: null,
      link: null,
      removedAt: null,
    };
    await dashboard.world.database.db().collection<any>("accounts").insertOne(old);
    const [listed] = await people();
    expect(listed).toStrictEqual({ name: name("old"), role: "owner", lastSignInAt: null, status: "active" });
    expect((await owner.send("PUT", `${api}/${name("old")}/role`, { role: "viewer" })).status).toBe(200);
    const [after] = await dashboard.world.database.db().collection<any>("accounts").find({ _id: old._id }).toArray();
    expect(after).toMatchObject({ ...old, grants: [{ clanId, role: "viewer" }] });
  });

  test("are not invited twice; an operator's name is answered as any other, and needs no role", async () => {
    const { api, owner, name, people } = await newClan();
    const ops = await dashboard.signedIn(name("ops"), "--operator");
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
    const { api, owner, name, people } = await newClan();
    for (const change of [
      () => owner.send("DELETE", `${api}/${name("olga")}`),
      () => owner.send("PUT", `${api}/${name("olga")}/role`, { role: "viewer" }),
    ]) {
      const { status, body } = await change();
      expect([status, body.code, body.detail]).toStrictEqual([409, "conflict", expect.stringContaining("last owner")]);
    }
    for (let round = 0; round < 6; round += 1) {
      const other = name(`other-${round}`);
      const { link } = (await owner.post(api, { name: other, role: "owner" })).body;
      const visitor = await open(link.token);
      // Each withdraws the other's role; one of them is too late.
      const [one, two] = await Promise.all([
        owner.send("DELETE", `${api}/${other}`),
        round % 2 === 0
          ? visitor.send("DELETE", `${api}/${name("olga")}`)
          : visitor.send("PUT", `${api}/${name("olga")}/role`, { role: "viewer" }),
      ]);
      expect([one.status, two.status].toSorted((a, b) => a - b)).toStrictEqual([200, expect.toBeOneOf([403, 409])]);
      const cli = (await dashboard.cli.json("account", "list")).answer.accounts;
      const owners = cli.filter(({ clans }: any) =>
        clans.some((clan: any) => api.includes(clan.clanId) && clan.role === "owner"),
      );
      expect(owners).toHaveLength(1);
      if (two.status !== 200) continue;
      const clanId = api.split("/")[3] ?? "";
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

describe.skipIf(noBrowser !== null)("the page People", { timeout: 120_000 }, () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, 120_000);
  afterAll(() => browser?.close());

  /** With the keyboard alone, by a person whose browser somebody else (`from`) used before. */
  async function acceptInvitation(page: Page, link: string, name: string, { from }: { from: string }): Promise<void> {
    await signIn(page, dashboard.url, from);
    await page.getByRole("link", { name: "People", exact: true }).waitFor();
    await page.goto(link);
    await page.getByText(`This invitation is for ${name}`).waitFor();
    await expectUsable(page);
    await page.getByRole("button", { name: "Sign out" }).press("Enter");
    await page.getByText(new RegExp(`Sign in as ${name} to accept the invitation`)).waitFor();
    await expectUsable(page);
    await page.getByLabel("Name or e-mail").fill(name);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByLabel("Password").press("Enter");
    const accept = page.getByRole("button", { name: "Accept", exact: true });
    await accept.waitFor();
    await expectUsable(page);
    await accept.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  }

  async function openPeople(name: string): Promise<Page> {
    const page = await browser.open();
    await signIn(page, dashboard.url, name);
    await page.getByRole("link", { name: "People", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "People", exact: true }).waitFor();
    return page;
  }

  test("lets an owner invite, change and remove people, with the keyboard alone, and protects the last owner", async () => {
    const { clanId, name } = await newClan();
    const other = await newClan();
    const ada = other.name("olga");
    const page = await openPeople(name("olga"));
    const table = page.getByRole("table", { name: "People" });
    await table.getByRole("row", { name: /olga.*you.*the last owner.*Owner.*Active/ }).waitFor();
    expect(await table.getByRole("columnheader").allTextContents()).toEqual(["Name", "Role", "Last sign-in", "Status"]);
    for (const action of ["Change role", "Remove"])
      expect(await table.getByRole("button", { name: action, exact: true }).isDisabled()).toBe(true);
    const order = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allTextContents();
    expect(order[order.indexOf("API keys") + 1]).toBe("People");
    await expectUsable(page);

    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Invite person" }).press("Enter");
    await dialog.getByRole("button", { name: "Create link" }).press("Enter");
    await dialog.getByText(/^Name must be/).waitFor();
    await expectUsable(page);
    await page.keyboard.type(`Bob-${name("x")}`);
    await dialog.getByLabel("Role").selectOption("Owner: may do everything in the clan");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Create link" }).press("Enter");
    const link = dialog.getByLabel("Invitation link");
    expect(await link.inputValue()).toContain(`${dashboard.url}/link#`);
    expect(await link.getAttribute("readonly")).not.toBeNull();
    await dialog.getByRole("button", { name: "Copy" }).waitFor();
    await expectUsable(page);
    await dialog.getByRole("button", { name: "Done" }).press("Enter");
    const bob = table.getByRole("row", { name: /bob-x.*Owner.*never.*Invited/i });
    await bob.waitFor();

    await page.getByRole("button", { name: "Invite person" }).press("Enter");
    await dialog.getByLabel("Name").fill(ada);
    await dialog.getByRole("button", { name: "Create link" }).press("Enter");
    const adasLink = await link.inputValue();
    await dialog.getByRole("button", { name: "Done" }).press("Enter");
    await table.getByRole("row", { name: new RegExp(`${ada}.*Viewer.*never.*Invited`) }).waitFor();
    const adas = await browser.open();
    await acceptInvitation(adas, adasLink, ada, { from: name("olga") });
    await adas.close();
    await table.getByRole("row", { name: new RegExp(`${ada}.*Viewer.*Active`) }).waitFor();

    await bob.getByRole("button", { name: "Change role", exact: true }).press("Enter");
    await dialog.getByLabel("Role").selectOption("Viewer: may read everything of the clan");
    await expectUsable(page);
    await dialog.getByRole("button", { name: "Change role" }).press("Enter");
    await table.getByRole("row", { name: /bob-x.*Viewer/ }).waitFor();

    await bob
      .page()
      .getByRole("row", { name: /bob-x/ })
      .getByRole("button", { name: "Remove", exact: true })
      .press("Enter");
    const confirm = dialog.getByRole("button", { name: "Remove", exact: true });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill(`bob-${name("x")}`);
    await expectUsable(page);
    await dialog.getByRole("textbox").press("Enter");
    await table.getByRole("row", { name: /bob-x/ }).waitFor({ state: "detached" });
    await expectUsable(page);
    expect((await dashboard.cli.json("audit", "list", "--clan", clanId)).answer.records[0].action).toBe(
      "account.revoke",
    );
    expect(browser.complaints()).toEqual([]);
  });

  test("is not in a viewer's navigation, and a person who leaves a clan sees their other one", async () => {
    const [first, second] = [await newClan(), await newClan()];
    const vic = first.name("vic");
    await dashboard.signedIn(vic, "--clan", first.clanId, "--role", "viewer");
    await dashboard.cli.json("account", "grant", vic, "--clan", second.clanId, "--role", "owner");
    const page = await browser.open();
    await signIn(page, dashboard.url, vic);
    const clan = page.getByLabel("Clan", { exact: true });
    await clan.selectOption({ value: first.clanId });
    await page.getByRole("link", { name: "People", exact: true }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "API keys", exact: true }).waitFor();
    await page.goto(`${dashboard.url}/clans/${first.clanId}/people`);
    await page.getByText(/may not read this/).waitFor();

    await clan.selectOption({ value: second.clanId });
    await page.getByRole("link", { name: "People", exact: true }).click();
    const own = page.getByRole("row", { name: new RegExp(`${vic}.*you`) });
    await own.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("dialog").getByRole("textbox").fill(vic);
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.waitForURL(`${dashboard.url}/clans/${first.clanId}/overview`);
    expect((await second.people()).map((person: any) => person.name)).toStrictEqual([second.name("olga")]);
  });
});
