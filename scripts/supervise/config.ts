// The settings of `npm start`: those of the processes (libs/process/config.ts), of which it chooses the ports and
// starts the servers where they are not set. All faults are reported together.

import { resolve } from "node:path";
import { readSettings, sharedConfig, type Config as ProcessConfig } from "#process/config.ts";

export type Config = Omit<ProcessConfig, "mongoUrl" | "redisUrl" | "opsPort"> & {
  /** A port that is not given: the usual one, or a free one if that is in use. */
  opsPort?: number;
  dashboardPort?: number;
  dashboardUrl?: string;
  dashboardProxies?: number;
  oidc?: Record<string, string>;
  /** The settings that the notifier and the dashboard share, as they were given. */
  outbound: Record<string, string>;
  apiUrl?: string;
  dataDir: string;
  mongoUrl?: string;
  redisUrl?: string;
};

/** `logLevel`: where LOG_LEVEL is not set. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  logLevel: Config["logLevel"] = "info",
): { config: Config } | { faults: string[] } {
  const { given, data, urls, faults } = readSettings(env);
  const { OPS_PORT, DASHBOARD_PORT, DASHBOARD_PROXIES, LOG_LEVEL } = given;
  const { PORT, DASHBOARD_URL, API_URL, DATA_DIR } = data;
  const chosen = {
    ...(OPS_PORT ? { OPS_PORT: data.OPS_PORT } : {}),
    ...(DASHBOARD_PORT ? { DASHBOARD_PORT: data.DASHBOARD_PORT } : {}),
  };
  faults.push(...sharedPorts({ PORT, ...chosen }));
  if (faults.length > 0) return { faults };
  const givenOf = (names: RegExp) => Object.fromEntries(Object.entries(given).filter(([name]) => names.test(name)));
  const oidc = givenOf(/^DASHBOARD_OIDC_/);
  const { opsPort, ...shared } = sharedConfig(data);
  return {
    config: {
      ...shared,
      ...(OPS_PORT ? { opsPort } : {}),
      ...(LOG_LEVEL ? {} : { logLevel }),
      ...(DASHBOARD_PORT ? { dashboardPort: data.DASHBOARD_PORT } : {}),
      ...(DASHBOARD_PROXIES ? { dashboardProxies: data.DASHBOARD_PROXIES } : {}),
      ...(DASHBOARD_URL ? { dashboardUrl: DASHBOARD_URL } : {}),
      ...(API_URL ? { apiUrl: API_URL } : {}),
      ...(data.HOOK_KEY ? { hookKey: data.HOOK_KEY } : {}),
      ...(data.DASHBOARD_OIDC_ISSUER ? { oidc } : {}),
      outbound: givenOf(/^(SECRETS_KEY|WEBHOOK_.*|DELIVERY_.*|ROBLOX_API_URL|DISCORD_API_URL|PUBLIC_PAGES)$/),
      dataDir: resolve(DATA_DIR),
      ...(urls.mongoUrl ? { mongoUrl: urls.mongoUrl } : {}),
      ...(urls.redisUrl ? { redisUrl: urls.redisUrl } : {}),
    },
  };
}

/** Port 0 is any free port. */
function sharedPorts(ports: Record<string, number>) {
  const chosen = Object.entries(ports).filter(([, port]) => port !== 0);
  return chosen.flatMap(([name, port], index) =>
    chosen
      .slice(index + 1)
      .filter(([, other]) => other === port)
      .map(([other]) => `${name} and ${other} are both ${port}`),
  );
}
