// Clans and the queue as an operator uses them in a real browser.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { expectUsable, noBrowser, openBrowser, type TestBrowser } from "./browser.ts";
import { makeDashboardWorld, PASSWORD, type DashboardWorld } from "./dashboard-world.ts";

describe.skipIf(noBrowser !== null)("an operator", { timeout: 120_000 }, () => {
  let dashboard: DashboardWorld;
  let browser: TestBrowser;
  let clan: ClanCaller;
  beforeAll(async () => {
    [dashboard, browser] = await Promise.all([makeDashboardWorld(), openBrowser()]);
    const { port } = await dashboard.world.startApi();
    clan = await makeClanCaller(dashboard.world, port, { clanId: "a-first", name: "First" });
    await dashboard.signedIn("ops", "--operator");
  });
  afterAll(async () => {
    await browser?.close();
    await dashboard?.close();
  });

  async function signIn(path: string): Promise<Page> {
    const page = await browser.open();
    await page.goto(`${dashboard.url}${path}`);
    await page.getByLabel("Name").fill("ops");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    return page;
  }
  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

  test("pauses the queue, sees and cancels a waiting batch, takes the pause back, and sees that the queue is empty", async () => {
    const page = await signIn("/queue");
    await heading(page, "Queue");
    await page.getByText("Nothing is waiting.").waitFor();
    await expectUsable(page);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("The queue is paused: workers finish").waitFor();
    const { body } = await clan.submit([{ platformId: "x", amount: 1 }], { prefer: "respond-async" });
    const row = page.getByRole("row", { name: body.batchId });
    await row.getByText("Waiting").waitFor();
    await page.getByText("No worker is connected").waitFor();
    await expectUsable(page);
    await row.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").getByText(body.batchId).waitFor();
    await expectUsable(page);
    await page.getByRole("button", { name: "Cancel batch" }).click();
    await page.getByText("Nothing is waiting.").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("The queue is paused: workers finish").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("Nothing to retry").first().waitFor();
    expect(browser.complaints()).toEqual([]);
  });

  test("who opens a clan that does not exist reads so", async () => {
    const page = await signIn("/clans/no-such-clan/members");
    await heading(page, "Members");
    await page.getByText("There is no clan no-such-clan.").waitFor();
    await expectUsable(page);
    expect(browser.complaints()).toEqual([]);
  });
});
