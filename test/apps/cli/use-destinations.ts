// For tests of destinations on the command line: a world with a real notifier, and receivers on this machine.
import { Webhook } from "standardwebhooks";
import { afterAll, expect } from "vitest";
import type { NotifierSettings } from "#process/notifier-settings.ts";
import { cliOn } from "../../support/cli.ts";
import { destinationsIn, notifierSettings } from "../../support/destinations.ts";
import { startReceiver, type Received } from "../../support/receiver.ts";
import { useFiles } from "../../support/temp-dir.ts";
import { useWorld } from "../../support/use-api.ts";

/** Call it where a file begins. `settings`: of the notifier. */
export async function useDestinations(settings: Partial<NotifierSettings> = {}) {
  const [world, receiver] = [await useWorld(), await startReceiver()];
  afterAll(() => receiver.close());
  // A request that took longer would be made again, and counted by the tests.
  await world.startNotifier({ config: { webhookTimeoutMs: 30_000, ...settings } });

  /** Of a command, with these changes. */
  const environment = (changes: Record<string, string> = {}) => ({
    MONGO_URL: world.mongoUrl,
    SECRETS_KEY: notifierSettings.secretsKey ?? "",
    WEBHOOK_ALLOW_PRIVATE: notifierSettings.allowPrivate.join(","),
    CLANXP_ACTOR: "ada",
    ...changes,
  });
  const cli = cliOn(environment());
  const destination = (...args: string[]) => cli.json("destination", ...args);

  const fileOf = useFiles();
  /** The path of a new file with this text. */
  const file = (text: string): string => fileOf(crypto.randomUUID(), `${text}\n`);

  /** The options of a webhook at this path of the receiver. */
  function webhookAt(path: string, name = "site"): string[] {
    return ["--kind", "webhook", "--name", name, "--url-file", file(`${receiver.url}${path}`)];
  }

  /** A webhook of a new clan, at a path that nothing else has. */
  async function addWebhook() {
    const { clanId } = (await world.makeClan()).clan;
    const path = `/hooks/${crypto.randomUUID()}`;
    const { answer, exitCode, stderr } = await destination("add", clanId, ...webhookAt(path));
    expect([exitCode, stderr]).toEqual([0, ""]);
    return { clanId, id: answer.destinationId as string, path, secret: answer.secret as string, answer };
  }

  return {
    world,
    cli,
    destination,
    receiver,
    environment,
    file,
    webhookAt,
    addWebhook,
    destinations: destinationsIn(world.database),
    requestsAt: (path: string) => receiver.requests.filter((request) => request.path === path),
  };
}

/** The event of a request whose signature is valid. Throws for any other one, and for none. */
export function verified(request: Received | undefined, secret: string): any {
  if (!request) throw new Error("nothing was received");
  return new Webhook(secret).verify(request.body, request.headers as Record<string, string>);
}
