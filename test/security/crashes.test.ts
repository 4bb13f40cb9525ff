// What a process writes when it dies: neither its environment's passwords nor the keys that it was shown.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { callerOf } from "../support/http.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";
import { makeWorld, type World } from "../support/world.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";

/** Like no other text, and free of characters that encodings change. */
const PASSWORD = "Kanarienvogel7f3a";

const HEAP = ["--max-old-space-size=128"];
const EXCLUDED = ["--report-on-fatalerror", "--report-exclude-env"];
const WHOLE = ["--report-on-fatalerror"];

describe.skipIf(process.platform === "win32")("a process that crashes", { timeout: 120_000 }, () => {
  let world: World;
  let env: Record<string, string>;
  const running: RealProcess[] = [];
  beforeAll(async () => {
    world = await makeWorld();
    // The password is a real one: the driver has it in hand, and uses it.
    await world.database.db().command({ createUser: "crash", pwd: PASSWORD, roles: ["readWrite", "dbAdmin"] });
    const [mongo, redis] = [new URL(world.mongoUrl), new URL(world.redisUrl)];
    Object.assign(mongo, { username: "crash", password: PASSWORD });
    mongo.searchParams.set("authSource", mongo.pathname.slice(1));
    redis.password = PASSWORD;
    env = { MONGO_URL: mongo.href, REDIS_URL: redis.href, LOG_LEVEL: "trace" };
  });
  afterEach(() => Promise.all(running.splice(0).map((process) => process.stop())));
  afterAll(async () => {
    await world.database.db().command({ dropUser: "crash" });
    await world.close();
  });

  const uncaught = { fault: "an uncaught error", signal: "SIGUSR2", expected: /process\.uncaught/, node: [] } as const;
  const heap = { signal: "SIGHUP", expected: /heap out of memory|heap limit/i } as const;
  const cases = [
    { role: "api", ...uncaught },
    { role: "worker", ...uncaught },
    { role: "api", ...heap, fault: "a full heap", node: [] },
    { role: "worker", ...heap, fault: "a full heap", node: [] },
    { role: "api", ...heap, fault: "a full heap, with a report without the environment", node: EXCLUDED },
  ] as const;
  test.for(cases)(
    "as $role, because of $fault, writes no password and no API key",
    async ({ role, signal, expected, node }) => {
      const { written, reports, secret } = await die(role, signal, node);
      expect(written).toMatch(expected);
      expect(reports).toBe(node.length > 0 ? 1 : 0);
      expect(written).not.toContain(PASSWORD);
      expect(written).not.toContain(secret);
    },
  );

  test("writes passwords into a report with the environment, which proves that the search can find them", async () => {
    const { written, reports, secret } = await die("api", "SIGHUP", WHOLE);
    expect(reports).toBe(1);
    expect(written).toContain(PASSWORD);
    expect(written).not.toContain(secret);
  });

  /** Everything that the process said, and the files that it left where it ran. */
  async function die(
    role: "api" | "worker",
    signal: NodeJS.Signals,
    node: readonly string[],
  ): Promise<{ written: string; reports: number; secret: string }> {
    const { clan, key } = await world.makeClan();
    const folder = tempDir();
    const preload = fileURLToPath(new URL("./die-on-signal.ts", import.meta.url));
    const dies = startProcess(role, env, [...HEAP, ...node, "--import", preload], folder);
    // The API is shown keys in any case: a worker is asked through one that lives.
    const api = role === "api" ? dies : startProcess("api", env);
    running.push(...new Set([dies, api]));
    const [{ port }] = await Promise.all([api.ready(), dies.ready()]);
    const caller = callerOf(port, key, `/v0/clans/${clan.clanId}`);
    await until(async () => (await caller.post("/members/m/xp", { amount: 1 })).status === 200);
    const batch = { awards: [{ platformId: "m", amount: 1 }] };
    await caller.post("/xp", batch, { prefer: "respond-async" });
    // Under way while it dies.
    const open = caller.post("/xp", batch, { prefer: "wait=30" }).catch(() => {});

    process.kill(dies.pid, signal);
    await dies.ended();
    await Promise.all(running.map((one) => one.stop()));
    await open;
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    return {
      written: [dies.output(), ...files].join("\n"),
      reports: files.length,
      secret: key.split("_")[2]?.slice(0, 33) ?? "",
    };
  }
});
