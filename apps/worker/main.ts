// A worker process. Configured by its environment alone; any number of them may run.
import { refuseEvictingRedis } from "#queue/redis-connection.ts";
import { loadConfigOrExit } from "#runtime/config.ts";
import { makeLog } from "#runtime/log.ts";
import { onShutdown } from "#runtime/shutdown.ts";
import { startWorker } from "./worker.ts";

const config = loadConfigOrExit(process.env);
const log = makeLog({ name: "worker", level: config.logLevel });

try {
  await refuseEvictingRedis({ url: config.redisUrl, log });
  const worker = await startWorker({ config, log });
  onShutdown(worker.close, log);
  log.info({ opsPort: worker.opsPort }, "worker.started");
} catch (error) {
  log.fatal({ err: error }, "worker.not_started");
  process.exit(1);
}
