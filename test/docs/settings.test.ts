import { resolve } from "node:path";
import { expect, test } from "vitest";
import { loadConfig, settingNames } from "#process/config.ts";
import { readConfig } from "../../scripts/supervise/config.ts";
import { readPage } from "../support/docs-page.ts";

/** Name → default, from the page's table of settings. */
const section =
  readPage("docs/reference/settings.md").split("\n## Environment variables\n")[1]?.split("\n## ")[0] ?? "";
const rows = [...section.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|/gm)];
const documented = new Map(rows.map(({ 1: name = "", 2: value = "" }) => [name, value]));
const number = (name: string): number => Number(documented.get(name));
const urls = { MONGO_URL: "mongodb://127.0.0.1/clanxp", REDIS_URL: "redis://127.0.0.1" };

test("the settings page lists exactly the existing settings", () => {
  expect([...documented.keys()].toSorted()).toStrictEqual([...settingNames].toSorted());
});

test("the settings page lists the defaults of npm start and of a single process", () => {
  const common = {
    host: documented.get("HOST"),
    port: number("PORT"),
    opsPort: number("OPS_PORT"),
    logLevel: documented.get("LOG_LEVEL"),
    requestLogSample: number("REQUEST_LOG_SAMPLE"),
    keepAliveS: number("KEEP_ALIVE_S"),
    batchRetentionDays: number("BATCH_RETENTION_DAYS"),
    reversalRetentionDays: number("REVERSAL_RETENTION_DAYS"),
    eventRetentionDays: number("EVENT_RETENTION_DAYS"),
    boardRetentionDays: number("BOARD_RETENTION_DAYS"),
    buildCommit: documented.get("BUILD_COMMIT"),
  };
  const dataDir = resolve(documented.get("DATA_DIR") ?? "");
  // That of npm start moves if it is in use.
  const { opsPort: _usual, ...chosen } = common;
  expect(readConfig({})).toStrictEqual({ config: { ...chosen, outbound: {}, dataDir } });
  const ports = { dashboardProxies: number("DASHBOARD_PROXIES"), dashboardPort: number("DASHBOARD_PORT") };
  const publicPages = documented.get("PUBLIC_PAGES") === "on";
  const dashboard = { ...ports, publicPages, dashboardUrl: null, apiUrl: null, oidc: null };
  const numbers = (name: string): number[] => (documented.get(name) ?? "").split(",").map(Number);
  const notifier = {
    secretsKey: null,
    allowPrivate: [],
    webhookTimeoutMs: number("WEBHOOK_TIMEOUT_MS"),
    deliveryRetentionDays: number("DELIVERY_RETENTION_DAYS"),
    deliveryRetryS: numbers("DELIVERY_RETRY_S"),
    deliveryProbeS: numbers("DELIVERY_PROBE_S"),
    deliveryDisableAfterH: number("DELIVERY_DISABLE_AFTER_H"),
    robloxApiUrl: documented.get("ROBLOX_API_URL"),
    discordApiUrl: documented.get("DISCORD_API_URL"),
  };
  const servers = { mongoUrl: urls.MONGO_URL, redisUrl: urls.REDIS_URL };
  expect(loadConfig(urls)).toStrictEqual({ ok: true, config: { ...common, ...dashboard, ...notifier, ...servers } });
});

test("a single process lists every invalid setting, and no value", () => {
  const result = loadConfig({
    PORT: "70000",
    OPS_PORT: "x",
    KEEP_ALIVE_S: "0",
    MONGO_URL: "http://user:hunter2@host",
    LOG_LEVEL: "loud",
    HOST_FILE: "/nonexistent",
    OPS_HOST: "two words",
    DASHBOARD_OIDC_ISSUER: "https://id.example.com",
    DASHBOARD_OIDC_CLIENT_ID: "clanxp",
  });
  const faults = result.ok ? [] : result.faults;
  const missing = ["DASHBOARD_OIDC_CLIENT_SECRET", "REDIS_URL"];
  const invalid = ["HOST_FILE", "KEEP_ALIVE_S", "LOG_LEVEL", "MONGO_URL", "OPS_HOST", "OPS_PORT", "PORT"];
  expect(new Set(faults.map((fault) => fault.split(" ")[0]))).toStrictEqual(new Set([...missing, ...invalid]));
  expect(faults).toHaveLength(9);
  expect(faults.join(" ")).not.toMatch(/hunter2|70000|loud/);
});
