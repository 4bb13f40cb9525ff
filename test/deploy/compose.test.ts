// docker-compose.yml, as far as it can be judged without an engine (test/containers runs it).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "#process/config.ts";
import { notifierSettings } from "#process/notifier-settings.ts";
import { root } from "../../scripts/paths.js";
import { readDeployed } from "./alerts.ts";

const { services, volumes, networks } = parse(readFileSync(join(root, "docker-compose.yml"), "utf8"), { merge: true });

test("the dashboard is published on loopback only, with TLS in front, so that no password crosses a network in clear", () => {
  expect(services.dashboard.ports).toStrictEqual(["127.0.0.1:${DASHBOARD_PORT:-8081}:8081"]);
  expect(services.tls.environment.DASHBOARD_DOMAIN).toBe("${DASHBOARD_DOMAIN:-dashboard.localhost}");
  const [, site = ""] = readDeployed("compose/Caddyfile").split("\n{$DASHBOARD_DOMAIN} {\n");
  expect(site).toMatch(/reverse_proxy \{\s+dynamic a \{\s+name dashboard\s+port 8081\s/);
});

test("a link that clanxp prints in any container begins with the published address of the dashboard", () => {
  for (const name of ["api", "dashboard"]) {
    expect(services[name].environment.DASHBOARD_URL).toContain("http://localhost:${DASHBOARD_PORT:-8081}");
    expect(services[name].environment.DASHBOARD_URL).toMatch(/^\$\{DASHBOARD_URL:-\$\{DASHBOARD_DOMAIN:\+https:\/\/\}/);
  }
});

test("the URL of an erasure hook is the same in the dashboard and on the command line of any container", () => {
  for (const name of ["api", "worker", "dashboard"])
    expect(services[name].environment.API_URL).toBe(
      "${API_URL:-${DOMAIN:+https://}${DOMAIN:-http://127.0.0.1:${PORT:-8080}}}",
    );
});

test("no message in Discord links to an address that only the machine itself reaches", () => {
  const { DASHBOARD_URL } = services.notifier.environment;
  expect(DASHBOARD_URL).toBe("${DASHBOARD_URL:-${DASHBOARD_DOMAIN:+https://}${DASHBOARD_DOMAIN:-}}");
});

test("the URL of a separate database user for API and dashboard is in a volume that is backed up", () => {
  const own = "${API_SECRETS:-app-secrets}:/run/clanxp:ro";
  expect([services.api.volumes[0], services.dashboard.volumes[0]]).toStrictEqual([own, own]);
  for (const { volumes: mounted } of [services.worker, services.demo])
    expect(mounted[0]).toBe("app-secrets:/run/clanxp:ro");
  expect(services.secrets.volumes).toContain("api-secrets:/secrets/api");
  for (const name of ["backup", "restore"]) {
    for (const volume of ["api-secrets", "notifier-secrets", "key-secrets", "hook-secrets"])
      expect(services[name].volumes).toContain(`${volume}:/volumes/${volume}`);
  }
  expect(volumes).toHaveProperty("api-secrets");
  expect(readDeployed("compose/make-secrets.js")).toContain('keepUrls("api", "clanxp-api", apiPassword)');
  expect(readDeployed("compose/mongo-health.js")).toContain(
    'setUser("clanxp-api", "api-password", [{ role: "clanxp", db: DATABASE }])',
  );
});

test("every setting of the notifier alone can be set, and none by an empty value", () => {
  const { environment } = services.notifier;
  for (const name of Object.keys(notifierSettings)) {
    const value = environment[name] ?? environment[`${name}_FILE`];
    expect({ name, value }).toStrictEqual({ name, value: expect.any(String) });
    if (!(`${name}_FILE` in environment)) expect(value).toMatch(new RegExp(`^\\$\\{${name}:-.*\\}$`));
  }
  const servers = { MONGO_URL: "mongodb://127.0.0.1/clanxp", REDIS_URL: "redis://127.0.0.1" };
  const empty = Object.fromEntries(Object.keys(notifierSettings).map((name) => [name, ""]));
  expect(loadConfig({ ...servers, ...empty })).toStrictEqual(loadConfig(servers));
});

test("the notifier has a database user of its own, and is the only process that reaches the internet", () => {
  expect(services.notifier.volumes[0]).toBe("notifier-secrets:/run/clanxp:ro");
  expect(services.secrets.volumes).toContain("notifier-secrets:/secrets/notifier");
  expect(readDeployed("compose/make-secrets.js")).toContain(
    'keepUrls("notifier", "clanxp-notifier", notifierPassword)',
  );
  expect(readDeployed("compose/mongo-health.js")).toContain(
    'setUser("clanxp-notifier", "notifier-password", [{ role: "clanxpNotifier", db: DATABASE }])',
  );

  const option = "com.docker.network.bridge.enable_ip_masquerade";
  expect(networks.default).toStrictEqual({ internal: true });
  expect(networks.published.driver_opts[option]).toBe("false");
  expect(networks["sign-in"].driver_opts[option]).toBe("${DASHBOARD_EGRESS:-false}");
  const outside = Object.entries<any>(services).filter(([, { networks: joined = [] }]) => joined.includes("internet"));
  expect(outside.map(([name]) => name)).toStrictEqual(["notifier", "tls"]);
  // Nothing else would be published from an internal network.
  for (const [name, { ports, networks: joined = ["default"] }] of Object.entries<any>(services))
    if (ports) expect([name, joined.length]).toStrictEqual([name, 2]);
});
