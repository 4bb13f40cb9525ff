// `npm run bench:backlog -- --batches 10000`: what a backlog of batches costs the callers of single awards, on separate
// servers.
import { parseArgs } from "node:util";
import { startServers } from "./servers.ts";
import { startOurs } from "./subjects/ours.ts";
import { measureBacklog } from "./measure-backlog.ts";

const { values } = parseArgs({
  options: {
    batches: { type: "string", default: "10000" },
    "per-second": { type: "string", default: "100" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
    workers: { type: "string", default: "1" },
  },
});
process.setMaxListeners(100);
const servers = await startServers({ log: (line) => process.stderr.write(`${line}\n`), wantsPostgres: false });
try {
  const ours = await startOurs(servers, { name: "backlog", limits: "none" });
  for (let count = 0; count < Number(values.workers); count += 1) await ours.startWorker();
  const [clan] = ours.clans;
  if (!clan) throw new Error("no clan was made");
  const backlog = await measureBacklog({
    database: ours.database,
    mongoUrl: servers.mongoUrl("bench-backlog"),
    redisUrl: servers.redisUrl,
    port: ours.port,
    clanId: clan.clanId,
    key: clan.secret,
    batches: Number(values.batches),
    perSecond: Number(values["per-second"]),
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
  });
  process.stdout.write("| single awards | p50 ms | p99 ms | awards |\n|---|---|---|---|\n");
  for (const name of ["without", "paused", "working"] as const) {
    const { p50, p99, awards } = backlog[name];
    process.stdout.write(`| ${name} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${awards} |\n`);
  }
  const times = backlog.working.p99 / backlog.without.p99;
  process.stdout.write(
    `\np99 with workers at work: ${times.toFixed(1)} times that without a backlog; ${backlog.batchedPerSecond.toFixed(0)} batched awards/s; ${backlog.left} left\n`,
  );
  await ours.close();
} finally {
  await servers.stop();
}
