// Secrets are planted, everything that processes write is collected, and the secrets are searched for in it.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Redis } from "ioredis";
import { withoutCredentials } from "#process/credentials.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { writeWhole } from "../../scripts/system/private-files.ts";
import { cliOn } from "../support/cli.ts";
import { callerOf } from "../support/http.ts";
import { tempDir } from "../support/temp-dir.ts";
import { makeWorld } from "../support/world.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";

/** Like no other text, and free of characters that encodings change. */
const CANARY = "Kanarienvogel7f3a";

const running: RealProcess[] = [];
function start(role: "api" | "worker", env: Record<string, string>): RealProcess {
  const process = startProcess(role, { LOG_LEVEL: "trace", ...env });
  running.push(process);
  return process;
}

const world = await makeWorld();
afterAll(async () => {
  await Promise.all(running.map((process) => process.stop()));
  await world.close();
});

/** What any user of the machine can see of a process. */
function commandLineOf({ pid }: RealProcess): string {
  return process.platform === "linux"
    ? readFileSync(`/proc/${pid}/cmdline`, "utf8") + readFileSync(`/proc/${pid}/comm`, "utf8")
    : "";
}

async function textAt(url: string): Promise<string> {
  const answer = await fetch(url);
  return JSON.stringify([...answer.headers]) + (await answer.text());
}

const at = (url: string, userInfo: string): string => url.replace(/:\/\/(?:[^/]*@)?/, `://${userInfo}@`);

describe("a password of MongoDB or Redis in a wrong, misspelled or unreachable URL", { timeout: 120_000 }, () => {
  const wrong: [string, (url: string) => string, (url: string) => string][] = [
    ["unknown there", (mongo) => at(mongo, `user:${CANARY}`), (redis) => at(redis, `:${CANARY}`)],
    ["with / and @", (mongo) => at(mongo, `user:${CANARY}/@${CANARY}`), (redis) => at(redis, `:${CANARY}/@${CANARY}`)],
    ["badly encoded", (mongo) => at(mongo, `user:${CANARY}%zz`), (redis) => at(redis, `user:${CANARY}%zz`)],
    ["at no host", () => `mongodb://user:${CANARY}@nowhere.invalid/x`, () => `redis://:${CANARY}@nowhere.invalid`],
    [
      "of a service record",
      () => `mongodb+srv://user:${CANARY}@nowhere.invalid/x`,
      (redis) => at(redis, `${CANARY}:${CANARY}`),
    ],
  ];
  test.concurrent.for(wrong)("never appears in any output: %s", async ([name, mongo, redis]) => {
    const urls = { MONGO_URL: mongo(world.mongoUrl), REDIS_URL: redis(world.redisUrl) };
    // A worker reaches for its servers as an API does; one of them shows it.
    const processes = [start("api", urls), ...(name === "unknown there" ? [start("worker", urls)] : [])];
    const cli = cliOn(urls);
    const commands = [["doctor"], ["queue", "status"], ["clan", "list"], ["clan", "list", "--json"]];
    const output = await Promise.all(commands.map((command) => cli.run(...command)));
    expect(output.map(({ exitCode }) => exitCode)).not.toContain(0);

    const answers = await Promise.all(
      processes.map(async (process, index) => {
        const shown = commandLineOf(process);
        await process.loggedOrExited("mongo.unreachable");
        if (/start_failed|The settings are not usable/.test(process.output())) return shown;
        const { port, opsPort } = await process.ports();
        const pages = ["readyz", "metrics", "livez"].map((page) => textAt(`http://127.0.0.1:${opsPort}/${page}`));
        const rejection = index === 0 ? [JSON.stringify(await callerOf(port, madeUpKey).get("/v0/clans/x"))] : [];
        return [shown, ...(await Promise.all(pages)), ...rejection].join("\n");
      }),
    );
    await Promise.all(processes.map((process) => process.stop()));

    const written = [...processes.map((process) => process.output()), ...answers, JSON.stringify(output)];
    for (const text of written) expect(text).not.toMatch(new RegExp(CANARY, "i"));
    // It was a failure of the driver that was logged, and not nothing.
    for (const process of processes)
      expect(process.output()).toMatch(/unreachable|start_failed|The settings are not usable/);
  });
});

test("secrets are removed from a text that quotes a connection string or an API key", () => {
  const quoted = [
    `cannot connect to mongodb://user:${CANARY}@host:1/db, retrying`,
    `Invalid connection string "mongodb+srv://user:${CANARY}/@:${CANARY}@host/db"`,
    `redis://:${CANARY}@host and rediss://${CANARY}:${CANARY}@host`,
    `rediss+sentinel://host:26379/mymaster?sentinelPassword=${CANARY}&family=4 is not reachable`,
    `the key cxp_0123456789abcdef_${CANARY} is not valid`,
  ];
  for (const text of quoted) {
    expect(withoutCredentials(text)).not.toContain(CANARY);
    expect(withoutCredentials(text)).toMatch(/host|not valid/);
  }
});

const madeUpKey = "cxp_0000000000000000_000000000000000000000000000000000000000";

describe("the secret of an API key, in every header that may carry one,", { timeout: 120_000 }, () => {
  test("is in no log line at trace level, no response, metric, job, Redis key or MongoDB document", async () => {
    const { clan, key } = await world.makeClan();
    const urls = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl };
    const processes = [start("api", urls), start("worker", urls)] as const;
    const [{ port, opsPort }] = await Promise.all([processes[0].ready(), processes[1].ready()]);

    const secret = key.split("_")[2]?.slice(0, 33) ?? "";
    const otherSecret = `${CANARY}${secret}`.slice(0, 33);
    const headers: Record<string, string>[] = [
      { authorization: `Bearer ${key}` },
      { "api-key": key },
      { authorization: `Basic ${key}` },
      { authorization: key },
      { authorization: `Bearer ${key}x` },
      { authorization: `Bearer ${key.replace(secret, otherSecret)}` },
      { authorization: `Bearer ${key}`, "api-key": "another" },
      { authorization: `Bearer ${key}`, "proxy-authorization": key, cookie: `key=${key}`, "x-api-key": key },
    ];
    const anyone = callerOf(port, null, `/v0/clans/${clan.clanId}`);
    const answers = [];
    for (const sent of headers) {
      answers.push(await anyone.post("/members/m/xp", { amount: 1 }, sent));
      answers.push(await anyone.post("/xp", { awards: [{ platformId: "m", amount: 1 }] }, sent));
      answers.push(await anyone.post("/members/m/xp", "nonsense", sent), await anyone.get("/members", sent));
      answers.push(await callerOf(port, null, "/v0/clans/other").get("", sent));
    }
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([200, 400, 401, 403]));

    const shown = processes.map(commandLineOf);
    const pages = await Promise.all(
      ["readyz", "metrics", "livez"].map((page) => textAt(`http://127.0.0.1:${opsPort}/${page}`)),
    );
    const stored = [await everythingInMongo(), await everythingInRedis()];
    expect(stored[0]).toContain(clan.clanId);
    expect(stored[1]).toContain("bat_");
    await Promise.all(processes.map((process) => process.stop()));
    const answered = answers.map((answer) => JSON.stringify([answer.body, ...answer.headers]));
    for (const text of [...processes.map((process) => process.output()), ...answered, ...shown, ...pages, ...stored]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(otherSecret);
      expect(text).not.toContain(CANARY);
    }
  });

  async function everythingInMongo(): Promise<string> {
    const db = world.database.db();
    const documents = await Promise.all((await db.collections()).map((collection) => collection.find().toArray()));
    return JSON.stringify(documents, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  }

  /** All names and values of this world: jobs, events, locks, buckets. */
  async function everythingInRedis(): Promise<string> {
    const redis = new Redis(world.redisUrl);
    try {
      const names = await redis.keys(`${redisNamespace(world.mongoUrl)}*`);
      const values = await Promise.all(
        names.map(async (name) => {
          switch (await redis.type(name)) {
            case "hash":
              return redis.hgetall(name);
            case "stream":
              return redis.xrange(name, "-", "+");
            case "zset":
              return redis.zrange(name, "0", "-1");
            case "list":
              return redis.lrange(name, 0, -1);
            case "set":
              return redis.smembers(name);
            default:
              return redis.get(name);
          }
        }),
      );
      return JSON.stringify([names, values]);
    } finally {
      redis.disconnect();
    }
  }
});

test("the records of npm start, whose URLs may contain passwords, are readable only by their owner", () => {
  const path = join(tempDir(), "run.json");
  writeWhole(path, `mongodb://user:${CANARY}@host`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
