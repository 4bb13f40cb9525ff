// The API process. Configured by its environment, and the key that `npm start` noted beside it; see `npm run api` in
// docs/how-to/npm-start.md.
import { fileURLToPath } from "node:url";
import { rejectEvictingRedis } from "#redis/connection.ts";
import { packageVersion } from "#process/package-version.ts";
import { loadConfigOrExit } from "#process/config.ts";
import { disablePretenuring } from "#process/garbage-collection.ts";
import { listeningUrl } from "#process/listening-url.ts";
import { makeLog } from "#process/log.ts";
import { withNoted } from "#process/noted-settings.ts";
import { onShutdown } from "#process/shutdown.ts";
import { startTracing } from "#telemetry/tracing/start-tracing.ts";
import { startApi } from "./compose.ts";

/** `npm run docs` and the build of the image put the site there. */
const SITE_FOLDER = fileURLToPath(new URL("../../docs-site/dist", import.meta.url));

disablePretenuring();
const config = loadConfigOrExit(withNoted(process.env, ["HOOK_KEY"]));
const tracing = await startTracing({ env: process.env, name: "clanxp-api", version: packageVersion });
const log = makeLog({ name: "api", level: config.logLevel, traceId: tracing?.traceId });
tracing?.logTo(log);

try {
  await rejectEvictingRedis({ url: config.redisUrl, log });
  const api = await startApi({ config, log, tracing, siteFolder: SITE_FOLDER });
  onShutdown(async () => {
    await api.close();
    await tracing?.close();
  }, log);
  log.info({ url: listeningUrl(config.host, api.port), opsPort: api.opsPort }, "api.listening");
  // MongoDB may be unavailable for any time; documents of a newer version stay unreadable.
  await api.ready;
} catch (error) {
  log.fatal({ err: error }, "api.start_failed");
  process.exit(1);
}
