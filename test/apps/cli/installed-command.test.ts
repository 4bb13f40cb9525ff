// The command line as a process: its output, its end, and how long it waits for servers.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { realCliOn } from "../../support/cli.ts";
import { listen } from "../../support/listen.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { useWorld } from "../../support/use-api.ts";

/** Nothing listens there. */
const NO_MONGO = "mongodb://127.0.0.1:1/clanxp";
const NO_REDIS = "redis://127.0.0.1:1";

const world = await useWorld();
const MONGO_URL = world.mongoUrl;
const silent = createServer(() => {});
const silentPort = await listen(silent);
afterAll(() => void silent.close());

describe("the installed command", () => {
  test("prints to standard output, exits by itself, and needs no Redis if MongoDB is sufficient", async () => {
    const cli = realCliOn({ MONGO_URL, REDIS_URL: NO_REDIS }, tempDir());
    const created = await cli.json("clan", "create", "real", "--auto");
    expect([created.exitCode, created.stderr]).toEqual([0, ""]);
    const floor = await cli.json("clan", "set", "real", "--xp-floor", "-100");
    expect(floor.answer).toMatchObject({ clanId: "real", autoClan: true, xpFloor: "-100" });
    expect((await cli.run("clan", "create", "real")).exitCode).toBe(1);
    expect((await cli.run("clan", "create", "re al")).exitCode).toBe(2);
    expect((await cli.json("reconcile")).answer.differences).toEqual([]);
  });

  test("exits by itself after a command of the queue too", async () => {
    const cli = realCliOn({ MONGO_URL, REDIS_URL: world.redisUrl });
    expect((await cli.json("queue", "status")).answer.paused).toBe(false);
    expect((await cli.json("doctor")).exitCode).toBe(0);
  });

  test("reports no error if a reader closes the pipe", async () => {
    // More than a pipe holds.
    const { clan } = await world.makeClan();
    const docs = world.database.db().collection<{ _id: string }>("clans");
    const like = await docs.findOne({ _id: clan.clanId });
    await docs.insertMany(
      Array.from({ length: 1_000 }, (_, index) => ({ ...like, _id: `many-${index}`, name: "x".repeat(90) })),
    );
    const [node, script] = [process.execPath, join(import.meta.dirname, "../../../scripts/clanxp.js")];
    const child = spawn("sh", ["-c", `"${node}" "${script}" clan list | head -1`], {
      env: { ...process.env, MONGO_URL },
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const exitCode = await new Promise((resolve) => child.once("close", resolve));
    expect([exitCode, stderr]).toEqual([0, ""]);
  });

  describe("exits with code 3 within 5 s for", () => {
    test.concurrent.each([
      ["an unreachable MongoDB", ["clan", "list"], { MONGO_URL: NO_MONGO }],
      ["an unresponsive MongoDB", ["clan", "list"], { MONGO_URL: `mongodb://127.0.0.1:${silentPort}/x` }],
      ["an unreachable Redis", ["queue", "pause"], { MONGO_URL, REDIS_URL: NO_REDIS }],
      ["an unresponsive Redis", ["queue", "status"], { MONGO_URL, REDIS_URL: `redis://127.0.0.1:${silentPort}` }],
    ])("%s", async (_, args, env) => {
      const startedAt = performance.now();
      const { exitCode, answer, stderr } = await realCliOn(env).json(...args);
      expect([exitCode, answer.error.code]).toEqual([3, "unreachable"]);
      expect(stderr).toContain("Is npm start running");
      // The guarantee is 5 s on an idle machine.
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    });
  });
});
