// The environment of each process that `npm start` runs. The process gets the value of a setting, even if it was read
// from a file.

import { settingNames } from "#process/config.ts";
import { SERVER_SETTINGS } from "#process/server-urls.ts";
import type { Config } from "./config.ts";
import type { Role } from "./node-options.ts";

export type Ports = {
  port: number;
  opsPort: number;
  workerOpsPort: number;
  notifierOpsPort: number;
  dashboardPort: number;
  dashboardOpsPort: number;
};

export function roleEnv(
  {
    config,
    ports,
    mongoUrl,
    redisUrl,
    baseUrl,
    dashboardUrl,
    secretsKey,
    hookKey,
  }: {
    config: Config;
    ports: Ports;
    mongoUrl: string;
    redisUrl: string;
    baseUrl: string;
    /** The address that people are shown. */
    dashboardUrl: string;
    secretsKey: string;
    hookKey: string;
  },
  given: Readonly<Record<string, string | undefined>>,
): Record<Role, Record<string, string | undefined>> {
  const env = { ...given };
  for (const name of settingNames) delete env[`${name}_FILE`]; // already read; both together would be an error
  for (const name of SERVER_SETTINGS) delete env[name]; // the URLs below include Sentinel's user
  delete env["SECRETS_KEY"]; // only for those that seal secrets or open them
  delete env["HOOK_KEY"]; // only for the API
  delete env["DASHBOARD_OIDC_CLIENT_SECRET"]; // only for the dashboard
  const common = {
    ...env,
    HOST: config.host,
    ...(config.opsHost ? { OPS_HOST: config.opsHost } : {}),
    LOG_LEVEL: config.logLevel,
    REQUEST_LOG_SAMPLE: String(config.requestLogSample),
    KEEP_ALIVE_S: String(config.keepAliveS),
    ...(config.docsUrl ? { DOCS_URL: config.docsUrl } : {}),
    BATCH_RETENTION_DAYS: String(config.batchRetentionDays ?? "none"),
    REVERSAL_RETENTION_DAYS: String(config.reversalRetentionDays ?? "none"),
    EVENT_RETENTION_DAYS: String(config.eventRetentionDays),
    BOARD_RETENTION_DAYS: String(config.boardRetentionDays ?? "none"),
    BUILD_COMMIT: config.buildCommit,
    MONGO_URL: mongoUrl,
    REDIS_URL: redisUrl,
  };
  return {
    api: { ...common, HOOK_KEY: hookKey, PORT: String(ports.port), OPS_PORT: String(ports.opsPort) },
    worker: { ...common, OPS_PORT: String(ports.workerOpsPort) },
    notifier: {
      ...common,
      ...config.outbound,
      SECRETS_KEY: secretsKey,
      OPS_PORT: String(ports.notifierOpsPort),
      DASHBOARD_URL: dashboardUrl,
    },
    dashboard: {
      ...common,
      ...config.outbound,
      SECRETS_KEY: secretsKey,
      DASHBOARD_PORT: String(ports.dashboardPort),
      OPS_PORT: String(ports.dashboardOpsPort),
      API_URL: config.apiUrl ?? baseUrl,
      DASHBOARD_PROXIES: String(config.dashboardProxies ?? 0),
      ...(config.dashboardUrl ? { DASHBOARD_URL: config.dashboardUrl } : {}),
      ...config.oidc,
    },
  };
}
