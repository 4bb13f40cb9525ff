// What the service takes up: memory with 1,000,000 awards queued and while they are applied, bytes in Redis and on
// MongoDB's disk.
import { setTimeout as pause } from "node:timers/promises";
import { openFailFastRedis } from "#redis/connection.ts";
import type { Database } from "#mongo/database.ts";
import { AMOUNT, memberOf } from "./load/plan.ts";
import { rssOf } from "./processes.ts";
import { VoidRun } from "./void-run.ts";
import type { Servers } from "./servers.ts";
import type { Sizes } from "./size-names.ts";
import { silentLog } from "../test/support/silent-log.ts";
import { startOurs, type Ours } from "./subjects/ours.ts";

const BATCHES = 10_000;
const AWARDS_EACH = 100;
const CALLERS = 16;
const SAMPLE_MS = 250;
/** At a tenth of the speed that is expected. */
const APPLIED_WITHIN_MS = 20 * 60_000;
const MIB = 2 ** 20;

/**
 * Queues 1,000,000 awards without a worker, then starts one and lets it apply them all. Throws VoidRun where one got
 * lost.
 */
export async function measureSizes(servers: Servers, progress: (now: string) => void): Promise<Sizes> {
  const ours = await startOurs(servers, { name: "ours-sizes" });
  const redis = openFailFastRedis({ url: servers.redisUrl, log: silentLog });
  await new Promise((resolve) => redis.once("ready", resolve));
  const memoryUsed = async (): Promise<number> => Number(/used_memory:(\d+)/.exec(await redis.info("memory"))?.[1]);
  const peak = { api: 0, worker: 0 };
  const sampling = setInterval(() => {
    peak.api = Math.max(peak.api, rssOf(ours.pids.api?.[0] ?? 0));
    peak.worker = Math.max(peak.worker, rssOf(ours.pids.worker?.[0] ?? 0));
  }, SAMPLE_MS);
  try {
    const before = await memoryUsed();
    await queueBatches(ours, progress);
    const redisBytes = (await memoryUsed()) - before;
    await ours.startWorker();
    await untilApplied(ours.database, progress);
    const fault = await ours.verify?.();
    if (fault) throw new VoidRun(`sizes: ${fault}`);
    return {
      apiQueuedMib: peak.api / MIB,
      workerQueuedMib: peak.worker / MIB,
      redisBytesPerAward: redisBytes / (BATCHES * AWARDS_EACH),
      mongoBytesPerEntry: await bytesPerEntry(ours.database),
    };
  } finally {
    clearInterval(sampling);
    redis.disconnect();
    await ours.close();
  }
}

async function queueBatches({ port, clans, membersTotal }: Ours, progress: (now: string) => void): Promise<void> {
  let next = 0;
  async function call(): Promise<void> {
    while (next < BATCHES) {
      const batch = next;
      next += 1;
      const { clanId = "", secret = "" } = clans[batch % clans.length] ?? {};
      const awards = Array.from({ length: AWARDS_EACH }, (_, index) => {
        const member =
          ((batch * AWARDS_EACH + index) % (membersTotal / clans.length)) * clans.length + (batch % clans.length);
        return { platformId: memberOf(member, clans.length).platformId, amount: AMOUNT };
      });
      const response = await fetch(`http://127.0.0.1:${port}/v0/clans/${clanId}/xp`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", prefer: "respond-async" },
        body: JSON.stringify({ awards }),
      });
      const answer = await response.text();
      if (response.status !== 202)
        throw new VoidRun(`sizes: batch ${batch} was answered ${response.status} instead of 202: ${answer}`);
      if (batch % 500 === 0) progress(`queueing awards: ${batch * AWARDS_EACH} of ${BATCHES * AWARDS_EACH}`);
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call));
}

async function untilApplied(database: Database, progress: (now: string) => void): Promise<void> {
  const deadline = performance.now() + APPLIED_WITHIN_MS;
  for (;;) {
    const entries = await database.db().collection("ledger").estimatedDocumentCount();
    const unfinished = await database
      .db()
      .collection("batches")
      .countDocuments({ state: { $in: ["queued", "running"] } });
    if (entries === BATCHES * AWARDS_EACH && unfinished === 0) return;
    if (performance.now() > deadline)
      throw new VoidRun(`sizes: only ${entries} of ${BATCHES * AWARDS_EACH} awards were applied in time`);
    progress(`applying queued awards: ${entries} of ${BATCHES * AWARDS_EACH}`);
    await pause(1_000);
  }
}

/** After a checkpoint: what is only in memory has no size on disk yet. */
async function bytesPerEntry(database: Database): Promise<number> {
  await database.db().admin().command({ fsync: 1 });
  const [stats] = await database
    .db()
    .collection("ledger")
    .aggregate<{ storageStats: Record<string, number | bigint> }>([{ $collStats: { storageStats: {} } }])
    .toArray();
  const of = (name: string): number => Number(stats?.storageStats[name] ?? Number.NaN);
  return (of("storageSize") + of("totalIndexSize")) / of("count");
}
