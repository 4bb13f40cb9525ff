// A real Chromium for the tests of the pages: the machine's own, or fetched into the cache as the servers are. Where
// none can be had, the tests that need one are skipped and say why.
import axe from "axe-core";
import type { Browser, BrowserContextOptions, ConsoleMessage, Page, Request } from "playwright-core";
import { afterEach, describe, expect, onTestFinished } from "vitest";
import { messageOf } from "../../../scripts/system/message-of.js";
import { findChromium, launchChromium } from "../../support/chromium.ts";
import { makeVisitor, PASSWORD } from "./dashboard-world.ts";
import { submit } from "./steps.ts";

const found = await findChromium().catch((error: Error) => error);
/** Why there is no browser, else null. */
export const noBrowser: string | null = found instanceof Error ? found.message : null;
if (noBrowser !== null) process.stderr.write(`The tests of the pages of the dashboard are skipped. ${noBrowser}\n`);

/** Tests of pages, in one Chromium. Where there is none, they are skipped. */
export function describePages(name: string, tests: (browser: ReturnType<typeof useBrowser>) => void): void {
  // oxlint-disable-next-line vitest/valid-title -- The caller's is a text.
  describe.skipIf(noBrowser !== null)(name, { timeout: 120_000 }, () => {
    tests(useBrowser());
  });
}

const ROOM = { width: 1440, height: 900 };
// From the start: a transition that has begun goes on, and colors are judged in the middle of it.
const CALM = { colorScheme: "light", reducedMotion: "reduce" } as const;

/**
 * Chromium, and a page that no test uses, for all tests and files of this process: a new page, with a process that
 * compiles the scripts, takes twice as long as a page of the dashboard in one that exists.
 */
const kept: { browser?: Promise<Browser> | undefined; page?: Page | undefined } = {};

/** After a crash or a failed launch, which fails the test that met it, the next one gets another Chromium. */
async function launch(): Promise<Browser> {
  if (found instanceof Error) throw found;
  const forget = (): void => void Object.assign(kept, { browser: undefined, page: undefined });
  try {
    const browser = await launchChromium(found);
    return browser.once("disconnected", forget);
  } catch (error) {
    forget();
    throw error;
  }
}

async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const browser = await (kept.browser ??= launch());
  const context = await browser.newContext({ viewport: ROOM, ...CALM, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(50_000);
  return page;
}

/** Chromium for the tests of a `describe` or a file: call it where that begins. No test may end with a complaint. */
export function useBrowser() {
  let complaints: string[] = [];

  /** Returns, and forgets, what browsers report of the policies of the pages, failed scripts and other hosts. */
  function takeComplaints(): string[] {
    const taken = complaints;
    complaints = [];
    return taken;
  }
  afterEach(() => expect(takeComplaints()).toEqual([]));

  /** Until the test ends, and then shows what the page shows if it failed. */
  function watch(page: Page): void {
    const errors: string[] = [];
    const onError = (error: Error): void => void complaints.push(`script failed: ${error.message}`);
    const onMessage = (message: ConsoleMessage): void => {
      if (message.type() === "error") errors.push(message.text());
      if (/Content Security Policy|Trusted|TrustedScript/.test(message.text())) complaints.push(message.text());
    };
    const onRequest = (request: Request): void => {
      if (!["127.0.0.1", "localhost"].includes(new URL(request.url()).hostname))
        complaints.push(`foreign host: ${request.url()}`);
    };
    page.on("pageerror", onError).on("console", onMessage).on("request", onRequest);
    onTestFinished(async ({ task }) => {
      if (task.result?.state === "fail") {
        const text = await page.locator("body").innerText().catch(messageOf);
        process.stderr.write(`${page.url()} showed:\n${text}\nand logged:\n${errors.join("\n")}\n`);
      }
      page.off("pageerror", onError).off("console", onMessage).off("request", onRequest);
    });
  }

  /**
   * A page without a session, which the test has until it ends. With options, even `{}`, it is separate and closed
   * then; the others are used again, so that only what `isEmptied` undoes may be changed in them.
   */
  async function open(options?: BrowserContextOptions): Promise<Page> {
    const free = options ? undefined : kept.page;
    if (free) kept.page = undefined;
    const page = free ?? (await newPage(options));
    // What stays open refreshes itself.
    onTestFinished(async ({ task }) => {
      const isFree = !options && !kept.page && task.result?.state === "pass" && (await isEmptied(page));
      if (isFree) kept.page = page;
      else await page.context().close();
    });
    watch(page);
    return page;
  }

  /** Opens this page of a dashboard as an account that has chosen `PASSWORD`, with a session that it got elsewhere. */
  async function openAs(name: string, url: string, options?: BrowserContextOptions): Promise<Page> {
    const { origin } = new URL(url);
    const person = makeVisitor(origin);
    expect(await person.post("/api/sign-in", { name, password: PASSWORD })).toMatchObject({ status: 200 });
    const page = await open(options);
    const [cookie = "", value = ""] = person.cookie()?.split("=") ?? [];
    await page.context().addCookies([{ name: cookie, value, url: origin }]);
    await page.goto(url);
    return page;
  }

  return { open, openAs, takeComplaints };
}

/** Whether it is as a new page would be, but in the process that has compiled the scripts of its origin. */
async function isEmptied(page: Page): Promise<boolean> {
  try {
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.evaluate("localStorage.clear(); sessionStorage.clear()");
    await page.goto(new URL("/icon.svg", page.url()).href);
    await page.context().clearCookies();
    await page.setViewportSize(ROOM);
    await page.emulateMedia(CALM);
    return page.context().pages().length === 1;
  } catch {
    return false;
  }
}

/** Opens a page of the dashboard and signs in there as somebody who has chosen `PASSWORD`. */
export async function signIn(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url);
  await submit(page, { "Name or e-mail": name, Password: PASSWORD }, "Sign in");
}

/** In place of what a page, or a part of it, has not loaded yet. */
export const LOADING = 'main [aria-busy="true"], main [role="status"]:has-text("Loading ")';

/** Those rules that a change of colors alone can break. */
const RULES_OF_COLOR = ["color-contrast", "link-in-text-block"];

/** Everything serious or critical that axe-core finds in the dialog, or else on the page, by all rules or by these. */
async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // As an expression of the debugger: the policy of the page forbids it to scripts alone.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const options = { resultTypes: ["violations"], ...(rules ? { runOnly: { type: "rule", values: rules } } : {}) };
  const violations: { id: string; impact: string; nodes: { html: string }[] }[] = await page.evaluate(
    `axe.run(document.querySelector("[role=dialog]") ?? document, ${JSON.stringify(options)})
      .then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** What would move, or change its colors bit by bit, for a person who prefers reduced motion. */
const MOVING = `[...document.querySelectorAll("*")]
  .filter((element) => ["", "::before", "::after"].some((part) => {
    const { animationName, transitionDuration } = getComputedStyle(element, part);
    return animationName !== "none" || !/^0s(, 0s)*$/.test(transitionDuration);
  }))
  .map((element) => element.outerHTML.slice(0, 200))`;

/** Without transitions, so that every element has the scheme's colors as soon as the page receives the scheme. */
async function showColors(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  // A script that follows the scheme has received it before the second frame.
  await page.evaluate("new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))");
  expect(await page.evaluate(MOVING)).toEqual([]);
}

/** The names of tables that are wider than what surrounds them, which cuts them off. */
const CUT_TABLES = `[...document.querySelectorAll("table")]
  .filter((table) => table.scrollWidth > table.parentElement.clientWidth)
  .map((table) => table.getAttribute("aria-label"))`;

/** Wide and light, wide and dark, narrow: axe finds nothing serious, and nothing has to be scrolled sideways. */
export async function expectUsable(page: Page): Promise<void> {
  await showColors(page, "light");
  expect(await accessibilityFaults(page)).toEqual([]);
  await showColors(page, "dark");
  expect(await accessibilityFaults(page, RULES_OF_COLOR)).toEqual([]);
  expect(await page.evaluate(CUT_TABLES)).toEqual([]);
  const before = page.viewportSize();
  await page.setViewportSize({ width: 1024, height: 768 });
  expect(await page.evaluate(CUT_TABLES)).toEqual([]);
  if (before) await page.setViewportSize(before);
  await expectReadable(page);
}

/**
 * The same on a phone alone: for what every-page.test.ts does not show, such as an error in a dialog. Much cheaper than
 * `expectUsable`.
 */
export async function expectReadable(page: Page): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  expect(await accessibilityFaults(page)).toEqual([]);
  if (before) await page.setViewportSize(before);
}
