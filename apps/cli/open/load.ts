// Loads modules that load slowly and that only some commands need: --help and healthcheck start without any driver. No
// other file of the CLI imports dynamically.

export const load = {
  database: () => import("#composition/open-database.ts"),
  stores: () => import("./stores.ts"),
  redis: () => import("#redis/connection.ts"),
  redisFault: () => import("#redis/redis-fault.ts"),
  inspectRedis: () => import("#redis/inspect-redis.ts"),
  eventSignal: () => import("#redis/event-signal.ts"),
  priority: () => import("#redis/priority-claim.ts"),
  jobQueue: () => import("#queue/job-queue.ts"),
  sealer: () => import("#delivery/couriers/sealer.ts"),
  progressBar: () => import("cli-progress"),
  readImport: () => import("#import/read-import.ts"),
  csvWriter: () => import("#export/csv-text.ts"),
  /** Includes zod, as the next ones. */
  page: () => import("#contract/page.ts"),
  events: () => import("#contract/events.ts"),
  /** Includes zod, a quarter of the code that every other command would load. */
  reversalBy: () => import("../parse/reversal-by.ts"),
};
