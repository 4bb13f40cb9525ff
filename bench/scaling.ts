// `npm run bench:scaling -- [--latency MS] [--batches PER_WORKER]`: batches per second with 1, 2 and 4 worker processes
// and that latency to MongoDB (20 ms), on separate servers.
// `npm run bench:scaling -- --apis N [--seconds S]`: the cost of an award through nginx with several APIs, with and
// without affinity by clan.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startServices, type Services } from "../scripts/services/start-services.ts";
import { nginxOrNull } from "../test/support/nginx.ts";
import { measureAffinity } from "./measure-affinity.ts";
import { measureScaling } from "./measure-scaling.ts";

const { values } = parseArgs({
  options: {
    latency: { type: "string", default: "20" },
    batches: { type: "string", default: "1000" },
    apis: { type: "string" },
    seconds: { type: "string", default: "15" },
  },
});

async function compareWorkers(services: Services): Promise<void> {
  const curve = await measureScaling({
    ...services,
    latencyMs: Number(values.latency),
    batchesPerWorker: Number(values.batches),
    workers: [1, 2, 4],
  });
  const alone = curve[0]?.batchesPerSecond ?? Number.NaN;
  process.stdout.write("| workers | batches/s | times one worker |\n|---|---|---|\n");
  for (const { workers, batchesPerSecond } of curve) {
    process.stdout.write(
      `| ${workers} | ${batchesPerSecond.toFixed(0)} | ${(batchesPerSecond / alone).toFixed(2)} |\n`,
    );
  }
}

async function compareAffinity({ mongoUrl, redisUrl, mongod, redis }: Services, apis: number): Promise<void> {
  const startNginx = await nginxOrNull();
  if (!startNginx || !mongod || !redis) throw new Error("nginx is missing: npm run setup:tools fetches it");
  const options = { mongoUrl, redisUrl, pids: { mongod: mongod.pid, redis: redis.pid }, startNginx, apis };
  const columns = ["requests of a clan go to", "awards/s", "awards per commit group"];
  const header = [...columns, ...["APIs", "mongod", "Redis", "nginx"].map((name) => `${name}, µs per award`)];
  process.stdout.write(`| ${header.join(" | ")} |\n|${header.map(() => "---|").join("")}\n`);
  for (const byClan of [false, true]) {
    const { awardsPerSecond, awardsPerCommit, cpuUs } = await measureAffinity({
      ...options,
      byClan,
      measureMs: Number(values.seconds) * 1_000,
    });
    const costs = [cpuUs.api, cpuUs.mongod, cpuUs.redis, cpuUs.nginx].map((us) => us.toPrecision(3));
    const target = byClan ? "one API" : `${apis} APIs in turn`;
    const row = [target, awardsPerSecond.toFixed(0), awardsPerCommit.toFixed(1), ...costs];
    process.stdout.write(`| ${row.join(" | ")} |\n`);
  }
}

const folder = mkdtempSync(join(tmpdir(), "clanxp-scaling-"));
const services = await startServices({ dataDir: folder, log: (line) => process.stderr.write(`${line}\n`) });
try {
  await (values.apis === undefined ? compareWorkers(services) : compareAffinity(services, Number(values.apis)));
} finally {
  await services.stop();
  rmSync(folder, { recursive: true, force: true });
}
