// What an award costs if the requests of a clan go to one of several APIs, and if they go to all of them in turn,
// through the same nginx.
import { randomBytes } from "node:crypto";
import { cliOn } from "../test/support/cli.ts";
import { affinitySite, type StartNginx } from "../test/support/nginx.ts";
import { startProcess, type RealProcess } from "../test/support/processes.ts";
import { scrape } from "../test/support/scrape.ts";
import type { LoadPlan } from "./load/plan.ts";
import { startGenerator } from "./load/run-load.ts";
import { cpuUsOf } from "./processes.ts";

const CLANS = 30;
const MEMBERS = 3_000;
const CALLERS = 64;
const WARM_MS = 3_000;

export type AffinityOptions = {
  mongoUrl: string;
  redisUrl: string;
  pids: { mongod: number; redis: number };
  startNginx: StartNginx;
  apis: number;
  measureMs: number;
};

/** `cpuUs`: per award, of one core's µs, by process; that of all APIs together. */
export type AffinityCost = {
  awardsPerSecond: number;
  awardsPerCommit: number;
  cpuUs: { api: number; mongod: number; redis: number; nginx: number };
};

/** Each in its own database. */
export async function measureAffinity(options: AffinityOptions & { byClan: boolean }): Promise<AffinityCost> {
  const url = new URL(options.mongoUrl);
  url.pathname = `/affinity-${randomBytes(4).toString("hex")}`;
  const env = { MONGO_URL: url.href, REDIS_URL: options.redisUrl, LOG_LEVEL: "info", NODE_ENV: "production" };
  const clans = await makeClans(env);
  const apis = Array.from({ length: options.apis }, () => startProcess("api", env));
  const generator = await startGenerator();
  try {
    const ports = await Promise.all(apis.map((api) => api.ready()));
    const site = affinitySite({ apis: ports.map(({ port }) => port), byClan: options.byClan });
    const nginx = await options.startNginx(site);
    try {
      const plan: LoadPlan = {
        port: nginx.port,
        clans,
        membersTotal: MEMBERS,
        spread: "uniform",
        awardsPerRequest: 1,
        isCall: false,
        callers: CALLERS,
        perSecond: null,
        warmMs: WARM_MS,
        measureMs: options.measureMs,
      };
      const readCpu = () => cpuOf(apis, { ...options.pids, nginx: nginx.pid });
      let [before, after] = [readCpu(), readCpu()];
      const result = await generator.run(plan, {
        began: () => void (before = readCpu()),
        ended: () => void (after = readCpu()),
      });
      if (Object.keys(result.failures).length > 0) throw new Error(`void: ${JSON.stringify(result.failures)}`);
      const cost = (name: keyof typeof before): number => (after[name] - before[name]) / result.awards;
      return {
        awardsPerSecond: result.awardsPerS,
        awardsPerCommit: await awardsPerCommit(ports.map(({ opsPort }) => opsPort)),
        cpuUs: { api: cost("api"), mongod: cost("mongod"), redis: cost("redis"), nginx: cost("nginx") },
      };
    } finally {
      await nginx.close();
    }
  } finally {
    generator.close();
    await Promise.all(apis.map((api) => api.stop()));
  }
}

function cpuOf(apis: readonly RealProcess[], pids: { mongod: number; redis: number; nginx: number }) {
  return {
    api: apis.reduce((sum, { pid }) => sum + cpuUsOf(pid), 0),
    mongod: cpuUsOf(pids.mongod),
    redis: cpuUsOf(pids.redis),
    nginx: cpuUsOf(pids.nginx),
  };
}

async function makeClans(env: Record<string, string>): Promise<LoadPlan["clans"]> {
  const cli = cliOn(env);
  const clans: { clanId: string; secret: string }[] = [];
  for (let index = 0; index < CLANS; index += 1) {
    const clanId = `affinity-${index}`;
    await cli.json("clan", "create", clanId, "--auto");
    const { answer } = await cli.json("key", "create", clanId, "--name", "bench");
    await cli.json("key", "limit", answer.keyId, "--requests", "none", "--awards", "none");
    clans.push({ clanId, secret: answer.secret });
  }
  return clans;
}

async function awardsPerCommit(opsPorts: readonly number[]): Promise<number> {
  const all = await Promise.all(opsPorts.map(scrape));
  const sum = (name: string): number => all.reduce((total, { series }) => total + (series.get(name) ?? 0), 0);
  return sum("clanxp_commit_group_awards_sum") / sum("clanxp_commit_group_awards_count");
}
