// This service with events, a worker and a notifier, whose 20 destinations are as bad as receivers are: ten hang, ten
// fail.
import { notifierSettings, destinationsIn, webhookTo } from "../../test/support/destinations.ts";
import { startReceiver } from "../../test/support/receiver.ts";
import { freePort } from "../../scripts/services/ports.ts";
import { nodeOptions } from "../../scripts/supervise/node-options.ts";
import { startNode, untilListening } from "../processes.ts";
import type { Servers } from "../servers.ts";
import { startOurs, type Variant } from "./ours.ts";
import type { Subject } from "./subject.ts";

const DESTINATIONS_OF_CLAN = 10;

export async function startSendingOurs(servers: Servers, variant: Variant): Promise<Subject> {
  const ours = await startOurs(servers, variant);
  await ours.startWorker();
  const receiver = await startReceiver();
  receiver.answer(({ path }) => (path === "/hang" ? "hang" : { status: 500 }));
  const destinations = destinationsIn(ours.database);
  for (const [index, path] of ["/hang", "/fail"].entries())
    for (let count = 0; count < DESTINATIONS_OF_CLAN; count += 1)
      await destinations.add(ours.clans[index]?.clanId ?? "", webhookTo(receiver.url + path));
  const opsPort = await freePort();
  const env = {
    MONGO_URL: servers.mongoUrl(`bench-${variant.name}`),
    REDIS_URL: servers.redisUrl,
    LOG_LEVEL: "error",
    OPS_PORT: String(opsPort),
    SECRETS_KEY: notifierSettings.secretsKey ?? "",
    WEBHOOK_ALLOW_PRIVATE: "127.0.0.0/8",
  };
  const notifier = startNode("apps/notifier/main.ts", env, nodeOptions.notifier);
  await untilListening(notifier, opsPort);
  return {
    ...ours,
    async close() {
      await notifier.stop();
      await receiver.close();
      await ours.close();
    },
  };
}
