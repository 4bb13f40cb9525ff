// What a backlog of batches costs the callers of single awards: their waiting times without it, and while workers work
// it off.
import { setTimeout as pause } from "node:timers/promises";
import { makeJobQueue } from "#queue/job-queue.ts";
import { openBlockingRedis } from "#redis/connection.ts";
import { systemClock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import { makeBatchStore } from "#batches/store/batch-store.ts";
import { redisNamespace } from "#redis/namespace.ts";
import type { Database } from "#mongo/database.ts";
import type { JobQueue } from "#batches/ports.ts";
import { silentLog } from "../test/support/silent-log.ts";

/** Milliseconds. */
export type Waits = { p50: number; p99: number; awards: number };
export type Backlog = {
  /** Before there was a backlog. */
  without: Waits;
  /** While it was worked off, and in between while the queue was paused. */
  working: Waits;
  paused: Waits;
  /** Batched awards that were applied while waits were measured, per second. */
  batchedPerSecond: number;
  /** Awards in batches that waited when the measuring ended. */
  left: number;
};

const AWARDS_EACH = 100;
const INSERTS_AT_ONCE = 16;
const MEMBERS = 10_000;

/**
 * One API on `port` and some workers must be running. Single awards fall due at an even pace, whether those before them
 * are answered or not, for `seconds` before the backlog, then in `rounds` of as many while workers work and while they
 * pause.
 */
export async function measureBacklog(world: {
  database: Database;
  mongoUrl: string;
  redisUrl: string;
  port: number;
  clanId: string;
  /** A key without rates. */
  key: string;
  batches: number;
  perSecond: number;
  seconds: number;
  rounds: number;
}): Promise<Backlog> {
  const redis = openBlockingRedis({ url: world.redisUrl, log: silentLog });
  await new Promise((resolve) => redis.once("ready", resolve));
  const queue = makeJobQueue({ redis, namespace: redisNamespace(world.mongoUrl), log: silentLog });
  const batches = makeBatchStore(world.database);
  const waitingAwards = async (): Promise<number> => (await batches.backlog()).unfinished * AWARDS_EACH;
  try {
    await singles({ ...world, seconds: 2 });
    const without = await singles(world);
    await queue.pause();
    await fill(world, batches, queue.add);
    const [working, paused]: [number[], number[]] = [[], []];
    let applied = 0;
    for (let round = 0; round < world.rounds; round += 1) {
      paused.push(...(await singles(world)));
      const before = await waitingAwards();
      await queue.resume();
      working.push(...(await singles(world)));
      applied += before - (await waitingAwards());
      await queue.pause();
    }
    const left = await waitingAwards();
    return {
      without: waitsOf(without),
      working: waitsOf(working),
      paused: waitsOf(paused),
      batchedPerSecond: applied / (world.rounds * world.seconds),
      left,
    };
  } finally {
    await queue.resume();
    await queue.close();
    redis.disconnect();
  }
}

async function fill(
  { clanId, batches: count }: { clanId: string; batches: number },
  store: ReturnType<typeof makeBatchStore>,
  add: JobQueue["add"],
): Promise<void> {
  const ids = makeIds(systemClock);
  let next = 0;
  async function write(): Promise<void> {
    while (next < count) {
      const batch = next;
      next += 1;
      const awards = Array.from({ length: AWARDS_EACH }, (_, index) => ({
        platformId: memberOf(batch * AWARDS_EACH + index),
        amount: 1n,
      }));
      const batchId = ids.batch();
      const record = {
        batchId,
        clanId,
        apiKeyId: "backlog",
        idempotencyKey: null,
        fingerprint: "",
        awards,
        outcomes: [],
        appliedOnce: null,
        cancelled: false,
      };
      await store.insert({
        ...record,
        state: "queued",
        createdAt: systemClock.now(),
        startedAt: null,
        finishedAt: null,
      });
      // If Redis is slow, the recovery scan adds the job, as it does for the API.
      await add({ batchId, clanId, awards: AWARDS_EACH }).catch(() => {});
    }
  }
  await Promise.all(Array.from({ length: INSERTS_AT_ONCE }, write));
}

function memberOf(index: number): string {
  return `m-${index % MEMBERS}`;
}

/** How long each award took, from when it was due. */
async function singles(world: {
  port: number;
  clanId: string;
  key: string;
  perSecond: number;
  seconds: number;
}): Promise<number[]> {
  const everyMs = 1_000 / world.perSecond;
  const startMs = performance.now();
  const waits: Promise<number>[] = [];
  for (let index = 0; index < world.perSecond * world.seconds; index += 1) {
    const dueMs = startMs + index * everyMs;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 0) await pause(earlyMs);
    const waited = award(world, `s-${index % MEMBERS}`).then(() => performance.now() - dueMs);
    // Reported below, with all others.
    waited.catch(() => {});
    waits.push(waited);
  }
  return Promise.all(waits);
}

async function award(
  { port, clanId, key }: { port: number; clanId: string; key: string },
  platformId: string,
): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v0/clans/${clanId}/members/${platformId}/xp`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: '{"amount":1}',
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`an award was answered ${response.status}: ${text}`);
}

function waitsOf(times: readonly number[]): Waits {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), awards: sorted.length };
}
