// A notifier process. Configured by its environment, and what `npm start` noted beside it; any number of them may run.
import { loadConfigOrExit } from "#process/config.ts";
import { collectStartUp } from "#process/garbage-collection.ts";
import { makeLog } from "#process/log.ts";
import { withNoted } from "#process/noted-settings.ts";
import { onShutdown } from "#process/shutdown.ts";
import { startNotifier } from "./compose.ts";

const noted = ["SECRETS_KEY", "WEBHOOK_ALLOW_PRIVATE", "DASHBOARD_URL", "PUBLIC_PAGES"] as const;
const config = loadConfigOrExit(withNoted(process.env, noted));
const log = makeLog({ name: "notifier", level: config.logLevel });

try {
  const notifier = await startNotifier({ config, log });
  onShutdown(() => notifier.close(), log);
  log.info({ opsPort: notifier.opsPort }, "notifier.started");
  // MongoDB may be unavailable for any time; documents of a newer version stay unreadable.
  await notifier.ready;
  collectStartUp();
} catch (error) {
  log.fatal({ err: error }, "notifier.start_failed");
  process.exit(1);
}
