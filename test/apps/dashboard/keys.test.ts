// The life of an API key as its owner sees it, in a real browser: from the link of an invitation to a key that no
// longer works.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { actsInTime } from "../../support/acts-in-time.ts";
import { callerOf } from "../../support/http.ts";
import { describePages, expectReadable } from "./browser.ts";
import { PASSWORD, useDashboard } from "./dashboard-world.ts";
import { chooseIn, openPage, press, shows, submit } from "./steps.ts";

const runFile = promisify(execFile);

/** The parts of this e-mail address that take more than one line, such as "example.com" in "owner@exam" and "ple.com". */
const brokenPartsOf = (address: string) => `(() => {
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const broken = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!${JSON.stringify(address)}.includes(node.data)) continue;
    range.selectNodeContents(node);
    if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(node.data);
  }
  return broken;
})()`;

const dashboard = await useDashboard();
const { world, cli } = dashboard;
const { port: apiPort } = await world.startApi();
const url = await dashboard.startAnother({ changes: { apiUrl: `http://127.0.0.1:${apiPort}` } });

describePages("API keys", (browser) => {
  const secretOn = (page: Page) => page.getByLabel("API key", { exact: true }).inputValue();

  async function statusOf(secret: string, clanId: string): Promise<number> {
    return (await callerOf(apiPort, secret).post(`/v0/clans/${clanId}/members/player-1/xp`, { amount: 5 })).status;
  }

  async function ownerOf(clanId: string, name: string): Promise<Page> {
    await dashboard.signedIn(name, "owner", clanId);
    return browser.openAs(name, `${url}/clans/${clanId}/keys`);
  }

  test("work from the invitation of an owner to the first award, and stop within a second after revocation", async () => {
    const { clan } = await world.makeClan();
    const { answer } = await cli.json("account", "invite", "ada", "--clan", clan.clanId, "--role", "owner");
    const page = await browser.open();
    await page.goto(answer.link.replace(dashboard.url, url));
    await submit(page, { "New password": PASSWORD }, "Set password and sign in");
    await openPage(page, "API keys");
    expect(page.url()).not.toContain("#");
    await press(page, "Create key");
    // With two spaces, of which the pages show one.
    await submit(page, { Name: "game  server" }, "Create");
    const secret = await secretOn(page);
    expect(await page.getByRole("button", { name: "Copy" }).allTextContents()).toEqual(["Copy", "Copy"]);
    await page.getByRole("dialog").getByRole("status").filter({ hasText: "first request" }).waitFor();
    await expectReadable(page);
    expect(await page.getByRole("tab").allTextContents()).toEqual(["curl", "Luau", "Node"]);
    await page.keyboard.press("Escape");
    expect(await secretOn(page)).toBe(secret);

    for (const [language, cause] of Object.entries({ Luau: "Cause = ", Node: "cause: " })) {
      await page.getByRole("tab", { name: language }).click();
      const example = page.getByRole("region", { name: `${language} example` });
      expect(await example.innerText()).toContain(`${cause}"first-award"`);
    }
    await page.getByRole("tab", { name: "Luau" }).click();
    await page.getByText("A published game needs a public one.").waitFor();
    await page.getByRole("tab", { name: "curl" }).click();
    const curl = await page.getByRole("region", { name: "curl example" }).innerText();
    // The secret is in the line that sets the variable, and not in the request.
    expect(curl.split(secret)).toHaveLength(2);
    // The browser scrolls the long line, and no address is broken in two.
    const pre = page.locator("pre").first();
    expect(await pre.evaluate(({ scrollWidth, clientWidth }: any) => scrollWidth > clientWidth)).toBe(true);
    for (const _ of ["first", "repeated"]) await runFile("sh", ["-c", curl]);
    const { entries } = (await callerOf(apiPort, secret).get(`/v0/clans/${clan.clanId}/members/player-1/ledger`)).body;
    expect(entries.map(({ xp }: { xp: string }) => xp)).toEqual(["10"]);
    await page.getByText("First request received").waitFor();
    await press(page, "Done");

    const row = page.getByRole("row", { name: /game server/ });
    await chooseIn(row, "Revoke");
    expect(await page.getByRole("button", { name: "Revoke key" }).isDisabled()).toBe(true);
    await submit(page, { "Type game server to confirm": "game server" }, "Revoke key");
    await row.getByText("Revoked").waitFor();
    await actsInTime(async () => (await statusOf(secret, clan.clanId)) === 401);
  });

  test("show the secret of a rotation once, and the old key works until its grace period ends", async () => {
    const { clan, key: oldSecret } = await world.makeClan();
    const page = await ownerOf(clan.clanId, "grace");
    await chooseIn(page.getByRole("table"), "Rotate");
    expect(await page.getByLabel("Grace period").inputValue()).toBe("24");
    await press(page, "Rotate key");
    const secret = await secretOn(page);
    expect([await statusOf(secret, clan.clanId), await statusOf(oldSecret, clan.clanId)]).toEqual([200, 200]);
    await press(page, "Done");
    await page.getByText("Rotated").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Actions of test");
    await page.reload();
    await page.getByText("Rotated").waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")).toBe("[{},{}]");
  });

  test("have limits that their owner sets, and show what they awarded today", async () => {
    const { clan } = await world.makeClan();
    const page = await ownerOf(clan.clanId, "lim");
    await press(page, "Create key");
    await submit(page, { Name: "bounded", "Largest amount": "0" });
    await page.getByText("Largest amount must be a whole number from 1 to 1,000,000,000,000").waitFor();
    await submit(page, { "Largest amount": "4" }, "Create");
    const secret = await secretOn(page);
    // An award of 5 is more than 4.
    expect(await statusOf(secret, clan.clanId)).toBe(403);
    await press(page, "Done");

    const row = page.getByRole("row", { name: /bounded/ });
    await chooseIn(row, "Limits");
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Requests per second").inputValue()).toBe("500");
    expect(await dialog.getByLabel("Largest amount").inputValue()).toBe("4");
    await submit(dialog, { "Requests per second": "many" });
    await dialog.getByText("Requests per second must be a whole number from 1 to 1,000,000").waitFor();
    expect(await page.evaluate("document.activeElement.value")).toBe("many");
    await submit(dialog, { "Requests per second": "50", "Largest amount": "", "XP per day": "1,000" });
    await dialog.waitFor({ state: "detached" });
    await actsInTime(async () => (await statusOf(secret, clan.clanId)) === 200);
    await row.getByText("50/s, 1,000/day").waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    expect((await row.boundingBox())?.height, "one line").toBeLessThan(60);
    const cutOff = "(({ parentElement: box }) => box.scrollWidth - box.clientWidth)(document.querySelector('table'))";
    expect(await page.evaluate(cutOff)).toBe(0);
    await chooseIn(row, "Limits");
    await dialog.getByText("5 of 1,000 XP").waitFor();
    const { keys } = (await cli.json("key", "list", clan.clanId)).answer;
    const key = keys.find(({ name }: { name: string }) => name === "bounded");
    expect(key.limits).toEqual({ requestsPerSecond: 50, awardsPerSecond: 5_000, amountMax: null, xpPerDay: 1_000 });
    const [record] = (await cli.json("audit", "list", "--clan", clan.clanId, "--limit", "1")).answer.records;
    expect(record).toMatchObject({ action: "key.limit", actor: "lim", target: key.keyId, after: { xpPerDay: 1_000 } });
  });

  test("are named in the ledger, which leads to them, and no e-mail address is broken in the middle of a word", async () => {
    const { clan, key: secret } = await world.makeClan();
    const owner = "margaret.hamilton@games.example";
    const page = await ownerOf(clan.clanId, owner);
    await statusOf(secret, clan.clanId);
    await page.goto(`${url}/clans/${clan.clanId}/members/player-1`);
    await press(page, "Give XP");
    await submit(page, { Amount: "3", Reason: "event" });
    const entry = page.getByRole("row", { name: /event/ });
    await entry.waitFor();
    expect(await entry.innerText()).toContain(owner);
    const emailIsWhole = async (): Promise<void> => {
      for (const width of [1280, 1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate(brokenPartsOf(owner))).toEqual([]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    };
    await emailIsWhole();
    const link = page.getByRole("row").getByRole("link", { name: "test", exact: true });
    const keyId = (await world.keys.listOfClan(clan.clanId))[0]?.keyId ?? "";
    expect(await link.getAttribute("title")).toBe(keyId);
    await link.press("Enter");
    await shows(page, "API keys");
    await expect.poll(() => page.getByRole("row", { name: /test/ }).getAttribute("aria-current")).toBe("true");
    await page.getByRole("link", { name: "Audit log" }).click();
    await page.getByRole("row", { name: /gave 3 XP to player-1: event/ }).waitFor();
    await emailIsWhole();
    await world.database.stored.keys.deleteOne({ _id: keyId });
    await page.goto(`${url}/clans/${clan.clanId}/members/player-1`);
    await page.getByText("Deleted key").waitFor();
  });

  test("can be at most five live ones, and changes by the command line are shown automatically", async () => {
    const { clan } = await world.makeClan();
    const page = await ownerOf(clan.clanId, "five");
    const keyIds: string[] = [];
    for (let made = 1; made < 5; made += 1) keyIds.push((await world.makeKey(clan.clanId)).keyId);
    await page.getByText("5 of 5 keys are live").waitFor();
    expect(await page.getByRole("button", { name: "Create key" }).isDisabled()).toBe(true);
    await cli.json("key", "revoke", keyIds[0] ?? "");
    await page.getByText("5 of 5 keys are live").waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: "Create key" }).isEnabled()).toBe(true);
  });
});
