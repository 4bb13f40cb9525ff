// Destinations as an owner and a viewer use them in a real browser, with a real notifier and receivers on this machine.
import { afterAll, expect, test } from "vitest";
import type { Locator, Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { makeNameStore } from "#names/store/name-store.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import type { Rank } from "#domain/rank.ts";
import { testActor } from "../../support/actor.ts";
import { destinationsIn, riseOf, webhookTo } from "../../support/destinations.ts";
import { startFakeRoblox } from "../../support/fake-roblox.ts";
import { startReceiver, type Received } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";
import { describePages, expectReadable } from "./browser.ts";
import { chooseIn, fill, press, shows, submit } from "./steps.ts";
import { useClan } from "./use-clan.ts";

const LONG_NAME = `Announcements of ${"The Most Honourable ".repeat(2)}Rovers`;

function isSigned(request: Received | undefined, secret: string): boolean {
  try {
    new Webhook(secret).verify(request?.body ?? "", (request?.headers ?? {}) as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

const { dashboard, port, clan, pages } = await useClan();
const { clanId } = clan;
const [receiver, roblox] = await Promise.all([startReceiver(), startFakeRoblox()]);
afterAll(() => Promise.all([receiver.close(), roblox.close()]));
const destinations = destinationsIn(dashboard.world.database);
// Longer than a busy machine takes: a request is repeated after its timeout.
await dashboard.world.startNotifier({ config: { robloxApiUrl: roblox.url, webhookTimeoutMs: 10_000 } });

describePages("the pages of destinations", (browser) => {
  const open = (name: string, path = "destinations"): Promise<Page> => browser.openAs(name, `${pages}/${path}`);
  const rowOf = (page: Page, name: string | RegExp): Locator => page.getByRole("row", { name });

  test("let an owner add a webhook, see its secret once, test it, and see each delivery", async () => {
    const page = await open("ada");
    await page.getByText("No destinations yet.").waitFor();
    await press(page, "Add the first destination");
    const dialog = page.getByRole("dialog");
    await fill(dialog, { Kind: "Webhook", Name: LONG_NAME, URL: "https://10.0.0.1/hook" });
    await dialog.getByText("an operator has to switch on award events").waitFor();
    expect(await dialog.getByRole("checkbox", { name: "award.applied" }).isDisabled()).toBe(true);
    await press(dialog, "Add");
    await dialog.getByText("The host is not a public address").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.ariaInvalid")).toBe("true");
    await expectReadable(page);
    await submit(dialog, { URL: `${receiver.url}/hook/secret-path` }, "Add");

    const secret = await dialog.getByLabel("Signing secret", { exact: true }).inputValue();
    await dialog.getByRole("tab", { name: "Python" }).click();
    await dialog.getByText("pip install flask standardwebhooks").waitFor();
    receiver.answer({ status: 200, body: "hello from the receiver" });
    await press(dialog, "Send test");
    await dialog.getByText(/^Accepted, status 200, after [\d,]+ ms$/).waitFor();
    await dialog.getByText("hello from the receiver").waitFor();
    await expectReadable(page);
    expect(isSigned(receiver.requests[0], secret)).toBe(true);
    await press(dialog, "Done");
    await dialog.waitFor({ state: "hidden" });

    await rowOf(page, /Rovers.*Webhook.*Active.*never/).waitFor();
    expect(await page.content()).not.toContain("secret-path");
    await destinations.append(clanId, [riseOf("p1", 1)]);
    await page.getByRole("link", { name: LONG_NAME }).click();
    await shows(page, LONG_NAME);
    const delivery = rowOf(page, /Rank changed.*p1.*Delivered.*status 200/);
    await delivery.waitFor();
    await makeNameStore(dashboard.world.database).set(clanId, [{ platformId: "p1", name: "Paula One" }]);
    await rowOf(page, /Rank changed.*Paula One.*p1.*Delivered/).waitFor();
    await delivery.getByRole("button", { name: "Send again" }).press("Enter");
    await page.getByText("The event is sent again").first().waitFor();
    await until(() => receiver.requests.length === 3);
    // Every attempt is listed.
    await delivery.locator("summary").press("Enter");
    await expect.poll(() => page.getByText(/^status 200 after/).count()).toBe(2);
  });

  test("let an owner try a failing destination at once", async () => {
    const tired = await startReceiver();
    tired.answer({ status: 500, body: "out of order" });
    const id = await destinations.add(clanId, webhookTo(tired.url), { name: "tired", state: "failing" });
    const page = await open("ada", `destinations/${id}`);
    await press(page, "Try now");
    tired.answer({ status: 204 });
    await expect.poll(() => page.getByRole("button", { name: /^(?:Try now|Resume)$/ }).count()).toBe(0);
    await tired.close();
  });

  test("let an owner send failed events again, pause, rotate, edit and delete", async () => {
    const failing = await startReceiver();
    failing.answer({ status: 500, body: "out of order" });
    const id = await destinations.add(clanId, webhookTo(failing.url), { name: "flaky" });
    const [event] = await destinations.append(clanId, [riseOf("p2", 1)]);
    const page = await open("ada", `destinations/${id}`);
    await rowOf(page, /p2.*Failed.*status 500.*out of order/).waitFor();
    await fill(page, { Failed: true });
    failing.answer({ status: 204 });
    await press(page, "Send failed again…");
    const dialog = page.getByRole("dialog");
    await press(dialog, "Send 1 event");
    await page.getByText("No delivery has failed.").waitFor();
    await fill(page, { Failed: false });
    await rowOf(page, /p2.*Delivered.*status 204/).waitFor();
    expect(new Set(failing.requests.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([event?.eventId]));

    await press(page, "Pause");
    await page.getByText("Paused by ada. Resume it to send what waits.").waitFor();
    await destinations.append(clanId, [riseOf("p2", 2)]);
    await page.getByRole("button", { name: "Skip what waits" }).waitFor();
    await press(page, "Resume");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await until(() => failing.requests.some(({ body }) => JSON.parse(body).data.seq === 2));

    await chooseIn(page.getByRole("main"), "Rotate secret");
    await submit(dialog, { "Grace period": "1 hour" }, "Rotate secret");
    const secret = await dialog.getByLabel("Signing secret", { exact: true }).inputValue();
    await press(dialog, "Done");
    await until(async () => {
      await press(page, "Send test");
      await page.getByText(/^Accepted, status 204/).waitFor();
      return isSigned(failing.requests.at(-1), secret);
    });

    await chooseIn(page.getByRole("main"), "Edit");
    await submit(dialog, { Name: "steady", "key.created": true }, "Save");
    await shows(page, "steady");
    await page.getByText("member.left, key.created").waitFor();

    await chooseIn(page.getByRole("main"), "Delete");
    expect(await dialog.getByRole("button", { name: "Delete destination" }).isDisabled()).toBe(true);
    await submit(dialog, { "Type steady to confirm": "steady" }, "Delete destination");
    await shows(page, "Destinations");
    await expect.poll(() => page.getByRole("link", { name: "steady" }).count()).toBe(0);
    await failing.close();
  });

  test("let an owner choose which role of a Roblox group each rank gives, check and sync", async () => {
    const rovers = await makeClanCaller(dashboard.world, port);
    await dashboard.signedIn("rob", "owner", rovers.clanId);
    const xps = { 101: 1_000, 102: 100, visitor: 100 };
    for (const [platformId, amount] of Object.entries(xps)) await rovers.award(platformId, { amount });
    roblox.members.set("101", new Set(["1001", "1010"]));
    const page = await browser.openAs("rob", `${dashboard.url}/clans/${rovers.clanId}/destinations`);
    await press(page, "Add destination");
    const dialog = page.getByRole("dialog");
    await fill(dialog, { Kind: "Roblox group", Name: "our group", Group: roblox.groupId });
    await submit(dialog, { "Open Cloud key": "not-the-key" }, "Add");
    await dialog.getByRole("alert").waitFor();
    await submit(dialog, { "Open Cloud key": roblox.key }, "Add");

    await shows(page, "our group");
    await fill(page, { "Group role of Veteran": "Veteran", "Group role of Recruit": "Recruit" });
    const roles = page.getByLabel("Group role of Veteran").locator("option");
    expect(await roles.allInnerTexts()).not.toContain("Owner");
    await press(page, "Save");
    await page.getByText("Roles saved").first().waitFor();
    const member = rowOf(page, /101.*Veteran.*Veteran.*Synced/);
    await member.waitFor({ timeout: 60_000 });
    // The row may still say what the comparison before this change of roles has found.
    await expect.poll(() => roblox.members.get("101")).toEqual(new Set(["1001", "1020"]));
    await rowOf(page, /102.*Recruit.*Recruit.*Not in the group/).waitFor();
    await rowOf(page, /visitor.*Not a Roblox ID/).waitFor();

    roblox.members.set("101", new Set(["1001", "1010"]));
    await press(page, "Check");
    const found = page.getByRole("table", { name: "What would change" });
    await found.getByRole("row", { name: /101.*Veteran.*Recruit.*Veteran/ }).waitFor();
    expect(roblox.members.get("101")).toEqual(new Set(["1001", "1010"]));
    await expectReadable(page);
    await press(page, "Sync all");
    await page.getByText("1 of them were changed.").waitFor();
    expect(roblox.members.get("101")).toEqual(new Set(["1001", "1020"]));
    await fill(page, { Status: "Not a Roblox ID" });
    await member.waitFor({ state: "detached" });

    await dashboard.signedIn("val", "viewer", rovers.clanId);
    const viewer = await browser.openAs("val", page.url());
    await rowOf(viewer, /^Veteran\s+Veteran$/).waitFor();
    await rowOf(viewer, /101.*Veteran.*Veteran/).waitFor();
    expect(await viewer.getByRole("combobox", { name: /Group role/ }).count()).toBe(0);

    const withoutRecruit = (ranks: readonly Rank[]) => ranks.filter(({ name }) => name !== "Recruit");
    await dashboard.world.clans.change(rovers.clanId, { ranks: withoutRecruit }, testActor);
    await page.reload();
    await rowOf(page, /Recruit.*The clan has no such rank any more/).waitFor();
    await submit(page, { "Group role of Recruit": "No role" }, "Save");
    await page.getByText("Roles saved").first().waitFor();
    await rowOf(page, /The clan has no such rank any more/).waitFor({ state: "detached" });
  });

  test("name a disabled destination on every page of the clan, and show viewers neither secrets nor responses", async () => {
    const gone = await startReceiver();
    gone.answer({ status: 410, body: "gone for good" });
    const id = await destinations.add(clanId, webhookTo(gone.url), { name: "old server" });
    await destinations.append(clanId, [riseOf("p3", 1)]);
    await destinations.untilIs(id, ({ state }) => state === "disabled");
    const page = await open("vic", "overview");
    await page.getByRole("status").getByRole("link", { name: "old server" }).waitFor();
    await expectReadable(page);
    await page.getByRole("navigation").getByRole("link", { name: "Events" }).click();
    const event = rowOf(page, /p3.*1 (?:delivered|failed|waiting)/);
    await event.first().waitFor();
    await page.getByRole("status").getByRole("link", { name: "old server" }).click();
    const reason = page.getByText(/responded 410/);
    await reason.first().waitFor();
    await rowOf(page, /p3.*status 410/).waitFor();
    expect(await page.getByText("gone for good").count()).toBe(0);
    for (const name of ["Send test", "Resume", /^Actions/, "Send again"])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
    const owner = await open("ada", `destinations/${id}`);
    await owner.getByText("gone for good").waitFor();
    gone.answer({ status: 204 });
    await press(owner, "Resume");
    await owner.getByRole("status").getByRole("link", { name: "old server" }).waitFor({ state: "detached" });
    await gone.close();
  });
});
