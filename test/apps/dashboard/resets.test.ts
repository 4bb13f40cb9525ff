// Resets in the dashboard: what they get and send, and how an owner uses the page in a real browser.
import { describe, expect, test } from "vitest";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { describePages, expectReadable } from "./browser.ts";
import { chooseIn, openPage, press, shows, submit } from "./steps.ts";
import { useClan } from "./use-clan.ts";

const { dashboard, port, clan, api, owner } = await useClan({ worker: true });

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
    const planned = { at: inDays(30), keepPercent: 0, reason: null };
    const { resetId, status } = (await owner.post(`${api}/resets`, planned)).body;
    expect(status).toBe("scheduled");
    for (let times = 0; times < 2; times += 1)
      expect((await owner.post(`${api}/resets/${resetId}/cancel`)).body).toMatchObject({ status: "cancelled" });
    const { resets } = (await owner.get(`${api}/resets`)).body;
    const done = resets.find((reset: any) => reset.status === "done");
    expect((await owner.post(`${api}/resets/${done.resetId}/cancel`)).body.code).toBe("conflict");
  });

  test("are rejected with the place and the reason", async () => {
    const cases: [changes: object, pointer: string][] = [
      [{ at: inDays(91) }, "/at"],
      [{ at: inDays(-91) }, "/at"],
      [{ keepPercent: 101 }, "/keepPercent"],
      [{ keepPercent: 0.5 }, "/keepPercent"],
      [{ reason: "x".repeat(501) }, "/reason"],
    ];
    for (const [changes, pointer] of cases) {
      const answer = await owner.post(`${api}/resets`, { at: null, keepPercent: 0, reason: null, ...changes });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    }
    expect((await owner.get(`${api}/resets/preview?keepPercent=101`)).status).toBe(400);
  });
});

describePages("the page Resets", (browser) => {
  test("lets an owner plan, cancel, run and undo a reset", async () => {
    const rovers = await makeClanCaller(dashboard.world, port);
    await dashboard.signedIn("olga", "owner", rovers.clanId);
    await rovers.award("a", { amount: 1_250 });
    await rovers.get("/members");
    const page = await browser.openAs("olga", dashboard.url);
    await openPage(page, "Members");
    await chooseIn(page.getByRole("main"), "Resets");
    await shows(page, "Resets");
    await page.getByText("No resets yet.").waitFor();
    await press(page, "Reset XP");
    const dialog = page.getByRole("dialog");
    await submit(dialog, { When: "At a time", "Members keep (%)": "101", Time: "2020-01-01T00:00" }, "Preview");
    for (const fault of [/keep \(%\) must be a whole number/, /^Time must be at most 90 days/])
      await dialog.getByText(fault).waitFor();
    await submit(dialog, { "Members keep (%)": "20", Time: inDays(2).slice(0, 16), Reason: "Season 4" }, "Preview");
    await dialog.getByText("1,000").waitFor();
    await expectReadable(page);
    expect(await dialog.getByRole("button", { name: "Reset", exact: true }).isDisabled()).toBe(true);
    await submit(dialog, { [`Type ${rovers.clanId} to confirm`]: rovers.clanId }, "Reset");
    const coming = page.getByRole("row", { name: /Season 4/ });
    await coming.getByText("Coming").waitFor();
    await chooseIn(coming, "Cancel");
    await press(dialog, "Cancel reset");
    await coming.getByText("Cancelled").waitFor();

    await press(page, "Reset XP");
    await press(dialog, "Preview");
    await dialog.getByText("1,250").first().waitFor();
    await submit(dialog, { [`Type ${rovers.clanId} to confirm`]: rovers.clanId }, "Reset");
    const done = page.getByRole("row", { name: /Done.*1,250/ });
    await done.waitFor();
    await chooseIn(done, "Undo");
    await dialog.getByText("Gives 1,250 XP back to 1 member.").waitFor();
    await expectReadable(page);
    await press(dialog, "Undo reset");
    await page.getByText("Undo accepted").first().waitFor();
    await until(async () => (await rovers.get("/members/a")).body.xp === "1250");
    await chooseIn(done, "Undo");
    await dialog.getByText("already undone").waitFor();

    await page.goto(`${dashboard.url}/clans/${rovers.clanId}/members/a`);
    const ledger = page.getByRole("table", { name: "Ledger" });
    await press(ledger.getByRole("row", { name: / reset / }), "Details");
    await ledger.getByText("Copy reset ID").waitFor();
  });
});
