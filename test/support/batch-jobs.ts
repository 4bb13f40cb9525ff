// Jobs that a test adds to a world's queue: delivered again, from another time, or without a batch.
import { Queue } from "bullmq";
import { ATTEMPTS_MAX, JOB_NAME, QUEUE_NAME } from "#queue/bounds.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { until } from "./until.ts";
import { openTestRedis, type World } from "./world.ts";

/** Adds one job for each of these payloads and resolves when they are queued; answers their ids. */
export async function addJobs(world: World, payloads: readonly object[]): Promise<string[]> {
  return withQueue(world, async (queue) => {
    // Like the API's own: a worker that has not reached MongoDB yet tries again.
    const opts = () => ({
      jobId: `by-hand-${crypto.randomUUID()}`,
      attempts: ATTEMPTS_MAX,
      backoff: { type: "custom" },
    });
    const jobs = await queue.addBulk(payloads.map((data) => ({ name: JOB_NAME, data, opts: opts() })));
    return jobs.map((job) => job.id ?? "");
  });
}

/** The states of the jobs with these ids, by BullMQ's names. */
export async function jobStates(world: World, jobIds: readonly string[]): Promise<string[]> {
  return withQueue(world, (queue) => statesOf(queue, jobIds));
}

/** The priorities of the jobs of these ids: a lower one is taken first. */
export async function jobPriorities(world: World, jobIds: readonly string[]): Promise<(number | undefined)[]> {
  return withQueue(world, async (queue) =>
    (await Promise.all(jobIds.map((jobId) => queue.getJob(jobId)))).map((job) => job?.priority),
  );
}

/** Resolves once the states of these jobs are so; over one connection, however long it takes. */
export async function untilJobs(
  world: World,
  jobIds: readonly string[],
  isSo: (states: readonly string[]) => boolean,
): Promise<void> {
  await withQueue(world, (queue) => until(async () => isSo(await statesOf(queue, jobIds))));
}

function statesOf(queue: Queue, jobIds: readonly string[]): Promise<string[]> {
  return Promise.all(jobIds.map((jobId) => queue.getJobState(jobId)));
}

async function withQueue<T>(world: World, use: (queue: Queue) => Promise<T>): Promise<T> {
  const redis = openTestRedis(world.redisUrl);
  const queue = new Queue(QUEUE_NAME, { connection: redis, prefix: redisNamespace(world.mongoUrl) });
  try {
    return await use(queue);
  } finally {
    await queue.close();
    redis.disconnect();
  }
}
