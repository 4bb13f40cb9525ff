// Which process gets which secret: the table of the documentation, and what npm start, Docker Compose and the chart do.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../../scripts/paths.js";
import { readConfig } from "../../scripts/supervise/config.ts";
import { roleEnv } from "../../scripts/supervise/role-env.ts";
import { readPage } from "../support/docs-page.ts";
import { toolOrNull } from "./tool.ts";
import { ROLES, useSets } from "./value-sets.ts";

const helm = await toolOrNull("helm");
const KEY = Buffer.alloc(32, 1).toString("base64");

/** By secret, the roles that the documentation says get it. `isContainer`: also for commands that run beside them. */
function documented({ isContainer }: { isContainer: boolean }): Record<string, string[]> {
  const page = readPage("docs/explanation/security.md");
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \|(.+)\|$/gm)].map(({ 1: name = "", 2: cells = "" }) => {
    const has = cells
      .split("|")
      .map((cell) => cell.trim() === "yes" || (isContainer && cell.trim() === "in containers"));
    return [name, ROLES.filter((_, index) => has[index])];
  });
  return Object.fromEntries(rows);
}

function found(hasSecret: (role: (typeof ROLES)[number], name: string) => boolean): Record<string, string[]> {
  const names = ["MONGO_URL", "REDIS_URL", "SECRETS_KEY", "HOOK_KEY", "DASHBOARD_OIDC_CLIENT_SECRET"];
  return Object.fromEntries(names.map((name) => [name, ROLES.filter((role) => hasSecret(role, name))]));
}

test("npm start gives each secret to the processes that need it, also if it is in the environment", () => {
  const given = {
    SECRETS_KEY: KEY,
    HOOK_KEY: KEY,
    DASHBOARD_OIDC_ISSUER: "https://id.example.com",
    DASHBOARD_OIDC_CLIENT_ID: "id",
    DASHBOARD_OIDC_CLIENT_SECRET: "secret",
  };
  const read = readConfig(given);
  if ("faults" in read) throw new Error(read.faults.join());
  const ports = { port: 1, opsPort: 2, workerOpsPort: 3, notifierOpsPort: 6, dashboardPort: 4, dashboardOpsPort: 5 };
  const urls = {
    mongoUrl: "mongodb://m",
    redisUrl: "redis://r",
    baseUrl: "http://127.0.0.1:1",
    dashboardUrl: "http://d",
  };
  const env = roleEnv({ config: read.config, ports, ...urls, secretsKey: KEY, hookKey: KEY }, given);
  expect(found((role, name) => env[role][name] !== undefined)).toStrictEqual(documented({ isContainer: false }));
});

test("Docker Compose gives each secret to the containers that need it, and mounts no other one", () => {
  const { services } = parse(readFileSync(join(root, "docker-compose.yml"), "utf8"), { merge: true });
  const variable = ({ environment }: any, name: string) => environment[name] ?? environment[`${name}_FILE`];
  const given = found((role, name) => variable(services[role], name) !== undefined);
  expect(given).toStrictEqual(documented({ isContainer: true }));
  for (const role of ROLES) {
    const mounted = services[role].volumes.map((volume: string) => volume.split(":").at(-2));
    const folders = ["MONGO_URL", "REDIS_URL", "SECRETS_KEY", "HOOK_KEY"].map(
      (name) => /(\/run\/[^/]+)\//.exec(variable(services[role], name) ?? "")?.[1],
    );
    expect([role, mounted]).toStrictEqual([role, [...new Set(folders)].filter((folder) => folder !== undefined)]);
  }
});

describe.skipIf(!helm)("the Helm chart", { timeout: 120_000 }, () => {
  const { envOf } = useSets(helm);
  test("gives each secret to the pods that need it", () => {
    const given = found((role, name) => envOf("everything", role).has(name));
    expect(given).toStrictEqual(documented({ isContainer: true }));
  });
});
