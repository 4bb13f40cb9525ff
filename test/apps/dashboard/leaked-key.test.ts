// After a leak: what the key awarded is counted, reversed once, and nothing of other keys with it. In a browser too, by
// the keyboard.
import { beforeAll, describe, expect, test } from "vitest";
import { callerOf } from "../../support/http.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { chooseIn, expectReadable, noBrowser, useBrowser } from "./browser.ts";
import { type Visitor, useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();
let clan: ClanCaller;
let apiPort: number;
let owner: Visitor;
let api: string;
beforeAll(async () => {
  apiPort = (await dashboard.world.startApi()).port;
  clan = await makeClanCaller(dashboard.world, apiPort);
  api = `/api/clans/${clan.clanId}`;
  owner = await dashboard.signedIn("ada", "owner", clan.clanId);
});

/** A key that gave 200 XP to two members each, and sent the first of them 7 XP in a batch. */
async function leakedKey(members: [string, string]) {
  const { keyId, secret } = await dashboard.world.makeKey(clan.clanId);
  const caller = callerOf(apiPort, secret, `/v0/clans/${clan.clanId}`);
  for (const platformId of members) {
    expect((await caller.post(`/members/${platformId}/xp`, { amount: 200 })).status).toBe(200);
  }
  const awards = [{ platformId: members[0], amount: 7 }];
  const { body } = await caller.post("/xp", { awards }, { prefer: "respond-async" });
  return { keyId, batchId: body.batchId as string, path: `${api}/keys/${keyId}/reversal` };
}

/** A key that only sent a batch of one award. */
async function queuedBatch(platformId: string) {
  const { keyId, secret } = await dashboard.world.makeKey(clan.clanId);
  const caller = callerOf(apiPort, secret, `/v0/clans/${clan.clanId}`);
  const awards = [{ platformId, amount: 7 }];
  const { body } = await caller.post("/xp", { awards }, { prefer: "respond-async" });
  return { keyId, batchId: body.batchId as string };
}

const xpOf = async (platformId: string) => (await owner.get(`${api}/members/${platformId}`)).body.member.xp;
const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

test("a leaked key's awards are reversed and its batches cancelled after it is revoked, but no other awards", async () => {
  const { keyId, batchId, path } = await leakedKey(["mule", "dupe"]);
  await clan.award("mule", { amount: 50 });
  const [from, inAnHour] = [anHourAgo(), new Date(Date.now() + 3_600_000).toISOString()];
  const preview = async (query: string) => (await owner.get(`${path}?${query}`)).body;
  expect(await preview(`from=${from}`)).toEqual({ awards: 2, members: 2, amount: "400", unfinishedBatches: 1 });
  expect(await preview(`from=${inAnHour}`)).toEqual({ awards: 0, members: 0, amount: "0", unfinishedBatches: 1 });
  expect((await preview(`from=${from}&to=${from}`)).errors).toEqual([
    { pointer: "/to", detail: "must be later than from" },
  ]);
  expect((await preview("from=yesterday")).code).toBe("invalid_request");

  const reverse = () => owner.post(path, { from, reason: " leaked " });
  const tooEarly = await reverse();
  expect([tooEarly.body.code, tooEarly.body.detail]).toEqual(["conflict", expect.stringContaining("Revoke it first")]);
  expect((await owner.get(`${api}/batches/${batchId}`)).body.status).toBe("queued");

  expect((await owner.post(`${api}/keys/${keyId}/revoke`)).body.status).toBe("revoked");
  const accepted = await reverse();
  expect(accepted.body).toMatchObject({ status: "queued", cancelled: 1, unfinished: 0 });
  await dashboard.world.startWorker();
  const read = async () => (await owner.get(`${api}/reversals/${accepted.body.reversalId}`)).body;
  await until(async () => (await read()).status === "done");
  expect(await read()).toMatchObject({ reason: "leaked", selected: 2, reversed: 2, skipped: 0 });
  expect([await xpOf("mule"), await xpOf("dupe")]).toEqual(["50", "0"]);
  expect((await owner.get(`${api}/batches/${batchId}`)).body).toMatchObject({
    status: "done",
    cancelled: true,
    applied: 0,
  });
  expect(await preview(`from=${from}`)).toMatchObject({ awards: 0, unfinishedBatches: 0 });
  const actions = (await owner.get(`${api}/audit?actor=ada`)).body.records.map(
    ({ action }: { action: string }) => action,
  );
  expect(actions.slice(0, 3)).toEqual(["reversal.submit", "batch.cancel", "key.revoke"]);
});

describe.skipIf(noBrowser !== null)("in the browser, a leaked API key", { timeout: 120_000 }, () => {
  const browser = useBrowser();

  test("can be revoked, and its awards reversed, from the same dialog with the keyboard alone", async () => {
    const { batchId } = await leakedKey(["thief", "friend"]);
    await until(async () => (await owner.get(`${api}/batches/${batchId}`)).body.status === "done");
    const page = await browser.openAs("ada", `${dashboard.url}/clans/${clan.clanId}/keys`);
    // Keys are listed newest first.
    await page
      .getByRole("button", { name: /^Actions/ })
      .first()
      .focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Limits" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    // The dialog sets the focus in a later frame.
    await dialog.getByLabel("Type test to confirm").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("test");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await expectReadable(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");

    await dialog.getByLabel("From").waitFor();
    // The key of the first test, and this one: what is changing its colors is not judged.
    await expect.poll(() => page.getByText("Revoked", { exact: true }).count()).toBe(2);
    await dialog.getByLabel("From").and(page.locator(":focus")).waitFor();
    await expectReadable(page);
    await dialog.getByLabel("Reason").focus();
    await page.keyboard.press("Enter");
    const confirm = dialog.getByRole("button", { name: "Reverse 3 awards" });
    await confirm.waitFor();
    await expectReadable(page);
    await confirm.focus();
    await page.keyboard.press("Enter");
    await dialog.getByText("3 awards are reversed.").waitFor();
    await expectReadable(page);
    await dialog.getByRole("button", { name: "Done" }).focus();
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page
      .getByRole("row", { name: /Revoked/ })
      .first()
      .waitFor();
    expect([await xpOf("thief"), await xpOf("friend")]).toEqual(["0", "0"]);

    // A paused queue: a batch that is still queued is all that the next key has sent.
    const operator = await dashboard.signedIn("ops", "operator");
    const setPaused = (paused: boolean) => operator.send("PUT", "/api/queue/paused", { paused });
    expect((await setPaused(true)).status).toBe(200);
    const queued = await queuedBatch("late");
    expect((await owner.post(`${api}/keys/${queued.keyId}/revoke`)).status).toBe(200);
    await page.reload();
    await chooseIn(page.getByRole("row", { name: /Revoked/ }), "Reverse awards");
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByText("1 unfinished batch of the key is cancelled").waitFor();
    await dialog.getByRole("button", { name: "Cancel 1 batch" }).click();
    await dialog.getByText("1 award of an unfinished batch is cancelled.").waitFor();
    const { body: batch } = await owner.get(`${api}/batches/${queued.batchId}`);
    expect(batch).toMatchObject({ status: "done", cancelled: true, applied: 0 });
    expect((await setPaused(false)).status).toBe(200);
    await dialog.getByText("0 awards are reversed.").waitFor();
  });
});
