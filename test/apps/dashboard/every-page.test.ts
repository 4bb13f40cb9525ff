// The walk over every page and its dialogs, in a real browser: each of them as owners or operators see it, wide,
// narrow, light and dark, and each page once more as a viewer. A new page belongs into the table.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { root } from "../../../scripts/paths.js";
import { until } from "../../support/until.ts";
import { expectReadable, expectUsable, LOADING, noBrowser, useBrowser } from "./browser.ts";
import { chooseIn, openPage, press } from "./steps.ts";
import { useClan } from "./use-clan.ts";

const LONG = "a long name that goes on and on, until no column of any table can show all of it";
const VIEWER = "margaret.hamilton@games.example";
/** Two lines of text, or one of text and one of small buttons, and the space around them. */
const TWO_LINES_PX = 78;
/** The rows that are higher than two lines, or wider than the screen; and how many rows there are. */
const ROWS = `(() => {
  const rows = [...document.querySelectorAll("tbody tr")];
  const odd = rows.filter((row) => {
    const { height, right } = row.getBoundingClientRect();
    return height > ${TWO_LINES_PX} || right > innerWidth;
  });
  return { all: rows.length, odd: odd.map((row) => row.innerText) };
})()`;

const OF_OWNERS = ["people", "public-page"];

type Row = {
  /** As `pages.tsx` names it; `{…}` are ids. */
  path: string;
  /** Of its heading. */
  name: string | RegExp;
  /** Its rows take at most two lines of a phone. For owners only, if its fields make them higher. */
  isList?: "always" | "viewer";
  /** The buttons that open its dialogs, of which a viewer has none. */
  dialogs?: readonly (string | RegExp)[];
  /** The actions of its first menu that open dialogs. */
  menu?: readonly string[];
  /** What else viewers do not have. */
  actions?: readonly string[];
};

const walk: readonly Row[] = [
  { path: "overview", name: "Overview", dialogs: ["Clan settings"], actions: ["Dismiss"] },
  { path: "members", name: "Members", isList: "always", dialogs: ["Add member"], menu: ["Import CSV"] },
  {
    path: "members/:platformId",
    name: "riser",
    isList: "always",
    dialogs: ["Give XP"],
    menu: ["Take XP", "Appoint", "Remove member", "Erase"],
  },
  { path: "awards", name: "Awards", isList: "always", menu: ["Reverse"], actions: ["Reverse these…"] },
  { path: "resets", name: "Resets", dialogs: ["Reset XP"], menu: ["Cancel"] },
  { path: "boards", name: "Boards", dialogs: ["Add board"], menu: ["Edit", "Remove"] },
  { path: "boards/:boardId", name: "Daily" },
  { path: "boosts", name: "Boosts", isList: "always", dialogs: ["Add boost"], menu: ["End"] },
  { path: "ranks", name: "Ranks", isList: "viewer", actions: ["Preview", "Save", "Add rank"] },
  { path: "keys", name: "API keys", isList: "always", dialogs: ["Create key"], menu: ["Limits", "Rotate", "Revoke"] },
  { path: "people", name: "People", isList: "always", dialogs: ["Invite person"], menu: ["Change role", "Remove"] },
  { path: "public-page", name: "Public page", dialogs: ["Unpublish"] },
  { path: "batches", name: "Batches", isList: "always" },
  { path: "batches/:batchId", name: "Batch" },
  { path: "events", name: "Events", isList: "always" },
  { path: "destinations", name: "Destinations", isList: "always", dialogs: ["Add destination"] },
  {
    path: "destinations/:destinationId",
    name: LONG.slice(0, 60).trim(),
    menu: ["Edit", "Rotate secret", "Delete"],
    actions: ["Send test", "Pause", "Resume", "Send again"],
  },
  { path: "audit", name: "Audit log", isList: "always" },
  { path: "reversals/:reversalId", name: "Reversal" },
];
const operators: readonly Row[] = [
  {
    path: "clans",
    name: "Clans",
    isList: "always",
    dialogs: ["Create clan", "Settings of Night Owls", "Invite person"],
    menu: ["New link", "Remove"],
  },
  { path: "queue", name: "Queue", actions: ["Pause", "Retry"] },
];

/** Of the first table of these pages. */
const COLUMNS: Readonly<Record<string, string>> = {
  awards: "Time, Player, XP, By, Reason, Match",
  resets: "Time, Members keep, Status, Members, XP taken, Reason, By, Reset",
  boosts: "Name, Factor, Applies to, Starts, Ends, Status",
  ranks: "Name, Kind, Threshold, Members",
  keys: "Name, Key, Scopes, Limits, Created, Last used, Expires, Status",
  people: "Name, Role, Last sign-in, Status",
  batches: "Batch, Status, Awards, Applied, Created, Finished",
  events: "Time, Event, Member, Change, Deliveries",
  clans: "Name, Clan ID, Kind, Ranks",
};

const { dashboard, clan, api, pages, owner: ada } = await useClan({ worker: true, name: "Night Owls" });
await dashboard.signedIn(VIEWER, "viewer", clan.clanId);
await dashboard.signedIn("ops", "operator");

describe.skipIf(noBrowser !== null)("every page", { timeout: 600_000 }, () => {
  const browser = useBrowser();
  let ids: Record<string, string>;
  beforeAll(async () => {
    await clan.award("riser", { amount: 1_500, reason: LONG });
    await clan.award("w".repeat(64), { amount: 1_000_000, reason: "x".repeat(150) });
    const awards = [
      { platformId: "riser", amount: 1 },
      { platformId: "nobody", amount: 2_000_000 },
    ];
    const { batchId } = (await clan.submit(awards, { prefer: "respond-async" })).body;
    const { awardId } = (await clan.awardChange("riser", { amount: 5, reason: "cheated" })).body.change;
    const made = async (path: string, body: object): Promise<any> => {
      const answer = await ada.post(`${api}/${path}`, body);
      expect(answer).toMatchObject({ status: 200 });
      return answer.body;
    };
    const to = new Date(Date.now() + 86_400_000).toISOString();
    const rhythm = { every: "day", on: null, at: "00:00", timeZone: "UTC" };
    const window = { kind: "times", from: null, to };
    const url = `https://hooks.example/${"p".repeat(100)}`;
    await made("keys", { name: LONG, scopes: ["read", "award"], expiresAt: to });
    await made("boosts", { name: LONG, factor: "2", window, ranks: ["Elite", "Veteran"], placeIds: ["1", "2"] });
    const periods = { kind: "rhythm", rhythm, from: null };
    await made("boards", { boardId: "d", name: "Daily", settleHours: 1, periods });
    await made("resets", { at: to, keepPercent: 20, reason: LONG });
    await ada.send("PUT", `${api}/public-page`, { publish: true, frames: "any" });
    await ada.send("PUT", `${api}/public-page/hidden/riser`, { hidden: true });
    const hook = { kind: "webhook", name: LONG.slice(0, 60), url, types: ["member.rank_changed"] };
    const { destinationId } = (await made("destinations", hook)).destination;
    const { reversalId } = await made(`members/riser/awards/${awardId}/reversal`, { reason: LONG });
    await until(async () => (await ada.get(`${api}/reversals/${reversalId}`)).body.status === "done");
    await until(async () => (await ada.get(`${api}/batches/${batchId}`)).body.status === "done");
    await until(async () => (await ada.get(`${api}/events`)).body.events.length > 2);
    ids = { platformId: "riser", boardId: "d", batchId, destinationId, reversalId };
  }, 120_000);

  test("is in this walk", () => {
    const text = readFileSync(join(root, "apps", "dashboard", "web", "pages.tsx"), "utf8");
    const all = [...text.matchAll(/ path: "([^"]+)"/g)].map(([, path = ""]) => path);
    expect([...walk, ...operators].map(({ path }) => path).toSorted()).toEqual(all.toSorted());
  });

  const addressOf = (path: string): string =>
    `${pages}/${path.replaceAll(/:(\w+)/g, (_, id: string) => ids[id] ?? "")}`;

  /** By the navigation, if it has the page, or else by its address. */
  async function open(page: Page, { path, name }: Row, address = addressOf(path)): Promise<void> {
    const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true });
    if ((await link.count()) === 1) await link.click();
    else await page.goto(address);
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    await expect.poll(() => page.locator(LOADING).count()).toBe(0);
    const columns = COLUMNS[path];
    if (columns === undefined) return;
    const headers = page.getByRole("table").first().getByRole("columnheader");
    expect(await headers.allTextContents()).toEqual(columns.split(", "));
  }

  async function expectShortRows(page: Page): Promise<void> {
    const before = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    const { all, odd } = await page.evaluate<{ all: number; odd: string[] }>(ROWS);
    expect(all).toBeGreaterThan(0);
    expect(odd).toEqual([]);
    if (before) await page.setViewportSize(before);
  }

  async function expectDialogs(page: Page, { dialogs = [], menu = [] }: Row): Promise<void> {
    for (const name of dialogs) {
      await page
        .getByRole("main")
        .or(page.getByRole("banner"))
        .getByRole("button", { name, exact: true, disabled: false })
        .first()
        .click();
      await expectDialog(page);
    }
    for (const action of menu) {
      await chooseIn(page.getByRole("main"), action);
      await expectDialog(page);
    }
  }

  async function expectDialog(page: Page): Promise<void> {
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await expectUsable(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }

  test.each([
    ["ada", walk],
    ["ops", operators],
  ])("and each dialog of it can be used by %s in both colors, wide and on a phone", async (name, rows) => {
    const page = await browser.openAs(name, addressOf("overview"));
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    for (const row of rows) {
      await open(page, row);
      await expectUsable(page);
      if (row.isList === "always") await expectShortRows(page);
      await expectDialogs(page, row);
    }
  });

  test("can be used by a viewer on a phone, without anything to change", async () => {
    const page = await browser.openAs(VIEWER, addressOf("overview"));
    const navigation = page.getByRole("navigation", { name: "Pages" });
    await navigation.waitFor();
    const links = await navigation.getByRole("link", { includeHidden: true }).allTextContents();
    expect(links).toContain("Overview");
    for (const { path, name } of walk) if (OF_OWNERS.includes(path)) expect(links).not.toContain(name);
    for (const row of walk.filter(({ path }) => !OF_OWNERS.includes(path))) {
      await open(page, row);
      await expectReadable(page);
      if (row.isList) await expectShortRows(page);
      for (const name of [...(row.dialogs ?? []), ...(row.menu ? [/^Actions/] : []), ...(row.actions ?? [])]) {
        const count = await page.getByRole("button", { name, exact: true }).count();
        expect([row.path, name, count]).toEqual([row.path, name, 0]);
      }
    }
    for (const path of [...OF_OWNERS, "../../clans", "../../queue"]) {
      await page.goto(addressOf(path));
      await page.getByText(/may not read this/).waitFor();
      await expectReadable(page);
    }
    await page.goto(addressOf("nowhere"));
    await expectReadable(page);
  });

  test("has a navigation of 56 pixels on a phone, which closes with the page that it opens", async () => {
    const page = await browser.openAs("ada", addressOf("audit"), { viewport: { width: 390, height: 844 } });
    await page.getByRole("row").last().waitFor();
    for (const part of [page.getByRole("banner"), page.getByRole("navigation", { name: "Pages" })])
      expect((await part.boundingBox())?.height).toBeLessThanOrEqual(56);
    await press(page, "Menu");
    await page.getByRole("link", { name: "Overview" }).waitFor();
    await expectUsable(page);
    await openPage(page, "Overview");
    await page.getByRole("link", { name: "Overview" }).waitFor({ state: "hidden" });
  });
});
