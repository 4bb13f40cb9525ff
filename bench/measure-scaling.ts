// How many batches a second some worker processes end, with every answer of MongoDB made late, so that one machine can
// show what many would.
import { randomBytes } from "node:crypto";
import { makeJobQueue } from "#queue/job-queue.ts";
import { openFailFastRedis } from "#redis/connection.ts";
import { systemClock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import { makeBatchStore } from "#batches/store/batch-store.ts";
import { makeClanStore } from "#clans/store/clan-store.ts";
import { openDatabase } from "#composition/open-database.ts";
import type { Database } from "#mongo/database.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { AMOUNT_MAX_DEFAULT, XP_MAX } from "#domain/bounds.ts";
import { startProcess, type RealProcess } from "../test/support/processes.ts";
import { startTcpProxy } from "../test/support/tcp-proxy.ts";
import { testActor } from "../test/support/actor.ts";
import { silentLog } from "../test/support/silent-log.ts";

export type Curve = { workers: number; batchesPerSecond: number }[];

const AWARDS_PER_BATCH = 5;
const SUBMITTED_AT_ONCE = 50;
const POLL_MS = 100;

/**
 * `latencyMs`: how much later MongoDB answers, there and back. Batches wait in a paused queue until all workers are
 * ready.
 */
export async function measureScaling(options: {
  mongoUrl: string;
  redisUrl: string;
  latencyMs: number;
  batchesPerWorker: number;
  workers: readonly number[];
}): Promise<Curve> {
  const curve: Curve = [];
  for (const workers of options.workers)
    curve.push({
      workers,
      batchesPerSecond: await measureOne({ ...options, workers, batches: options.batchesPerWorker * workers }),
    });
  return curve;
}

async function measureOne(options: {
  mongoUrl: string;
  redisUrl: string;
  latencyMs: number;
  batches: number;
  workers: number;
}): Promise<number> {
  const url = new URL(options.mongoUrl);
  url.pathname = `/scaling-${randomBytes(4).toString("hex")}`;
  const database = openDatabase({ url: url.href, name: "clanxp-scaling", log: silentLog });
  await database.ready;
  const redis = openFailFastRedis({ url: options.redisUrl, log: silentLog });
  await new Promise((resolve) => redis.once("ready", resolve));
  const queue = makeJobQueue({ redis, namespace: redisNamespace(url.href), log: silentLog });
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  const late = new URL(url);
  late.port = String(proxy.port);
  // Not to be led around the delay by the replica set's own list of hosts.
  late.search = "?directConnection=true";
  const processes: RealProcess[] = [];
  try {
    await queue.pause();
    await submit(database, queue, options.batches);
    const env = { MONGO_URL: late.href, REDIS_URL: options.redisUrl, LOG_LEVEL: "info" };
    for (let index = 0; index < options.workers; index += 1) processes.push(startProcess("worker", env));
    await Promise.all(processes.map((worker) => worker.ready()));
    proxy.delay(options.latencyMs / 2);
    await queue.resume();
    return await ratePerSecond(database, options.batches);
  } finally {
    proxy.delay(0);
    await Promise.all(processes.map((worker) => worker.stop()));
    await proxy.close();
    await queue.close();
    const names = await redis.keys(`${redisNamespace(url.href)}*`);
    if (names.length > 0) await redis.del(...names);
    redis.disconnect();
    await database.db().dropDatabase();
    await database.close();
  }
}

/** Each batch has its own members, so that the workers are measured and not conflicts on one member. */
async function submit(database: Database, queue: ReturnType<typeof makeJobQueue>, batches: number): Promise<void> {
  const clanId = "scaling";
  await makeClanStore(database).create(
    {
      clanId,
      name: "Scaling",
      autoClan: true,
      ranks: [{ name: "Guest", kind: "GUEST" }],
      xpFloor: 0n,
      xpCap: XP_MAX,
      amountMax: AMOUNT_MAX_DEFAULT,
    },
    testActor,
  );
  const [store, ids] = [makeBatchStore(database), makeIds(systemClock)];
  const submitOne = async (index: number): Promise<void> => {
    const awards = Array.from({ length: AWARDS_PER_BATCH }, (_, award) => ({
      platformId: `m-${index}-${award}`,
      amount: 5n,
    }));
    const batchId = ids.batch();
    const record = {
      batchId,
      clanId,
      apiKeyId: "scaling",
      idempotencyKey: null,
      fingerprint: "",
      awards,
      cancelled: false,
    };
    await store.insert({
      ...record,
      state: "queued",
      outcomes: [],
      appliedOnce: null,
      createdAt: systemClock.now(),
      startedAt: null,
      finishedAt: null,
    });
    await queue.add({ batchId, clanId, awards: AWARDS_PER_BATCH });
  };
  for (let first = 0; first < batches; first += SUBMITTED_AT_ONCE) {
    await Promise.all(
      Array.from({ length: Math.min(SUBMITTED_AT_ONCE, batches - first) }, (_, index) => submitOne(first + index)),
    );
  }
}

/** Of the later three quarters, by the records' own times: processes that have just started are slow, and only then. */
async function ratePerSecond(database: Database, batches: number): Promise<number> {
  const records = database.db().collection<{ finishedAt: Date }>("batches");
  while ((await records.countDocuments({ state: "done" })) < batches) await pause();
  const ended = (await records.find().sort({ finishedAt: 1 }).toArray()).map(({ finishedAt }) => finishedAt.getTime());
  const first = Math.floor(batches / 4);
  return ((batches - 1 - first) * 1_000) / ((ended.at(-1) ?? 0) - (ended[first] ?? 0));
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
