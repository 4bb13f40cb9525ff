// The dashboard process. Configured by its environment alone; see `npm run dashboard` in docs/how-to/dashboard.md.
import { join } from "node:path";
import { packageVersion } from "#process/package-version.ts";
import { loadConfigOrExit } from "#process/config.ts";
import { collectStartUp } from "#process/garbage-collection.ts";
import { listeningUrl } from "#process/listening-url.ts";
import { makeLog } from "#process/log.ts";
import { withNoted } from "#process/noted-settings.ts";
import { onShutdown } from "#process/shutdown.ts";
import { startTracing } from "#telemetry/tracing/start-tracing.ts";
import { startDashboard } from "./compose.ts";

const config = loadConfigOrExit(withNoted(process.env, ["SECRETS_KEY", "WEBHOOK_ALLOW_PRIVATE", "API_URL"]));
const tracing = await startTracing({ env: process.env, name: "clanxp-dashboard", version: packageVersion });
const log = makeLog({ name: "dashboard", level: config.logLevel, traceId: tracing?.traceId });
tracing?.logTo(log);

try {
  const dashboard = await startDashboard({ config, pagesFolder: join(import.meta.dirname, "dist"), log, tracing });
  onShutdown(async () => {
    await dashboard.close();
    await tracing?.close();
  }, log);
  log.info(
    { url: config.dashboardUrl ?? listeningUrl(config.host, dashboard.port), opsPort: dashboard.opsPort },
    "dashboard.listening",
  );
  // MongoDB may be unavailable for any time; documents of a newer version stay unreadable.
  await dashboard.ready;
  collectStartUp();
} catch (error) {
  log.fatal({ err: error }, "dashboard.start_failed");
  process.exit(1);
}
