// Resets in the dashboard: what they get and send, and how an owner uses the page in a real browser.
import { beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { expectReadable, noBrowser, useBrowser } from "./browser.ts";
import { type Visitor, useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();
let port: number;
let clan: ClanCaller;
let api: string;
let owner: Visitor;
beforeAll(async () => {
  const { world } = dashboard;
  ({ port } = await world.startApi());
  await world.startWorker();
  clan = await makeClanCaller(world, port);
  api = `/api/clans/${clan.clanId}`;
  owner = await dashboard.signedIn("ada", "owner", clan.clanId);
});

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

describe("the resets of a clan", () => {
  test("are previewed, run, listed and undone, with audit records", async () => {
    await clan.award("a", { amount: 105 });
    await clan.award("b", { amount: 1 });
    // The API has projected the awards then: the dashboard finds the members immediately.
    await clan.get("/members");
    const preview = await owner.get(`${api}/resets/preview?keepPercent=50`);
    expect(preview.body).toStrictEqual({ members: 2, amount: "54" });
    const accepted = await owner.post(`${api}/resets`, { at: null, keepPercent: 50, reason: " Season 4 " });
    expect(accepted).toMatchObject({ status: 200, body: { status: "queued", reason: "Season 4", createdBy: "ada" } });
    const { resetId } = accepted.body;
    const listed = async () => (await owner.get(`${api}/resets`)).body.resets[0];
    await until(async () => (await listed()).status === "done");
    expect(await listed()).toMatchObject({ resetId, keepPercent: 50, members: 2, amount: "54" });

    const undo = `${api}/resets/${resetId}/reversal`;
    expect((await owner.get(undo)).body).toStrictEqual({ awards: 2, members: 2, amount: "-54" });
    const { reversalId } = (await owner.post(undo)).body;
    await until(async () => (await owner.get(`${api}/reversals/${reversalId}`)).body.status === "done");
    expect((await owner.get(undo)).body).toStrictEqual({ awards: 0, members: 0, amount: "0" });
    expect((await owner.get(`${api}/members/a`)).body).toMatchObject({ member: { xp: "105" } });
    const { records } = (await owner.get(`${api}/audit?action=reset.submit`)).body;
    expect(records).toMatchObject([{ actor: "ada", via: "dashboard", target: resetId, after: { members: 2 } }]);
  });

  test("of a time that is to come are cancelled, and not once they have begun", async () => {
    const accepted = await owner.post(`${api}/resets`, { at: inDays(30), keepPercent: 0, reason: null });
    const { resetId, status } = accepted.body;
    expect(status).toBe("scheduled");
    for (let times = 0; times < 2; times += 1)
      expect((await owner.post(`${api}/resets/${resetId}/cancel`)).body).toMatchObject({ status: "cancelled" });
    const { resets } = (await owner.get(`${api}/resets`)).body;
    const done = resets.find((reset: any) => reset.status === "done");
    const late = await owner.post(`${api}/resets/${done.resetId}/cancel`);
    expect([late.status, late.body.code]).toStrictEqual([409, "conflict"]);
  });

  test("are rejected with the place and the reason", async () => {
    const cases: [body: object, pointer: string][] = [
      [{ at: inDays(91), keepPercent: 0, reason: null }, "/at"],
      [{ at: inDays(-91), keepPercent: 0, reason: null }, "/at"],
      [{ at: null, keepPercent: 101, reason: null }, "/keepPercent"],
      [{ at: null, keepPercent: 0.5, reason: null }, "/keepPercent"],
      [{ at: null, keepPercent: 0, reason: "x".repeat(501) }, "/reason"],
    ];
    for (const [sent, pointer] of cases) {
      const { status, body } = await owner.post(`${api}/resets`, sent);
      expect([status, body.errors[0].pointer]).toStrictEqual([400, pointer]);
    }
    expect((await owner.get(`${api}/resets/preview?keepPercent=101`)).status).toBe(400);
  });
});

describe.skipIf(noBrowser !== null)("the page Resets", { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let rovers: ClanCaller;
  beforeAll(async () => {
    rovers = await makeClanCaller(dashboard.world, port);
    await dashboard.signedIn("olga", "owner", rovers.clanId);
  }, 120_000);

  async function openResets(name: string): Promise<Page> {
    const page = await browser.openAs(name, dashboard.url);
    await page.getByRole("link", { name: "Members", exact: true }).click();
    await page.getByRole("link", { name: "Resets", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Resets", exact: true }).waitFor();
    return page;
  }

  test("lets an owner plan, cancel, run and undo a reset", async () => {
    await rovers.award("a", { amount: 1_250 });
    await rovers.get("/members");
    const page = await openResets("olga");
    await page.getByText("No resets yet.").waitFor();
    await expectReadable(page);
    await page.getByRole("button", { name: "Reset XP" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("When").selectOption("At a time");
    await dialog.getByLabel("Members keep (%)").fill("101");
    await dialog.getByLabel("Time", { exact: true }).fill("2020-01-01T00:00");
    await dialog.getByRole("button", { name: "Preview" }).click();
    for (const fault of [/keep \(%\) must be a whole number/, /^Time must be at most 90 days/])
      await dialog.getByText(fault).waitFor();
    await expectReadable(page);
    await dialog.getByLabel("Members keep (%)").fill("20");
    await dialog.getByLabel("Time", { exact: true }).fill(inDays(2).slice(0, 16));
    await dialog.getByLabel("Reason").fill("Season 4");
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByText("1,000").waitFor();
    await expectReadable(page);
    const reset = dialog.getByRole("button", { name: "Reset", exact: true });
    expect(await reset.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${rovers.clanId} to confirm`).fill(rovers.clanId);
    await reset.click();
    const coming = page.getByRole("row", { name: /Season 4/ });
    await coming.getByText("Coming").waitFor();
    await coming.getByRole("button", { name: "Cancel" }).click();
    await dialog.getByRole("button", { name: "Cancel reset" }).click();
    await coming.getByText("Cancelled").waitFor();

    await page.getByRole("button", { name: "Reset XP" }).click();
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByText("1,250").first().waitFor();
    await dialog.getByLabel(`Type ${rovers.clanId} to confirm`).fill(rovers.clanId);
    await reset.click();
    const done = page.getByRole("row", { name: /Done.*1,250/ });
    await done.waitFor();
    const headers = await page.getByRole("table", { name: "Resets" }).getByRole("columnheader").allTextContents();
    expect(headers).toEqual(["Time", "Members keep", "Status", "Members", "XP taken", "Reason", "By", "Reset"]);
    await done.getByRole("button", { name: "Undo" }).click();
    await dialog.getByText("Gives 1,250 XP back to 1 member.").waitFor();
    await expectReadable(page);
    await dialog.getByRole("button", { name: "Undo reset" }).click();
    await page.getByText("Undo accepted").first().waitFor();
    await until(async () => (await rovers.get("/members/a")).body.xp === "1250");
    await done.getByRole("button", { name: "Undo" }).click();
    await dialog.getByText("already undone").waitFor();

    await page.goto(`${dashboard.url}/clans/${rovers.clanId}/members/a`);
    await page.getByRole("table", { name: "Ledger" }).getByText("Copy reset ID").waitFor();
    await expectReadable(page);
  });
});
