// Sentinel and a Cluster that speak TLS alone, with users that have no more rights than
// docs/how-to/mongodb-and-redis.md asks for.
import { describe, expect, onTestFinished, test } from "vitest";
import { startCluster, startSentinel, type Security } from "../faults/redis-servers.ts";
import { realCliOn } from "../support/cli.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { startProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { makeWorld } from "../support/world.ts";
import { hasOpenssl, makeCertificates } from "./certificates.ts";

const USER = "clanxp";
const PASSWORD = "nobody-reads-this-5c1e";

describe.skipIf(!hasOpenssl())("behind TLS and users with few rights", { timeout: 120_000 }, () => {
  test.each([
    ["Sentinel", startSentinel, { REDIS_SENTINEL_USERNAME: USER, REDIS_SENTINEL_PASSWORD: PASSWORD }],
    ["a Cluster", startCluster, {}],
  ])("%s serves API, worker and command line", async (_, startServers, settings) => {
    const certificates = makeCertificates();
    const world = await makeWorld();
    const { databaseName } = world.database.db();
    const security: Security = {
      certificates,
      user: USER,
      password: PASSWORD,
      rights: [`~{clanxp:${databaseName}}*`, "&*", "+@all", "-@dangerous", "+info"],
      sentinelRights: "-@all +auth +hello +ping +client +sentinel|get-master-addr-by-name +sentinel|sentinels".split(
        " ",
      ),
    };
    const servers = await startServers(security);
    const urls = { MONGO_URL: world.mongoUrl, REDIS_URL: servers.url };
    const env = { ...urls, ...settings, NODE_EXTRA_CA_CERTS: certificates.ca, LOG_LEVEL: "trace" };
    const processes = (["api", "worker"] as const).map((role) => startProcess(role, env));
    onTestFinished(async () => {
      await Promise.all(processes.map((process) => process.stop()));
      await world.close();
      await servers.close();
    });
    for (const process of processes) {
      const { opsPort } = await process.ports();
      await until(async () => (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).ok);
    }
    const { port } = await (processes[0] as (typeof processes)[number]).ports();
    const sent = await (await makeClanCaller(world, port)).submit([{ platformId: "m", amount: 7 }]);
    expect(sent).toMatchObject({ status: 200, body: { applied: 1, results: [{ xp: "7" }] } });
    const cli = realCliOn(env);
    // Again where a server or the command was too slow: it waits for a few seconds at most.
    await expect.poll(async () => (await cli.json("queue", "status")).exitCode).toBe(0);
    const failed = async (): Promise<unknown[]> =>
      (await cli.json("doctor")).answer.checks.filter(
        ({ name, status }: Record<string, string>) => /redis|queue/.test(name ?? "") && status !== "ok",
      );
    await expect.poll(failed).toStrictEqual([]);
    expect(processes.map((process) => process.output()).join("")).not.toContain(PASSWORD);
  });
});
