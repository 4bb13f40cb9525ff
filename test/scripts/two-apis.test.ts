// One member, two real API processes: the one of npm start and one more by npm run api, as a studio would add it.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { callerOf } from "../support/http.ts";
import { dataFolder, npmStart, type RunFile } from "../support/npm-start.ts";
import { root } from "../../scripts/paths.js";

const ROUNDS = 16;
const LISTENING = /"url":"http:\/\/127\.0\.0\.1:(\d+)".*"msg":"api\.listening"/;

/** Its port, once it listens. It ends with the test. */
async function npmRunApi(run: RunFile, dataDir: string): Promise<number> {
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: "0",
    OPS_PORT: "0",
    MONGO_URL: run.mongoUrl,
    REDIS_URL: run.redisUrl,
  };
  const child = spawn("npm", ["run", "api"], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGTERM"));
  for await (const line of createInterface(child.stdout)) {
    const port = LISTENING.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error("npm run api has ended before it listened");
}

describe.skipIf(process.platform !== "linux")("two API processes", { timeout: 120_000 }, () => {
  test("apply 64 concurrent awards of one member exactly once, and give equal responses for a shared key", async () => {
    const dataDir = dataFolder();
    const run = await npmStart(dataDir).ready();
    const key = readFileSync(join(dataDir, "demo-key"), "utf8").trim();
    const first = callerOf(Number(new URL(run.baseUrl).port), key);
    const second = callerOf(await npmRunApi(run, dataDir), key);
    await expect.poll(async () => (await second.get("/v0/clans/demo")).status).toBe(200);

    const path = "/v0/clans/demo/members/hot/xp?include=change";
    const rounds = await Promise.all(
      Array.from({ length: ROUNDS }, (_, round) => {
        const pair = [first, second].map((caller) =>
          caller.post(path, { amount: 3 }, { "idempotency-key": `pair-${round}` }),
        );
        const singles = [first, second].map((caller) => caller.post(path, { amount: 5 }));
        return Promise.all([...pair, ...singles]);
      }),
    );
    for (const [one, other, ...singles] of rounds) {
      expect([one, other, ...singles].map((reply) => reply?.status)).toStrictEqual([200, 200, 200, 200]);
      expect(one?.body).toStrictEqual(other?.body);
      expect([one, other].filter((reply) => reply?.headers.get("idempotency-replayed") === "true")).toHaveLength(1);
    }
    const { body } = await first.get("/v0/clans/demo/members/hot");
    expect(body).toMatchObject({ xp: String(ROUNDS * (3 + 5 + 5)), rank: "Recruit" });
  });
});
