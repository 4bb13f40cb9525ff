// npm start, for real: what docs/how-to/npm-start.md guarantees beyond a first start (first-start.test.ts).
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { Redis } from "ioredis";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import {
  award,
  awardWhenServed,
  dataFolder,
  fileIn,
  IN_TERMINAL,
  killAll,
  makeDataFolder,
  newcomersPath,
  npmStart,
  pathToSilentRedis,
  processesOf,
  readRunFile,
  takenPort,
} from "../support/npm-start.ts";
import { root } from "../../scripts/paths.js";
import { startServices } from "../../scripts/services/start-services.ts";
import { isNewEnough } from "../../scripts/setup/toolchain.js";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";
import { makeWorld } from "../support/world.ts";

const STOP_MS_MAX = 15_000;
const sh = promisify(execFile);
const NODE_OF_NEWCOMER = execFileSync("node", ["-p", "process.versions.node"], {
  env: { PATH: newcomersPath },
  encoding: "utf8",
});

const WITH_TIMINGS = ["npm", "start", "--", "--timings"];

type Start = ReturnType<typeof npmStart>;

describe.skipIf(process.platform !== "linux")("npm start", { timeout: 180_000 }, () => {
  const { dataDir: sharedDir, remove } = makeDataFolder();
  let running: Start | null = null;
  afterAll(remove);

  /**
   * On a folder that several tests share, each with its own member. Started unless the previous test left it running.
   */
  async function sharedStart(command?: readonly string[]): Promise<Start> {
    if (running === null) {
      running = npmStart(sharedDir, {}, root, command);
      await running.ready();
    }
    return running;
  }

  test("restarts every killed child on the same port, updates run.json, and loses no award", async () => {
    await sharedStart();
    for (const [index, name] of (["api", "worker", "notifier", "dashboard", "redis", "mongod"] as const).entries()) {
      const before = readRunFile(sharedDir);
      process.kill(before.pids[name], "SIGKILL");
      await until(() => readRunFile(sharedDir).pids[name] !== before.pids[name]);
      expect(await awardWhenServed(sharedDir, "of-killed-children", 10)).toBe(String(10 * (index + 1)));
      const after = readRunFile(sharedDir);
      expect(after).toEqual({ ...before, pids: { ...before.pids, [name]: after.pids[name] } });
    }
    const { opsUrl, notifierOpsUrl } = readRunFile(sharedDir);
    for (const url of [opsUrl, notifierOpsUrl]) await until(async () => (await fetch(`${url}/readyz`)).status === 200);
  });

  test("exits with code 0 in time after any signals, leaves no process, and keeps the data", async () => {
    const ways: [stop: (start: Start) => void, command?: readonly string[]][] = [
      [(start) => start.signalNpm("SIGTERM")],
      [(start) => start.type("\u0003"), IN_TERMINAL], // Ctrl-C
      [(start) => (start.signalGroup("SIGTERM"), start.signalGroup("SIGTERM")), WITH_TIMINGS],
    ];
    for (const [index, [stop, command]] of ways.entries()) {
      const start = await sharedStart(command);
      expect(await award(sharedDir, "of-stops", 10)).toEqual({ status: 200, xp: String(10 * (index + 1)) });
      const stoppedAt = performance.now();
      running = null;
      stop(start);
      expect(await start.ended).toBe(0);
      expect(performance.now() - stoppedAt).toBeLessThan(STOP_MS_MAX);
      expect(processesOf(sharedDir)).toEqual([]);
      expect(fileIn(sharedDir, "run.json")).toBe(false);
      expect(start.output.stdout).toContain(`Stopped. Data is in ${sharedDir}; npm start continues.`);
      if (command === IN_TERMINAL) expectReadable(start.output.stdout);
      if (command === WITH_TIMINGS) expectTimings(start.output.stderr);
    }
  });

  test.skipIf(isNewEnough(NODE_OF_NEWCOMER))(
    "started by an older Node exits with code 0 on SIGTERM, and stops everything after kill -9 of that Node",
    async () => {
      const begin = (dataDir: string): Start =>
        npmStart(dataDir, { PATH: newcomersPath }, root, ["node", "scripts/start.js"]);
      const newDir = dataFolder();
      const stopped = begin(newDir);
      await until(() => fileIn(newDir, "lock"));
      stopped.signalNpm("SIGTERM");
      expect(await stopped.ended).toBe(0);
      // What a start was running is killed as it exits, and ends a moment later.
      await expect.poll(() => processesOf(newDir)).toEqual([]);

      running?.signalNpm("SIGTERM");
      await running?.ended;
      running = null;
      const killed = begin(sharedDir);
      await killed.ready();
      killed.signalNpm("SIGKILL");
      await until(() => processesOf(sharedDir).length === 0);
      expect(fileIn(sharedDir, "run.json")).toBe(false);
    },
  );

  test("can be started again after kill -9 of everything, with all acknowledged awards", async () => {
    await sharedStart();
    for (let count = 0; count < 10; count += 1) await award(sharedDir, "of-kill-all", 10);
    running = null;
    await killAll(sharedDir);

    await sharedStart();
    expect(await award(sharedDir, "of-kill-all", 1)).toEqual({ status: 200, xp: "101" });
  });

  test("takes over the processes of a supervisor that was killed alone", async () => {
    await sharedStart();
    const before = readRunFile(sharedDir);
    await award(sharedDir, "of-a-lost-supervisor", 10);
    running = null;
    process.kill(JSON.parse(readFileSync(join(sharedDir, "lock"), "utf8")).pid, "SIGKILL");

    await sharedStart();
    const after = readRunFile(sharedDir);
    expect(await award(sharedDir, "of-a-lost-supervisor", 1)).toEqual({ status: 200, xp: "11" });
    expect(Object.values(before.pids).filter((pid) => Object.values(after.pids).includes(pid))).toEqual([]);
  });

  test("exits with code 0 and leaves no process if it is stopped during its start", async () => {
    const dataDir = dataFolder();
    const start = npmStart(dataDir);
    await until(() => fileIn(dataDir, "services/mongod.json"));
    start.signalNpm("SIGTERM");
    expect(await start.ended).toBe(0);
    await expect.poll(() => processesOf(dataDir)).toEqual([]);
  });

  test("completes a first start that was interrupted before it created the demo clan", async () => {
    const dataDir = dataFolder();
    const start = npmStart(dataDir, { PATH: pathToSilentRedis() });
    await until(() => fileIn(dataDir, "services/redis.json"));
    await killAll(dataDir);
    await start.ended;
    expect(fileIn(dataDir, "demo-key")).toBe(false);

    await npmStart(dataDir).ready();
    expect((await award(dataDir, "player-1", 1)).status).toBe(200);
  });

  test("lists all invalid settings, and both of two ports that are in use, and starts nothing", async () => {
    const dataDir = dataFolder();
    const invalid = npmStart(dataDir, { PORT: "eighty", LOG_LEVEL: "loud" });
    expect(await invalid.ended).toBe(1);
    expect(invalid.output.stderr).toMatch(/PORT is not a port number.*\n.*LOG_LEVEL is none of/);
    expect(fileIn(dataDir, "lock")).toBe(false);

    const taken = { PORT: String(await takenPort()), OPS_PORT: String(await takenPort()) };
    const start = npmStart(dataDir, taken);
    expect(await start.ended).toBe(1);
    expect(existsSync(dataDir)).toBe(false);
    for (const [name, port] of Object.entries(taken))
      expect(start.output.stderr).toContain(`${name} ${port} on 127.0.0.1 is in use`);
    expect(processesOf(dataDir)).toEqual([]);
  });

  test("rejects a data folder that is a file, or in which no folder can be created, at once", async () => {
    const file = dataFolder();
    writeFileSync(file, "");
    for (const dataDir of [file, "/proc/x", "/proc/x/y", "/proc"]) {
      const start = npmStart(dataDir);
      expect(await start.ended).toBe(1);
      expect(start.output.stderr).toMatch(new RegExp(`^DATA_DIR ${dataDir} cannot be used: .+$`, "m"));
    }
  });

  test("exits with code 1 if a process cannot start, and does not start it again", async () => {
    const world = await makeWorld();
    const services = await startServices({ dataDir: tempDir(), mongoUrl: world.mongoUrl, log: () => {} });
    onTestFinished(async () => {
      await services.stop();
      await world.close();
    });
    const redis = new Redis(services.redisUrl);
    await redis.config("SET", "maxmemory-policy", "allkeys-lru");
    redis.disconnect();
    const dataDir = dataFolder();
    const start = npmStart(dataDir, { MONGO_URL: world.mongoUrl, REDIS_URL: services.redisUrl });
    expect(await start.ended).toBe(1);
    expect(start.output.stdout + start.output.stderr).toContain("maxmemory-policy noeviction");
    expect(start.output.stderr).toMatch(/^(api|worker|dashboard) cannot start: it has printed the reason$/m);
    expect(start.output.stderr).not.toContain("is restarted");
    expect(processesOf(dataDir)).toEqual([]);
  });

  test("with -- --help prints a description and starts nothing", async () => {
    const { stdout } = await sh("npm", ["start", "--", "--help"], { cwd: root });
    expect(stdout).toContain("DATA_DIR");
  });
});

/** On a terminal: no log records, and no line too wide but long names of folders and what a slow start waits for. */
function expectReadable(printed: string): void {
  const all = stripVTControlCharacters(printed).split(/[\r\n]+/);
  const lines = all.filter((line) => !/^clanxp: \w+ is not ready yet: /.test(line));
  const awayFromFolder = lines.filter((line) => !line.includes("/"));
  expect(awayFromFolder.filter((line) => line.length > 80)).toStrictEqual([]);
  expect(lines.filter((line) => /\.listening|\.started|"level"/.test(line))).toStrictEqual([]);
  expect(lines.filter((line) => /^ {2}(?:Dashboard|API|Key file|Stop|Read next) /.test(line))).toHaveLength(5);
}

/** Every step, and no step longer than all. */
function expectTimings(stderr: string): void {
  const steps = new Map(
    [...stderr.matchAll(/^clanxp: (.+): (\d+\.\d\d) s$/gm)].map(([, step, s]) => [step, Number(s)]),
  );
  const names = ["loading this program", "programs of MongoDB and Redis", "mongod", "redis", "pages of the dashboard"];
  for (const step of [...names, "api", "worker", "notifier", "dashboard", "link to the dashboard"])
    expect({ step, s: steps.get(step) }).toStrictEqual({ step, s: expect.any(Number) });
  expect(Math.max(...steps.values())).toBe(steps.get("the whole start"));
}
