// `npm run screenshots [-- NAME …]`: takes the pictures in docs/images anew, from real processes with a sample clan, in
// Chromium.
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openDatabase } from "#composition/open-database.ts";
import { root } from "../../scripts/paths.js";
import { startServices } from "../../scripts/services/start-services.ts";
import { findChromium, launchChromium } from "../support/chromium.ts";
import { cliOn } from "../support/cli.ts";
import { startProcess } from "../support/processes.ts";
import { silentLog } from "../support/silent-log.ts";
import { makeSampleClan } from "./sample-clan.ts";
import { takeShots } from "./shots.ts";

const IMAGES = join(root, "docs", "images");
const VIEWPORT = { width: 1280, height: 800 };
/** Another one than UTC, which some pages show beside the person's. */
const TIME_ZONE = "Europe/Berlin";
const ACTION_MS_MAX = 20_000;
const FADING_MS = 1_000;

const requested = new Set(process.argv.slice(2));
const log = (line: string): void => void process.stderr.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), "clanxp-screenshots-"));
const chromium = await findChromium();
const services = await startServices({ dataDir: folder, log });
const { mongoUrl, redisUrl } = services;
const env = { MONGO_URL: mongoUrl, REDIS_URL: redisUrl };
const processes = [startProcess("api", env), startProcess("worker", env)];
try {
  const [api] = await Promise.all(processes.map((one) => one.ready()));
  const apiUrl = `http://127.0.0.1:${api?.port}`;
  const dashboard = startProcess("dashboard", { ...env, API_URL: apiUrl });
  processes.push(dashboard);
  // By this name the browser offers passkeys without TLS.
  const dashboardUrl = `http://localhost:${(await dashboard.ready()).port}`;
  const cli = cliOn({ ...env, DASHBOARD_URL: dashboardUrl, CLANXP_ACTOR: "ops@example.com" });

  log("making the sample clan");
  const database = openDatabase({ url: mongoUrl, name: "clanxp-screenshots", log: silentLog });
  await database.ready;
  const clan = await makeSampleClan({ database, cli });
  await database.close();

  mkdirSync(IMAGES, { recursive: true });
  const browser = await launchChromium(chromium);
  try {
    const looks = { viewport: VIEWPORT, timezoneId: TIME_ZONE, colorScheme: "light", reducedMotion: "reduce" } as const;
    const context = await browser.newContext(looks);
    const page = await context.newPage();
    page.setDefaultTimeout(ACTION_MS_MAX);
    await takeShots({
      page,
      clan,
      apiUrl,
      invite: async (...args) => (await cli.json("account", "invite", ...args)).answer.link,
      keep: (name, height) => keep(page, name, height),
    });
  } finally {
    await browser.close();
  }
} finally {
  await Promise.all(processes.map((one) => one.stop()));
  await services.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Without the toasts that earlier steps left. */
async function keep(page: Page, name: string, height = VIEWPORT.height): Promise<void> {
  if (requested.size > 0 && !requested.has(name)) return;
  const close = page.locator("[aria-label=Close]");
  // One that is fading cannot be closed again.
  const dismiss = () => close.first().click({ timeout: FADING_MS });
  while ((await close.count()) > 0) await dismiss().catch(() => {});
  await page.setViewportSize({ ...VIEWPORT, height });
  const path = join(IMAGES, `${name}.png`);
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
  await page.setViewportSize(VIEWPORT);
  log(`${name}.png ${Math.ceil(statSync(path).size / 1_000)} kB`);
}
