// healthcheck: what an engine reads from its exit code, against a process that is ready, one that is not, and none.
import { readFile, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { systemClock } from "#process/clock.ts";
import { watchHealth } from "#process/health.ts";
import { startOpsServer } from "#process/ops-server.ts";
import { cliOn, realCliOn, type CommandLine, type RanJson } from "../../support/cli.ts";
import { listen } from "../../support/listen.ts";
import { until } from "../../support/until.ts";
import { testLog } from "../../support/world.ts";
import { useTempDir } from "../../support/temp-dir.ts";
import { useApi } from "../../support/use-api.ts";

const opsPort = String((await useApi()).opsPort);
const folder = useTempDir();

/** Of a process that has asked its servers, which have answered it within a second: a pause ends its readiness. */
async function whenReady(cli: CommandLine): Promise<RanJson> {
  let ran!: RanJson;
  await until(async () => {
    ran = await cli.json("healthcheck");
    return ran.exitCode === 0;
  });
  return ran;
}

test("healthcheck exits with code 0 and each dependency for a ready process, whatever its address", async () => {
  for (const HOST of ["127.0.0.1", "0.0.0.0", "::"]) {
    const { answer, stderr } = await whenReady(cliOn({ HOST, OPS_PORT: opsPort }));
    expect(stderr).toBe("");
    expect(answer).toEqual({
      ready: true,
      url: `http://127.0.0.1:${opsPort}/readyz`,
      dependencies: expect.objectContaining({ mongo: expect.objectContaining({ state: "up" }) }),
    });
  }
  const shown = async () => (await cliOn({ OPS_PORT: opsPort }).run("healthcheck")).stdout;
  await expect.poll(shown).toMatch(/^ready +yes\nmongo +up since /);
});

test("healthcheck contacts only the checked process, and loads neither drivers nor schemas", async () => {
  const list = join(folder, "loaded");
  const hook = `import { registerHooks } from "node:module"; import { writeFileSync } from "node:fs";
    const urls = [];
    registerHooks({ resolve(name, context, next) {
      const found = next(name, context); urls.push(found.url); return found; } });
    process.once("exit", () => writeFileSync(${JSON.stringify(list)}, urls.join("\\n")));`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
  expect((await whenReady(realCliOn({ OPS_PORT: opsPort, NODE_OPTIONS }, folder))).stderr).toBe("");
  const urls = (await readFile(list, "utf8")).split("\n");
  expect(urls).toContainEqual(expect.stringMatching(/\/node_modules\/commander\//));
  expect(urls.filter((url) => /\/node_modules\/(mongodb|ioredis|bullmq|zod)\//.test(url))).toEqual([]);
});

test("healthcheck finds the process of the running npm start in DATA_DIR, but prefers OPS_PORT", async () => {
  await writeFile(join(folder, "run.json"), JSON.stringify({ opsUrl: `http://127.0.0.1:${opsPort}` }));
  await whenReady(cliOn({ DATA_DIR: folder }));
  await whenReady(cliOn({ DATA_DIR: folder, OPS_PORT: "0" }));
  expect((await cliOn({ DATA_DIR: folder, OPS_PORT: "1" }).json("healthcheck")).exitCode).toBe(3);
});

test("healthcheck exits with code 1, the dependency and the reason if a dependency is down", async () => {
  const check = (): Promise<void> => Promise.reject(new Error("it is away"));
  const health = watchHealth({ checks: { redis: { check, required: true } }, clock: systemClock, log: testLog });
  const ops = await startOpsServer({ host: "127.0.0.1", port: 0, health, metrics: new Registry() });
  await expect.poll(() => health.report()["redis"]?.detail).toBe("it is away");

  const cli = cliOn({ OPS_PORT: String(ops.port) });
  const { exitCode, answer } = await cli.json("healthcheck");
  expect([exitCode, answer.ready, answer.dependencies.redis.state]).toEqual([1, false, "down"]);
  expect((await cli.run("healthcheck")).stdout).toMatch(/^ready +no\nredis +down since \S+: it is away$/m);
  health.stop();
  await ops.close();
});

test("healthcheck exits with code 3 within 5 s without a process, a response, or the right program on the port", async () => {
  const silent = createServer(() => {});
  const other = createHttpServer((_, res) => void res.end('{"status":"fine"}'));
  const ports = [1, await listen(silent), await listen(other)];
  const startedAt = performance.now();
  for (const port of ports) {
    const { exitCode, answer } = await cliOn({ OPS_PORT: String(port) }).json("healthcheck");
    expect([exitCode, answer.error.code]).toEqual([3, "unreachable"]);
    expect(answer.error.message).toContain(`127.0.0.1:${port}`);
  }
  // The guarantee is 5 s for each on an idle machine.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  for (const server of [silent, other]) server.close();
});

test.each([
  ["0", "OPS_PORT is 0"],
  ["70000", "OPS_PORT is not a port"],
  ["x", "OPS_PORT is not a port"],
])("healthcheck exits with code 2 for the OPS_PORT %s of no running npm start", async (port, fault) => {
  const { exitCode, answer } = await cliOn({ DATA_DIR: join(folder, "none"), OPS_PORT: port }).json("healthcheck");
  expect([exitCode, answer.error.message]).toEqual([2, expect.stringContaining(fault)]);
});
