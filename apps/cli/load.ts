// What is slow to load and needed by some commands only, loaded on demand: --help and healthcheck start without any
// driver. No other file of the CLI imports dynamically.
export const load = {
  database: () => import("#store/database.ts"),
  stores: () => import("./stores.ts"),
  redis: () => import("#redis/connection.ts"),
  inspectRedis: () => import("#redis/inspect-redis.ts"),
  jobQueue: () => import("#queue/job-queue.ts"),
  progressBar: () => import("cli-progress"),
  csvParser: () => import("csv-parse"),
  csvWriter: () => import("csv-stringify/sync"),
  /** With zod, which is a quarter of what every other command would load. */
  reversalBy: () => import("./reversal-by.ts"),
};
