// The settings of `npm start`, from the environment only. All faults are reported together. A value is never part of a
// fault, because a URL may contain a password.

import { resolve } from "node:path";
import { NO_ORIGIN, originIn, readSetting } from "#runtime/process/read-setting.ts";
import { readServerUrls, SERVER_SETTINGS } from "#runtime/process/server-urls.ts";

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

export type Config = {
  host: string;
  port: number;
  opsHost?: string;
  opsPort: number;
  dashboardPort?: number;
  dashboardUrl?: string;
  dashboardProxies?: number;
  oidc?: Record<string, string>;
  apiUrl?: string;
  dataDir: string;
  mongoUrl?: string;
  redisUrl?: string;
  logLevel: string;
  requestLogSample: number;
  keepAliveS: number;
  batchRetentionDays: number | null;
  reversalRetentionDays: number | null;
  buildCommit: string;
};

/** The fault of a value; undefined if it is valid. */
const faultOf: Record<string, (value: string) => string | undefined> = {
  HOST: (value) => (/\s/.test(value) ? "holds white space" : undefined),
  PORT: portFault,
  OPS_PORT: portFault,
  DASHBOARD_PORT: portFault,
  DASHBOARD_URL: (value) => (originIn(value) === null ? NO_ORIGIN : undefined),
  DASHBOARD_PROXIES: (value) => (/^\d$/.test(value) ? undefined : "is not a number of proxies: 0 to 9"),
  DASHBOARD_OIDC_ISSUER: issuerFault,
  DASHBOARD_OIDC_CLIENT_ID: (value) => (value.includes("\0") ? "holds a NUL character" : undefined),
  DASHBOARD_OIDC_CLIENT_SECRET: (value) => (value.includes("\0") ? "holds a NUL character" : undefined),
  DASHBOARD_OIDC_NAME: (value) => (value.length > 40 ? "is longer than 40 characters" : undefined),
  DASHBOARD_OIDC_SCOPES: (value) =>
    /^openid( [!-~]+)*$/.test(value) ? undefined : "is not openid and more scopes, separated by single spaces",
  API_URL: (value) => (originIn(value) === null ? NO_ORIGIN : undefined),
  OPS_HOST: (value) => (/\s/.test(value) ? "holds white space" : undefined),
  DATA_DIR: (value) => (value.includes("\0") ? "holds a NUL character" : undefined),
  LOG_LEVEL: (value) => (LOG_LEVELS.includes(value) ? undefined : `is none of ${LOG_LEVELS.join(", ")}`),
  REQUEST_LOG_SAMPLE: (value) =>
    /^(0|1|0?\.\d{1,6}|[01]\.0{1,6})$/.test(value) ? undefined : "is not a number from 0 to 1",
  KEEP_ALIVE_S: (value) =>
    /^[1-9]\d{0,3}$/.test(value) && Number(value) <= 3600 ? undefined : "is not a number of seconds: 1 to 3600",
  BATCH_RETENTION_DAYS: daysFault,
  REVERSAL_RETENTION_DAYS: daysFault,
  BUILD_COMMIT: (value) => (/^[\w.-]{1,64}$/.test(value) ? undefined : "is not the name of a commit"),
};

export const settingNames = [...Object.keys(faultOf), ...SERVER_SETTINGS];

/** `logLevel`: where LOG_LEVEL is not set. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  logLevel = "info",
): { config: Config } | { faults: string[] } {
  const faults: string[] = [];
  const values: Record<string, string> = {};
  for (const [name, check] of Object.entries(faultOf)) {
    const value = readSetting(env, name, faults);
    if (value === null) continue;
    const fault = check(value);
    if (fault) faults.push(`${name} ${fault}`);
    else values[name] = value;
  }
  const { mongoUrl, redisUrl } = readServerUrls(env, faults);
  const { HOST = "127.0.0.1", PORT = "8080", OPS_PORT = "9090", DATA_DIR = ".data", LOG_LEVEL = logLevel } = values;
  const {
    DASHBOARD_PORT,
    DASHBOARD_URL,
    DASHBOARD_PROXIES,
    API_URL,
    OPS_HOST,
    REQUEST_LOG_SAMPLE = "0",
    KEEP_ALIVE_S = "65",
    BATCH_RETENTION_DAYS = "90",
    REVERSAL_RETENTION_DAYS = "90",
    BUILD_COMMIT = "unknown",
  } = values;
  const oidc = Object.fromEntries(Object.entries(values).filter(([name]) => name.startsWith("DASHBOARD_OIDC_")));
  const missing = ["ISSUER", "CLIENT_ID", "CLIENT_SECRET"]
    .map((part) => `DASHBOARD_OIDC_${part}`)
    .filter((name) => !oidc[name]);
  if (missing.length < 3)
    faults.push(
      ...missing.filter((name) => !faults.some((fault) => fault.startsWith(name))).map((name) => `${name} is not set`),
    );
  faults.push(...sharedPorts({ PORT, OPS_PORT, DASHBOARD_PORT }));
  if (faults.length > 0) return { faults };
  return {
    config: {
      host: HOST,
      port: Number(PORT),
      ...(OPS_HOST ? { opsHost: OPS_HOST } : {}),
      opsPort: Number(OPS_PORT),
      ...(DASHBOARD_PORT ? { dashboardPort: Number(DASHBOARD_PORT) } : {}),
      ...(DASHBOARD_URL ? { dashboardUrl: new URL(DASHBOARD_URL).origin } : {}),
      ...(DASHBOARD_PROXIES ? { dashboardProxies: Number(DASHBOARD_PROXIES) } : {}),
      ...(API_URL ? { apiUrl: new URL(API_URL).origin } : {}),
      ...(missing.length === 0 ? { oidc } : {}),
      dataDir: resolve(DATA_DIR),
      ...(mongoUrl ? { mongoUrl } : {}),
      ...(redisUrl ? { redisUrl } : {}),
      logLevel: LOG_LEVEL,
      requestLogSample: Number(REQUEST_LOG_SAMPLE),
      keepAliveS: Number(KEEP_ALIVE_S),
      batchRetentionDays: daysIn(BATCH_RETENTION_DAYS),
      reversalRetentionDays: daysIn(REVERSAL_RETENTION_DAYS),
      buildCommit: BUILD_COMMIT,
    },
  };
}

/** Port 0 is any free port. */
function sharedPorts(ports: Record<string, string | undefined>) {
  const chosen = Object.entries(ports).filter(([, port]) => Number(port ?? 0) !== 0);
  return chosen.flatMap(([name, port], index) =>
    chosen
      .slice(index + 1)
      .filter(([, other]) => Number(other) === Number(port))
      .map(([other]) => `${name} and ${other} are both ${port}`),
  );
}

function portFault(value: string) {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? undefined : "is not a port number: 0 to 65535";
}

function issuerFault(value: string) {
  const isIssuer =
    /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$))[^?#@\s]*$/.test(value) && URL.canParse(value);
  return isIssuer ? undefined : "is not an https: address such as https://id.example.com";
}

function daysFault(value: string) {
  return /^(none|[1-9]\d{0,4})$/.test(value) ? undefined : "is neither none nor a number of days, 1 to 99999";
}

function daysIn(value: string) {
  return value === "none" ? null : Number(value);
}
