// docker-compose.yml as the documentation describes it: every command for Compose that a page prints is run here, in
// the order in which a reader meets them, then a burst while a worker is killed, then a new start on the same data.
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { freePort } from "../../scripts/services/ports.ts";
import { COMPOSE, pagesWithCommands, runSteps, stepsOf } from "../support/docs-page.ts";
import { sendBatch } from "../faults/load.ts";
import type { Target } from "../faults/send.ts";
import { root } from "../../scripts/paths.js";

const [CALLERS, BATCHES, AWARDS] = [4, 8, 50];
const FOLLOWS_MS_MAX = 60_000;
const OUTPUT_BYTES_MAX = 16 * 2 ** 20;
const PROFILES = ["--profile", "*"];
/** In the order in which a reader needs them: a backup is restored into what the pages before it have made. */
const PAGES = [
  "docs/quick-start.md",
  ...["docker-compose", "back-up-and-restore", "tls", "deploy-on-a-public-server", "runbook"].map(
    (name) => `docs/how-to/${name}.md`,
  ),
];
const BACKUP = join(root, "clanxp-backup.tar");

const settings = ["PORT", "OPS_PORT", "DASHBOARD_PORT", "PROXY_PORT", "HTTP_PORT", "HTTPS_PORT"] as const;
const ports = Object.fromEntries(await Promise.all(settings.map(async (name) => [name, String(await freePort())])));
// A project of this checkout's own: scripts/containers/run-containers.ts names it, and removes what a killed run left.
const env = { COMPOSE_PROJECT_NAME: "clanxp-test", ...process.env, ...ports, CLANXP_IMAGE: "clanxp-test:compose" };

async function docker(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("docker", args, { cwd: root, env, maxBuffer: OUTPUT_BYTES_MAX });
  return stdout.trim();
}
const compose = (...args: string[]): Promise<string> => docker("compose", ...args);
const clanxp = async (...args: string[]): Promise<any> =>
  JSON.parse(await compose("exec", "-T", "api", "clanxp", ...args, "--json"));
const idsOf = async (...services: string[]): Promise<string[]> =>
  (await compose("ps", "--all", "--quiet", ...services)).split("\n");

function statusOverTls(ca: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port: ports["HTTPS_PORT"], path, servername: "localhost", ca },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.setHeader("host", "localhost");
    sent.once("error", reject).end();
  });
}

afterAll(async () => {
  await compose(...PROFILES, "down", "--volumes", "--timeout", "5");
  rmSync(BACKUP, { force: true });
});

test("the Compose file is valid with every profile", async () => {
  expect(await compose(...PROFILES, "config", "--quiet")).toBe("");
});

test("every documented command for Compose works as printed in an empty project", { timeout: 480_000 }, async () => {
  const all = pagesWithCommands()
    .flatMap(stepsOf)
    .filter(({ command }) => COMPOSE.test(command));
  // The quick start's requests are the same after either start.
  const steps = PAGES.flatMap(stepsOf).filter(({ command }) => COMPOSE.test(command) || command.startsWith("curl "));
  expect(steps[0]?.command).toBe("docker compose up --build --wait");
  expect(all.filter(({ command }) => !steps.some((step) => step.command === command))).toStrictEqual([]);
  const printed = await runSteps(steps, env, { rules: [] });
  expect(printed.filter((text) => text.includes('"xp":"150"'))).toHaveLength(2);
  expect(await clanxp("member", "show", "demo", "player-1")).toMatchObject({ xp: "150" });
});

test("the profile tls serves the API over HTTPS with a certificate for its domain, but not the ops port", async () => {
  const ca = await compose("exec", "-T", "tls", "cat", "/data/caddy/pki/authorities/local/root.crt");
  expect(await statusOverTls(ca, "/v0/clans/demo")).toBe(401);
  expect(await statusOverTls(ca, "/metrics")).toBe(404);
  await expect(statusOverTls("", "/v0/clans/demo")).rejects.toThrow(/certificate/);
});

test("the API serves the documentation site, with its search", async () => {
  const page = await fetch(`http://127.0.0.1:${ports["PORT"]}/docs/quick-start`, { headers: { accept: "text/html" } });
  expect(await page.text()).toContain("VPNavBarSearch");
});

test("a backup is restored into empty volumes only", async () => {
  await expect(compose("run", "--rm", "-T", "restore")).rejects.toThrow("The volumes are not empty");
});

test("a burst through the proxy while a worker is killed is applied once, and the ledger is consistent", async () => {
  await compose("--profile", "proxy", "up", "--wait", "--scale", "worker=3");
  const { secret } = await clanxp("key", "create", "rovers", "--name", "burst");
  const target: Target = { clanId: "rovers", key: secret, baseUrls: () => [`http://127.0.0.1:${ports["PROXY_PORT"]}`] };
  const sending = Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      for (let batch = 0; batch < BATCHES; batch += 1) {
        const awards = Array.from({ length: AWARDS }, (__, index) => ({ platformId: `m${index % 20}`, amount: 1 }));
        await sendBatch(target, { key: `${caller}-${batch}`, awards }, caller);
      }
    }),
  );
  const [victim = ""] = await idsOf("worker");
  await docker("kill", victim);
  await sending;
  expect(await clanxp("reconcile", "--clan", "rovers")).toMatchObject({
    members: 20,
    entries: CALLERS * BATCHES * AWARDS,
    differences: [],
  });
});

test("no service runs as root, can write its own files, or is reachable from other machines", async () => {
  const running = JSON.parse(
    await docker("inspect", ...(await idsOf("api", "worker", "notifier", "mongo", "redis", "proxy"))),
  );
  for (const { Name, Config, HostConfig, NetworkSettings } of running) {
    const bindings = Object.values<{ HostIp: string }[] | null>(NetworkSettings.Ports).flatMap((bound) => bound ?? []);
    const { ReadonlyRootfs, CapDrop, Privileged, SecurityOpt, Memory } = HostConfig;
    expect([Name, ReadonlyRootfs, CapDrop, Privileged]).toStrictEqual([Name, true, ["ALL"], false]);
    expect([Name, SecurityOpt, Memory > 0]).toStrictEqual([Name, ["no-new-privileges:true"], true]);
    expect([Name, ["", "0", "root"].includes(Config.User.split(":")[0])]).toStrictEqual([Name, false]);
    expect(bindings.filter(({ HostIp }) => HostIp !== "127.0.0.1")).toStrictEqual([]);
  }
});

test("MongoDB's shell decides its health at first, after a minute and after a change of roles.js", async () => {
  // The script with other files, because the health check of the container continues, and a shell that only says
  // that it ran.
  const script = `
    mongosh() { echo shell; cp /etc/clanxp/mongo/roles.js /tmp/test-roles.js; }
    export -f mongosh
    check() { sed s#/tmp/clanxp#/tmp/test# /etc/clanxp/compose/mongo-health.sh | bash && echo healthy; }
    check
    check
    touch -d "2 minutes ago" /tmp/test-healthy
    check
    echo >> /tmp/test-roles.js
    check
    mongosh() { echo shell; false; }
    rm /tmp/test-roles.js
    check || check || echo unhealthy`;
  const printed = await compose("exec", "-T", "mongo", "bash", "-c", script);
  expect(printed.split("\n").join(" ")).toBe("shell healthy healthy shell healthy shell healthy shell shell unhealthy");
});

test("MongoDB and Redis require passwords, which only their own service can read", async () => {
  const mongosh = ["exec", "-T", "mongo", "mongosh", "--quiet", "--norc", "--eval"];
  const anonymous = compose(...mongosh, "db.getSiblingDB('clanxp').clans.countDocuments()");
  await expect(anonymous).rejects.toThrow(/requires authentication/);
  expect(await compose("exec", "-T", "redis", "redis-cli", "DBSIZE")).toMatch(/NOAUTH/);
  const read = (await compose("exec", "-T", "worker", "ls", "/run/clanxp")).split(/\s+/);
  expect(read).toStrictEqual(["mongo-url", "redis-sentinel-url", "redis-url"]);
});

test("down and up with another database user for API and dashboard, and Sentinel, keeps the data and the passwords", async () => {
  await compose("--profile", "proxy", "down");
  Object.assign(env, {
    API_SECRETS: "api-secrets",
    COMPOSE_PROFILES: "sentinel",
    REDIS_URL_FILE: "/run/clanxp/redis-sentinel-url",
  });
  await compose("up", "--wait");
  const userOf = async (service: string): Promise<string> =>
    new URL(await compose("exec", "-T", service, "cat", "/run/clanxp/mongo-url")).username;
  const users = await Promise.all(["api", "dashboard", "worker", "notifier"].map(userOf));
  expect(users).toStrictEqual(["clanxp-api", "clanxp-api", "clanxp", "clanxp-notifier"]);
  const consistent = { entries: CALLERS * BATCHES * AWARDS, differences: [] };
  expect(await clanxp("reconcile", "--clan", "rovers")).toMatchObject(consistent);
  const answer = await fetch(`http://127.0.0.1:${ports["OPS_PORT"]}/readyz`);
  expect(answer.status).toBe(200);
});

test("batches continue after the master of Redis was killed, and it returns as a replica", async () => {
  const { secret } = await clanxp("key", "create", "rovers", "--name", "failover");
  const target: Target = { clanId: "rovers", key: secret, baseUrls: () => [`http://127.0.0.1:${ports["PORT"]}`] };
  const replication = 'REDISCLI_AUTH="$(cat /run/clanxp/password)" redis-cli INFO replication';
  const state = (): Promise<string> => compose("exec", "-T", "redis", "sh", "-c", replication);
  // Services that are up can do this immediately: the test before has waited for them and for nothing else.
  await compose("kill", "redis");
  await sendBatch(target, { key: "after", awards: [{ platformId: "m0", amount: 1 }] });
  await compose("start", "redis");
  await expect.poll(state, { timeout: FOLLOWS_MS_MAX }).toContain("master_link_status:up");
  const { checks } = await clanxp("doctor");
  const failed = checks.filter(
    ({ name, status }: Record<string, string>) => name?.startsWith("redis") && status !== "ok",
  );
  expect(failed).toStrictEqual([]);
});
