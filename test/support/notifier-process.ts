// A notifier process of a test's world, which may reach this machine and does not wait for long.
import { notifierSettings } from "./destinations.ts";
import { startProcess, type RealProcess } from "./processes.ts";
import type { World } from "./world.ts";

/** The caller stops it. */
export function startNotifierOf(world: World, env: Record<string, string> = {}): RealProcess {
  return startProcess("notifier", {
    HOST: "127.0.0.1",
    OPS_PORT: "0",
    MONGO_URL: world.notifierMongoUrl,
    REDIS_URL: world.redisUrl,
    SECRETS_KEY: notifierSettings.secretsKey ?? "",
    WEBHOOK_ALLOW_PRIVATE: "127.0.0.0/8",
    DELIVERY_RETRY_S: "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9",
    DELIVERY_PROBE_S: "0.05,0.1",
    ...env,
  });
}
