// A worker process. Configured by its environment alone; any number of them may run.
import { rejectEvictingRedis } from "#redis/connection.ts";
import { packageVersion } from "#process/package-version.ts";
import { loadConfigOrExit } from "#process/config.ts";
import { disablePretenuring } from "#process/garbage-collection.ts";
import { makeLog } from "#process/log.ts";
import { onShutdown } from "#process/shutdown.ts";
import { startTracing } from "#telemetry/tracing/start-tracing.ts";
import { startWorker } from "./compose.ts";

disablePretenuring();
const config = loadConfigOrExit(process.env);
const tracing = await startTracing({ env: process.env, name: "clanxp-worker", version: packageVersion });
const log = makeLog({ name: "worker", level: config.logLevel, traceId: tracing?.traceId });
tracing?.logTo(log);

try {
  await rejectEvictingRedis({ url: config.redisUrl, log });
  const worker = await startWorker({ config, log, tracing });
  onShutdown(async () => {
    await worker.close();
    await tracing?.close();
  }, log);
  log.info({ opsPort: worker.opsPort }, "worker.started");
  // MongoDB may be unavailable for any time; documents of a newer version stay unreadable.
  await worker.ready;
} catch (error) {
  log.fatal({ err: error }, "worker.start_failed");
  process.exit(1);
}
