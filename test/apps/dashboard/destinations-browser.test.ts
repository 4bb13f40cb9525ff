// Destinations as an owner and a viewer use them in a real browser, with a real notifier and receivers on this machine.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Locator, Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { makeNameStore } from "#store/names/name-store.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import type { Rank } from "#domain/rank.ts";
import { testActor } from "../../support/actor.ts";
import { destinationsIn, riseOf, webhookTo, type TestDestinations } from "../../support/destinations.ts";
import { startFakeRoblox, type FakeRoblox } from "../../support/fake-roblox.ts";
import { startReceiver, type Received, type Receiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";
import { expectReadable, noBrowser, useBrowser } from "./browser.ts";
import { useDashboard } from "./dashboard-world.ts";

const LONG_NAME = `Announcements of ${"The Most Honourable ".repeat(2)}Rovers`;

function isSigned(request: Received | undefined, secret: string): boolean {
  try {
    new Webhook(secret).verify(request?.body ?? "", (request?.headers ?? {}) as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

const dashboard = await useDashboard();

describe.skipIf(noBrowser !== null)("the pages of destinations", { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let receiver: Receiver;
  let roblox: FakeRoblox;
  let destinations: TestDestinations;
  let clanId: string;
  beforeAll(async () => {
    [receiver, roblox] = await Promise.all([startReceiver(), startFakeRoblox()]);
    const { world } = dashboard;
    destinations = destinationsIn(world.database);
    // Longer than a busy machine takes: a request is repeated after its timeout.
    await world.startNotifier({ config: { robloxApiUrl: roblox.url, webhookTimeoutMs: 10_000 } });
    clanId = (await world.makeClan()).clan.clanId;
    await dashboard.signedIn("ada", "owner", clanId);
    await dashboard.signedIn("vic", "viewer", clanId);
  }, 120_000);
  afterAll(async () => {
    await receiver?.close();
    await roblox?.close();
  });

  const open = (name: string, path = "destinations"): Promise<Page> =>
    browser.openAs(name, `${dashboard.url}/clans/${clanId}/${path}`);
  const rowOf = (page: Page, name: string | RegExp): Locator => page.getByRole("row", { name });

  test("let an owner add a webhook, see its secret once, test it, and see each delivery", async () => {
    const page = await open("ada");
    await page.getByText("No destinations yet.").waitFor();
    await page.getByRole("button", { name: "Add destination" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Kind").selectOption({ label: "Webhook" });
    const awards = dialog.getByRole("checkbox", { name: "award.applied" });
    await dialog.getByText("an operator has to switch on award events").waitFor();
    expect(await awards.isDisabled()).toBe(true);
    await dialog.getByLabel("Name").fill(LONG_NAME);
    await dialog.getByLabel("URL").fill("https://10.0.0.1/hook");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByText("The host is not a public address").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.ariaInvalid")).toBe("true");
    await expectReadable(page);
    await dialog.getByLabel("URL").fill(`${receiver.url}/hook/secret-path`);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();

    const secret = await dialog.getByLabel("Signing secret", { exact: true }).inputValue();
    await dialog.getByRole("tab", { name: "Python" }).click();
    await dialog.getByText("pip install flask standardwebhooks").waitFor();
    receiver.answer({ status: 200, body: "hello from the receiver" });
    await dialog.getByRole("button", { name: "Send test" }).click();
    await dialog.getByText(/^Accepted, status 200, after [\d,]+ ms$/).waitFor();
    await dialog.getByText("hello from the receiver").waitFor();
    await expectReadable(page);
    const [request] = receiver.requests;
    expect(isSigned(request, secret)).toBe(true);
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "hidden" });

    await rowOf(page, /Rovers.*Webhook.*Active.*never/).waitFor();
    expect(await page.content()).not.toContain("secret-path");
    await destinations.append(clanId, [riseOf("p1", 1)]);
    await page.getByRole("link", { name: LONG_NAME }).click();
    await page.getByRole("heading", { level: 1, name: LONG_NAME }).waitFor();
    const delivery = rowOf(page, /member\.rank_changed.*p1.*Delivered.*status 200/);
    await delivery.waitFor();
    await makeNameStore(dashboard.world.database).set(clanId, [{ platformId: "p1", name: "Paula One" }]);
    await rowOf(page, /member\.rank_changed.*Paula One.*p1.*Delivered/).waitFor();
    await expectReadable(page);
    await delivery.getByRole("button", { name: "Send again" }).press("Enter");
    await page.getByText("The event is sent again").first().waitFor();
    await until(() => receiver.requests.length === 3);
    // Every attempt is listed.
    await delivery.locator("summary").press("Enter");
    await page
      .getByText(/^status 200 after/)
      .nth(1)
      .waitFor();
  });

  test("let an owner send failed events again, pause, rotate, edit and delete", async () => {
    const failing = await startReceiver();
    failing.answer({ status: 500, body: "out of order" });
    const id = await destinations.add(clanId, webhookTo(failing.url), { name: "flaky" });
    const [event] = await destinations.append(clanId, [riseOf("p2", 1)]);
    const page = await open("ada", `destinations/${id}`);
    await rowOf(page, /p2.*Failed.*status 500.*out of order/).waitFor();
    await page.getByLabel("Failed").check();
    failing.answer({ status: 204 });
    await page.getByRole("button", { name: "Send failed again…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Send 1 event" }).click();
    await page.getByText("No delivery has failed.").waitFor();
    await page.getByLabel("Failed").uncheck();
    await rowOf(page, /p2.*Delivered.*status 204/).waitFor();
    expect(new Set(failing.requests.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([event?.eventId]));

    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused by ada. Resume it to send what waits.").waitFor();
    await destinations.append(clanId, [riseOf("p2", 2)]);
    await page.getByRole("button", { name: "Skip what waits" }).waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await until(() => failing.requests.some(({ body }) => JSON.parse(body).data.seq === 2));

    await page.getByRole("button", { name: "Rotate secret" }).click();
    await dialog.getByLabel("Grace period").selectOption({ label: "1 hour" });
    await dialog.getByRole("button", { name: "Rotate secret" }).click();
    const secret = await dialog.getByLabel("Signing secret", { exact: true }).inputValue();
    await dialog.getByRole("button", { name: "Done" }).click();
    await until(async () => {
      await page.getByRole("button", { name: "Send test" }).click();
      await page.getByText(/^Accepted, status 204/).waitFor();
      return isSigned(failing.requests.at(-1), secret);
    });

    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("Name").fill("steady");
    await dialog.getByRole("checkbox", { name: "key.created" }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "steady" }).waitFor();
    await page.getByText("member.left, key.created").waitFor();

    await page.getByRole("button", { name: "Delete" }).click();
    expect(await dialog.getByRole("button", { name: "Delete destination" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Type steady to confirm").fill("steady");
    await dialog.getByRole("button", { name: "Delete destination" }).click();
    await page.getByRole("heading", { level: 1, name: "Destinations" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "steady" }).count()).toBe(0);
    await failing.close();
  });

  test("let an owner choose which role of a Roblox group each rank gives, check and sync", async () => {
    const { port } = await dashboard.world.startApi();
    const clan = await makeClanCaller(dashboard.world, port);
    await dashboard.signedIn("rob", "owner", clan.clanId);
    await clan.award("101", { amount: 1_000 });
    await clan.award("102", { amount: 100 });
    await clan.award("visitor", { amount: 100 });
    roblox.members.set("101", new Set(["1001", "1010"]));
    const page = await browser.openAs("rob", `${dashboard.url}/clans/${clan.clanId}/destinations`);
    await page.getByRole("button", { name: "Add destination" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Kind").selectOption({ label: "Roblox group" });
    await dialog.getByLabel("Name").fill("our group");
    await dialog.getByLabel("Group").fill(roblox.groupId);
    await dialog.getByLabel("Open Cloud key").fill("not-the-key");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Open Cloud key").fill(roblox.key);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();

    await page.getByRole("heading", { level: 1, name: "our group" }).waitFor();
    const select = page.getByLabel("Group role of Veteran");
    await select.selectOption({ label: "Veteran" });
    await page.getByLabel("Group role of Recruit").selectOption({ label: "Recruit" });
    expect(await select.locator("option").allInnerTexts()).not.toContain("Owner");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Roles saved").first().waitFor();
    const member = rowOf(page, /101.*Veteran.*Veteran.*Synced/);
    await member.waitFor({ timeout: 60_000 });
    // The row may still say what the comparison before this change of roles has found.
    await expect.poll(() => roblox.members.get("101")).toEqual(new Set(["1001", "1020"]));
    await rowOf(page, /102.*Recruit.*Recruit.*Not in the group/).waitFor();
    await rowOf(page, /visitor.*Not a Roblox ID/).waitFor();

    roblox.members.set("101", new Set(["1001", "1010"]));
    await page.getByRole("button", { name: "Check" }).click();
    await page
      .getByRole("table", { name: "What would change" })
      .getByRole("row", { name: /101.*Veteran.*Recruit.*Veteran/ })
      .waitFor();
    expect(roblox.members.get("101")).toEqual(new Set(["1001", "1010"]));
    await expectReadable(page);
    await page.getByRole("button", { name: "Sync all" }).click();
    await page.getByText("1 of them were changed.").waitFor();
    expect(roblox.members.get("101")).toEqual(new Set(["1001", "1020"]));
    await page.getByLabel("Status").selectOption({ label: "Not a Roblox ID" });
    await member.waitFor({ state: "detached" });

    await dashboard.signedIn("val", "viewer", clan.clanId);
    const viewer = await browser.openAs("val", page.url());
    await rowOf(viewer, /^Veteran\s+Veteran$/).waitFor();
    await rowOf(viewer, /101.*Veteran.*Veteran/).waitFor();
    expect(await viewer.getByRole("combobox", { name: /Group role/ }).count()).toBe(0);

    const withoutRecruit = (ranks: readonly Rank[]) => ranks.filter(({ name }) => name !== "Recruit");
    await dashboard.world.clans.change(clan.clanId, { ranks: withoutRecruit }, testActor);
    await page.reload();
    await rowOf(page, /Recruit.*The clan has no such rank any more/).waitFor();
    await page.getByLabel("Group role of Recruit").selectOption({ label: "No role" });
    await page.getByRole("button", { name: "Save" }).click();
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
    await rowOf(page, /p3.*1 (?:delivered|failed|waiting)/)
      .first()
      .waitFor();
    await page.getByRole("status").getByRole("link", { name: "old server" }).click();
    await page
      .getByText(/responded 410/)
      .first()
      .waitFor();
    await rowOf(page, /p3.*status 410/).waitFor();
    expect(await page.getByText("gone for good").count()).toBe(0);
    for (const name of ["Send test", "Resume", "Rotate secret", "Edit", "Delete", "Send again"])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
    const owner = await open("ada", `destinations/${id}`);
    await owner.getByText("gone for good").waitFor();
    gone.answer({ status: 204 });
    await owner.getByRole("button", { name: "Resume" }).click();
    await owner.getByRole("status").getByRole("link", { name: "old server" }).waitFor({ state: "detached" });
    await gone.close();
  });
});
