// MongoDB and Redis behind TLS and passwords, their certificates signed by an authority that only the operator knows.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { patient, realCliOn, type CommandLine, type Ran } from "../support/cli.ts";
import { callerOf } from "../support/http.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";
import { hasOpenssl, makeCertificates, type Certificates } from "./certificates.ts";
import { startTlsServers, type TlsServers } from "./servers.ts";

const PASSWORD = "nobody-reads-this-7f3a";

describe.skipIf(!hasOpenssl())("servers behind TLS and passwords", { timeout: 120_000 }, () => {
  let trusted: Certificates;
  let servers: TlsServers;
  const processes: RealProcess[] = [];
  const output: string[] = [];
  beforeAll(async () => {
    trusted = makeCertificates();
    servers = await startTlsServers(trusted, "clanxp", PASSWORD);
  });
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.stop()));
    await servers.stop();
  });

  const urls = () => ({ MONGO_URL: servers.mongoUrl, REDIS_URL: servers.redisUrl, LOG_LEVEL: "trace" });
  function start(role: "api" | "worker", env: Record<string, string>): RealProcess {
    const process = startProcess(role, env);
    processes.push(process);
    return process;
  }
  async function readiness(process: RealProcess): Promise<{ ok: boolean; text: string }> {
    const { opsPort } = await process.ports();
    const answer = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
    return { ok: answer.ok, text: await answer.text() };
  }
  // A command waits for its servers for a few seconds. Where that was too short, it is run again.
  async function runs(cli: CommandLine, ...args: string[]): Promise<any> {
    const { exitCode, answer, stderr } = await patient(cli).json(...args);
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: "" });
    return answer;
  }
  async function isRejected(cli: CommandLine, command: readonly string[], reason: RegExp): Promise<Ran> {
    let ran: Ran = { exitCode: 0, stdout: "", stderr: "" };
    await expect.poll(async () => (ran = await cli.run(...command)).stderr).toMatch(reason);
    return ran;
  }

  test("are used by API, worker and command line with the authority in NODE_EXTRA_CA_CERTS", async () => {
    const env = { ...urls(), NODE_EXTRA_CA_CERTS: trusted.ca };
    const [api, worker] = [start("api", env), start("worker", env)];
    for (const process of [api, worker]) await until(async () => (await readiness(process)).ok);
    const cli = realCliOn(env);
    await runs(cli, "clan", "create", "tls", "--auto");
    const { secret } = await runs(cli, "key", "create", "tls", "--name", "game-server");
    // What is wrong with this machine's MongoDB is not what this test is about.
    type Check = { name: string; status: string };
    const isAmiss = ({ name, status }: Check): boolean => status !== "ok" && name !== "mongo version";
    await expect.poll(async () => (await cli.json("doctor")).answer.checks.filter(isAmiss)).toStrictEqual([]);

    const caller = callerOf((await api.ports()).port, secret);
    const award = await caller.post("/v0/clans/tls/members/m/xp", { amount: 5 });
    expect(award).toMatchObject({ status: 200, body: { xp: "5" } });
    const batch = await caller.post("/v0/clans/tls/xp", { awards: [{ platformId: "m", amount: 7 }] });
    expect(batch).toMatchObject({ status: 200, body: { applied: 1, results: [{ xp: "12" }] } });
    expect(await runs(cli, "reconcile")).toMatchObject({ differences: [] });
  });

  test("are used with a certificate authority from the URL of MongoDB", async () => {
    const cli = realCliOn({ ...urls(), MONGO_URL: `${servers.mongoUrl}&tlsCAFile=${encodeURIComponent(trusted.ca)}` });
    expect(await runs(cli, "clan", "create", "by-url")).toMatchObject({ clanId: "by-url" });
  });

  test("are rejected by all programs if their authority is unknown, with an error that names the certificate", async () => {
    const env = { ...urls(), NODE_EXTRA_CA_CERTS: makeCertificates().ca };
    const roles = (["api", "worker"] as const).map((role) => start(role, env));
    const commands = [
      ["clan", "list"],
      ["queue", "status"],
    ].map((command) => isRejected(realCliOn(env), command, /certificate/));
    for (const { exitCode, stderr } of await Promise.all(commands)) {
      output.push(stderr);
      expect(exitCode).toBe(3);
    }
    for (const process of roles) {
      for (const event of ["redis.unreachable", "mongo.unreachable"]) {
        await process.loggedOrExited(event);
        const lines = process.output().split("\n");
        expect(lines.find((line) => line.includes(event))).toMatch(/certificate/);
      }
      expect((await readiness(process)).ok).toBe(false);
    }
  });

  test("reject a wrong password, which is reported as such", async () => {
    const wrong = (url: string): string => url.replace(PASSWORD, "not-the-password");
    const wrongUrls = { MONGO_URL: wrong(servers.mongoUrl), REDIS_URL: wrong(servers.redisUrl) };
    const env = { ...urls(), ...wrongUrls, NODE_EXTRA_CA_CERTS: trusted.ca };
    const rejected = [
      [["clan", "list"], /Authentication failed/],
      [["queue", "status"], /WRONGPASS/],
    ] as const;
    const ran = await Promise.all(rejected.map(([command, reason]) => isRejected(realCliOn(env), command, reason)));
    for (const { exitCode, stderr } of ran) {
      expect(exitCode).toBe(3);
      expect(stderr).not.toContain("not-the-password");
    }
  });

  test("never appear with a password in any output at the most verbose log level", async () => {
    for (const process of processes) output.push(process.output(), (await readiness(process)).text);
    expect(output.length).toBeGreaterThan(6);
    expect(output.join("\n")).not.toContain(PASSWORD);
  });
});
