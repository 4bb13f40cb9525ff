import { resolve } from "node:path";
import { expect, test } from "vitest";
import { loadConfig, settingNames } from "#runtime/process/config.ts";
import { readConfig } from "../../scripts/supervise/config.ts";
import { readPage } from "../support/docs-page.ts";

/** Name → default, from the page's table of settings. */
const documented = new Map(
  [
    ...(
      readPage("docs/reference/settings.md").split("\n## Environment variables\n")[1]?.split("\n## ")[0] ?? ""
    ).matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|/gm),
  ].map(({ 1: name = "", 2: value = "" }) => [name, value]),
);
const urls = { MONGO_URL: "mongodb://127.0.0.1/clanxp", REDIS_URL: "redis://127.0.0.1" };

test("the settings page lists exactly the existing settings", () => {
  expect([...documented.keys()].toSorted()).toStrictEqual([...settingNames].toSorted());
});

test("the settings page lists the defaults of npm start and of a single process", () => {
  const common = {
    host: documented.get("HOST"),
    port: Number(documented.get("PORT")),
    opsPort: Number(documented.get("OPS_PORT")),
    logLevel: documented.get("LOG_LEVEL"),
    requestLogSample: Number(documented.get("REQUEST_LOG_SAMPLE")),
    keepAliveS: Number(documented.get("KEEP_ALIVE_S")),
    batchRetentionDays: Number(documented.get("BATCH_RETENTION_DAYS")),
    reversalRetentionDays: Number(documented.get("REVERSAL_RETENTION_DAYS")),
    eventRetentionDays: Number(documented.get("EVENT_RETENTION_DAYS")),
    boardRetentionDays: Number(documented.get("BOARD_RETENTION_DAYS")),
    buildCommit: documented.get("BUILD_COMMIT"),
  };
  expect(readConfig({})).toStrictEqual({
    config: { ...common, outbound: {}, dataDir: resolve(documented.get("DATA_DIR") ?? "") },
  });
  const dashboard = {
    dashboardProxies: Number(documented.get("DASHBOARD_PROXIES")),
    dashboardPort: Number(documented.get("DASHBOARD_PORT")),
    dashboardUrl: null,
    apiUrl: null,
    oidc: null,
  };
  const numbers = (name: string): number[] => (documented.get(name) ?? "").split(",").map(Number);
  const notifier = {
    secretsKey: null,
    allowPrivate: [],
    webhookTimeoutMs: Number(documented.get("WEBHOOK_TIMEOUT_MS")),
    deliveryRetentionDays: Number(documented.get("DELIVERY_RETENTION_DAYS")),
    deliveryRetryS: numbers("DELIVERY_RETRY_S"),
    deliveryProbeS: numbers("DELIVERY_PROBE_S"),
    deliveryDisableAfterH: Number(documented.get("DELIVERY_DISABLE_AFTER_H")),
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
  expect(faults.map((fault) => fault.split(" ")[0] ?? "").toSorted()).toStrictEqual([
    "DASHBOARD_OIDC_CLIENT_SECRET",
    "HOST_FILE",
    "KEEP_ALIVE_S",
    "LOG_LEVEL",
    "MONGO_URL",
    "OPS_HOST",
    "OPS_PORT",
    "PORT",
    "REDIS_URL",
  ]);
  expect(faults.join(" ")).not.toMatch(/hunter2|70000|loud/);
});
