// The settings of every process and of `npm start`, from the environment alone (docs/reference/settings.md). All faults
// are listed together. A value is never part of a fault, because it may be secret.
import { z } from "zod";
import {
  notifierConfig,
  notifierSettings,
  secretsKey,
  type NotifierSettings,
  type SecretsConfig,
} from "#process/notifier-settings.ts";
import { NO_ORIGIN, originIn, readSetting } from "#process/read-setting.ts";
import { readServerUrls, SERVER_SETTINGS, type ServerUrls } from "#process/server-urls.ts";

const port = z
  .string()
  .regex(/^\d{1,5}$/, "is not a port number: 0 to 65535")
  .transform(Number)
  .refine((number) => number <= 65535, "is not a port number: 0 to 65535");

const host = z.string().regex(/^\S+$/, "contains white space");

const plain = z.string().refine((text) => !text.includes("\0"), { error: "contains a NUL character" });

const share = z
  .string()
  .regex(/^(0|1|0?\.\d{1,6}|[01]\.0{1,6})$/, "is not a number from 0 to 1")
  .transform(Number);

/** An address at which people or game servers reach a process: without a path or credentials. */
const origin = z
  .string()
  .refine((text) => originIn(text) !== null, { error: NO_ORIGIN })
  .transform((text) => originIn(text) ?? text);

/** Plain HTTP is allowed only for a provider on this machine: otherwise an eavesdropper could sign in as anybody. */
const issuer = z.string().refine(
  (text) => {
    const parsed = URL.parse(text);
    const isPlain =
      parsed !== null && !/\s/.test(text) && parsed.search === "" && parsed.hash === "" && parsed.username === "";
    return isPlain && (parsed.protocol === "https:" || (parsed.protocol === "http:" && LOOPBACK.has(parsed.hostname)));
  },
  { error: "is not an https: address such as https://id.example.com" },
);
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

const OIDC_REQUIRED = ["DASHBOARD_OIDC_ISSUER", "DASHBOARD_OIDC_CLIENT_ID", "DASHBOARD_OIDC_CLIENT_SECRET"] as const;

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const days = z
  .string()
  .regex(/^(none|[1-9]\d{0,4})$/, "is neither none nor a number of days, 1 to 99999")
  .transform((text) => (text === "none" ? null : Number(text)));

/** Fractions, so that a test can shorten it. */
const eventDays = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,9})?$/, "is not a number of days: more than 0, up to 365")
  .transform(Number)
  .refine((number) => number > 0 && number <= 365, "is not a number of days: more than 0, up to 365");

const seconds = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, "is not a number of seconds: 1 to 3600")
  .transform(Number)
  .refine((number) => number <= 3600, "is not a number of seconds: 1 to 3600");

const Environment = z.object({
  HOST: host.default("127.0.0.1"),
  PORT: port.default(8080),
  OPS_PORT: port.default(9090),
  OPS_HOST: host.optional(),
  DASHBOARD_PORT: port.default(8081),
  DASHBOARD_URL: origin.optional(),
  DASHBOARD_PROXIES: z.string().regex(/^\d$/, "is not a number of proxies: 0 to 9").transform(Number).default(0),
  DASHBOARD_OIDC_ISSUER: issuer.optional(),
  DASHBOARD_OIDC_CLIENT_ID: plain.optional(),
  DASHBOARD_OIDC_CLIENT_SECRET: plain.optional(),
  DASHBOARD_OIDC_NAME: z.string().max(40, "is longer than 40 characters").optional(),
  DASHBOARD_OIDC_SCOPES: z
    .string()
    .regex(/^openid( [!-~]+)*$/, "is not openid and more scopes, separated by single spaces")
    .default("openid email"),
  PUBLIC_PAGES: z.enum(["on", "off"], { error: "is neither on nor off" }).default("on"),
  API_URL: origin.optional(),
  DOCS_URL: origin.optional(),
  /** For the API only. */
  HOOK_KEY: secretsKey.optional(),
  /** For `npm start` only. */
  DATA_DIR: plain.default(".data"),
  LOG_LEVEL: z.enum(logLevels, { error: `is none of ${logLevels.join(", ")}` }).default("info"),
  REQUEST_LOG_SAMPLE: share.default(0),
  KEEP_ALIVE_S: seconds.default(65),
  BATCH_RETENTION_DAYS: days.default(90),
  REVERSAL_RETENTION_DAYS: days.default(90),
  EVENT_RETENTION_DAYS: eventDays.default(30),
  BOARD_RETENTION_DAYS: days.default(90),
  ...notifierSettings,
  BUILD_COMMIT: z
    .string()
    .regex(/^[\w.-]{1,64}$/, "is not the name of a commit")
    .default("unknown"),
});

export const settingNames: readonly string[] = [...Object.keys(Environment.shape), ...SERVER_SETTINGS];

export type Config = {
  host: string;
  /** 0: the system picks a free one. */
  port: number;
  opsPort: number;
  /** The address of the ops port; if it is not set, `host`. */
  opsHost?: string;
  mongoUrl: string;
  redisUrl: string;
  logLevel: (typeof logLevels)[number];
  /** The share of requests that are logged, 0 to 1. */
  requestLogSample: number;
  /** How long the API keeps a connection open that has no request. */
  keepAliveS: number;
  /** The address at which callers reach the documentation; if it is not set, the API's own. */
  docsUrl?: string;
  /** Of the API, for makeHookOpener: decrypts the secrets of erasure hooks. */
  hookKey?: string;
  /** How long done batches keep their awards and results; null: forever. */
  batchRetentionDays: number | null;
  /** How long records of done reversals are stored; null: forever. */
  reversalRetentionDays: number | null;
  /** How long events are stored. */
  eventRetentionDays: number;
  /** Positions of final periods beyond the first ones; null: for ever. */
  boardRetentionDays: number | null;
  /** The build, as the metrics report it. */
  buildCommit: string;
};

/** The OpenID provider with which people may sign in to the dashboard. */
export type OidcConfig = { issuer: string; clientId: string; clientSecret: string; name: string; scopes: string };

/** Where the public pages of clans are served. */
export type PublicPagesConfig = {
  /** The URL that people type into their browser; null: any host that the request names, without TLS. */
  dashboardUrl: string | null;
  /** The dashboard serves the public pages of clans. */
  publicPages: boolean;
};

/** Additional settings of the dashboard. */
export type DashboardConfig = Config &
  SecretsConfig &
  PublicPagesConfig & {
    dashboardPort: number;
    /** How many proxies in front add the caller's address to X-Forwarded-For. */
    dashboardProxies: number;
    /** The address that game servers call, for the examples beside a new key. */
    apiUrl: string | null;
    oidc: OidcConfig | null;
  };

/** Additional settings of the notifier; the dashboard needs those of secrets. */
export type NotifierConfig = Config & NotifierSettings & PublicPagesConfig;

export type ConfigResult = { ok: true; config: DashboardConfig & NotifierConfig } | { ok: false; faults: string[] };

export type Settings = {
  /** The text of each setting that is set and valid. */
  given: Readonly<Record<string, string>>;
  /** Its value, or the default. */
  data: z.output<typeof Environment>;
  urls: ServerUrls;
  faults: string[];
};

/** `<NAME>_FILE` names a file that holds the value. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const faults: string[] = [];
  const given: Record<string, string> = {};
  for (const [name, schema] of Object.entries(Environment.shape)) {
    const value = readSetting(env, name, faults);
    if (value === null) continue;
    const [issue] = schema.safeParse(value).error?.issues ?? [];
    if (issue) faults.push(`${name} ${issue.message}`);
    else given[name] = value;
  }
  const missing = OIDC_REQUIRED.filter(
    (name) => given[name] === undefined && !faults.some((fault) => fault.startsWith(name)),
  );
  if (missing.length < OIDC_REQUIRED.length) faults.push(...missing.map((name) => `${name} is not set`));
  const urls = readServerUrls(env, faults);
  return { given, data: Environment.parse(given), urls, faults };
}

export function loadConfig(env: Readonly<Record<string, string | undefined>>): ConfigResult {
  const { data, urls, faults } = readSettings(env);
  const { mongoUrl, redisUrl } = urls;
  for (const [name, value] of Object.entries({ MONGO_URL: mongoUrl, REDIS_URL: redisUrl }))
    if (value === null && !faults.some((fault) => fault.startsWith(`${name}_FILE `))) faults.push(`${name} is not set`);
  if (mongoUrl === null || redisUrl === null || faults.length > 0) return { ok: false, faults };
  return {
    ok: true,
    config: {
      ...sharedConfig(data),
      mongoUrl,
      redisUrl,
      ...(data.HOOK_KEY === undefined ? {} : { hookKey: data.HOOK_KEY }),
      dashboardPort: data.DASHBOARD_PORT,
      dashboardUrl: data.DASHBOARD_URL ?? null,
      dashboardProxies: data.DASHBOARD_PROXIES,
      publicPages: data.PUBLIC_PAGES === "on",
      apiUrl: data.API_URL ?? null,
      oidc: oidcOf(data),
      ...notifierConfig(data),
    },
  };
}

/** What the settings mean in the same way for a process and for `npm start`. */
export function sharedConfig(data: Settings["data"]): Omit<Config, keyof ServerUrls> {
  return {
    host: data.HOST,
    port: data.PORT,
    opsPort: data.OPS_PORT,
    ...(data.OPS_HOST === undefined ? {} : { opsHost: data.OPS_HOST }),
    logLevel: data.LOG_LEVEL,
    requestLogSample: data.REQUEST_LOG_SAMPLE,
    keepAliveS: data.KEEP_ALIVE_S,
    ...(data.DOCS_URL === undefined ? {} : { docsUrl: data.DOCS_URL }),
    batchRetentionDays: data.BATCH_RETENTION_DAYS,
    reversalRetentionDays: data.REVERSAL_RETENTION_DAYS,
    eventRetentionDays: data.EVENT_RETENTION_DAYS,
    boardRetentionDays: data.BOARD_RETENTION_DAYS,
    buildCommit: data.BUILD_COMMIT,
  };
}

function oidcOf(data: Settings["data"]): OidcConfig | null {
  const {
    DASHBOARD_OIDC_ISSUER: ofProvider,
    DASHBOARD_OIDC_CLIENT_ID: clientId,
    DASHBOARD_OIDC_CLIENT_SECRET: clientSecret,
  } = data;
  if (ofProvider === undefined || clientId === undefined || clientSecret === undefined) return null;
  const name = data.DASHBOARD_OIDC_NAME ?? new URL(ofProvider).host;
  return { issuer: ofProvider, clientId, clientSecret, name, scopes: data.DASHBOARD_OIDC_SCOPES };
}

/** Loads the settings, or exits with code 1 and lists all faults. */
export function loadConfigOrExit(env: Readonly<Record<string, string | undefined>>): DashboardConfig & NotifierConfig {
  const result = loadConfig(env);
  if (result.ok) return result.config;
  process.stderr.write(`The settings are not usable:\n${result.faults.map((fault) => `  ${fault}\n`).join("")}`);
  process.exit(1);
}
