// After a leak: what the key awarded is counted, reversed once, and nothing of other keys with it. In a browser too, by
// the keyboard.
import { expect, test } from "vitest";
import { callerOf } from "../../support/http.ts";
import { until } from "../../support/until.ts";
import { describePages, expectReadable } from "./browser.ts";
import { chooseIn, press } from "./steps.ts";
import { useClan } from "./use-clan.ts";

const { dashboard, port, clan, api, pages, owner } = await useClan();

/** A key that gave 200 XP to each of these members, and then sent one of them 7 XP in a batch. */
async function leakedKey(members: readonly string[], batched = members[0]) {
  const { keyId, secret } = await dashboard.world.makeKey(clan.clanId);
  const caller = callerOf(port, secret, `/v0/clans/${clan.clanId}`);
  for (const platformId of members)
    expect((await caller.post(`/members/${platformId}/xp`, { amount: 200 })).status).toBe(200);
  const awards = [{ platformId: batched, amount: 7 }];
  const { batchId } = (await caller.post("/xp", { awards }, { prefer: "respond-async" })).body;
  const batch = async () => (await owner.get(`${api}/batches/${batchId}`)).body;
  return { keyId, batch, path: `${api}/keys/${keyId}/reversal` };
}

const xpOf = async (platformId: string) => (await owner.get(`${api}/members/${platformId}`)).body.member.xp;
const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

test("a leaked key's awards are reversed and its batches cancelled after it is revoked, but no other awards", async () => {
  const { keyId, batch, path } = await leakedKey(["mule", "dupe"]);
  await clan.award("mule", { amount: 50 });
  const [from, inAnHour] = [anHourAgo(), new Date(Date.now() + 3_600_000).toISOString()];
  const preview = async (query: string) => (await owner.get(`${path}?${query}`)).body;
  expect(await preview(`from=${from}`)).toEqual({ awards: 2, members: 2, amount: "400", unfinishedBatches: 1 });
  expect(await preview(`from=${inAnHour}`)).toEqual({ awards: 0, members: 0, amount: "0", unfinishedBatches: 1 });
  const backward = { pointer: "/to", detail: "must be later than from" };
  expect((await preview(`from=${from}&to=${from}`)).errors).toEqual([backward]);
  expect((await preview("from=yesterday")).code).toBe("invalid_request");

  const reverse = () => owner.post(path, { from, reason: " leaked " });
  const detail = expect.stringContaining("Revoke it first");
  expect((await reverse()).body).toMatchObject({ code: "conflict", detail });
  expect((await batch()).status).toBe("queued");

  expect((await owner.post(`${api}/keys/${keyId}/revoke`)).body.status).toBe("revoked");
  const accepted = await reverse();
  expect(accepted.body).toMatchObject({ status: "queued", cancelled: 1, unfinished: 0 });
  await dashboard.world.startWorker();
  const read = async () => (await owner.get(`${api}/reversals/${accepted.body.reversalId}`)).body;
  await until(async () => (await read()).status === "done");
  expect(await read()).toMatchObject({ reason: "leaked", selected: 2, reversed: 2, skipped: 0 });
  expect([await xpOf("mule"), await xpOf("dupe")]).toEqual(["50", "0"]);
  expect(await batch()).toMatchObject({ status: "done", cancelled: true, applied: 0 });
  expect(await preview(`from=${from}`)).toMatchObject({ awards: 0, unfinishedBatches: 0 });
  const { records } = (await owner.get(`${api}/audit?actor=ada`)).body;
  const actions = records.map(({ action }: { action: string }) => action);
  expect(actions.slice(0, 3)).toEqual(["reversal.submit", "batch.cancel", "key.revoke"]);
});

describePages("in the browser, a leaked API key", (browser) => {
  test("can be revoked, and its awards reversed, from the same dialog with the keyboard alone", async () => {
    const leaked = await leakedKey(["thief", "friend"]);
    await until(async () => (await leaked.batch()).status === "done");
    const page = await browser.openAs("ada", `${pages}/keys`);
    // Keys are listed newest first.
    const actions = page.getByRole("button", { name: /^Actions/ });
    await actions.first().press("Enter");
    await page.getByRole("menuitem", { name: "Limits" }).and(page.locator(":focus")).waitFor();
    for (const key of ["End", "Enter"]) await page.keyboard.press(key);
    const dialog = page.getByRole("dialog");
    // The dialog sets the focus in a later frame.
    await dialog.getByLabel("Type test to confirm").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("test");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await expectReadable(page);
    for (const key of ["Tab", "Tab", "Enter"]) await page.keyboard.press(key);

    // The key of the first test, and this one: what is changing its colors is not judged.
    await expect.poll(() => page.getByText("Revoked", { exact: true }).count()).toBe(2);
    await dialog.getByLabel("From").and(page.locator(":focus")).waitFor();
    await expectReadable(page);
    await dialog.getByLabel("Reason").press("Enter");
    const confirm = dialog.getByRole("button", { name: "Reverse 3 awards" });
    await confirm.waitFor();
    await expectReadable(page);
    await confirm.press("Enter");
    await dialog.getByText("3 awards are reversed.").waitFor();
    await expectReadable(page);
    await dialog.getByRole("button", { name: "Done" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect([await xpOf("thief"), await xpOf("friend")]).toEqual(["0", "0"]);

    // A paused queue: a batch that is still queued is all that the next key has sent.
    const operator = await dashboard.signedIn("ops", "operator");
    const setPaused = (paused: boolean) => operator.send("PUT", "/api/queue/paused", { paused });
    expect((await setPaused(true)).status).toBe(200);
    const queued = await leakedKey([], "late");
    expect((await owner.post(`${api}/keys/${queued.keyId}/revoke`)).status).toBe(200);
    await page.reload();
    await chooseIn(page.getByRole("row", { name: /Revoked/ }), "Reverse awards");
    await press(dialog, "Preview");
    await dialog.getByText("1 unfinished batch of the key is cancelled").waitFor();
    await press(dialog, "Cancel 1 batch");
    await dialog.getByText("1 award of an unfinished batch is cancelled.").waitFor();
    expect(await queued.batch()).toMatchObject({ status: "done", cancelled: true, applied: 0 });
    expect((await setPaused(false)).status).toBe(200);
    await dialog.getByText("0 awards are reversed.").waitFor();
  });
});
