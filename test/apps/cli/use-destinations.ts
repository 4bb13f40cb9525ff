// For tests of destinations on the command line: a world with a real notifier, and receivers on this machine.
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect } from "vitest";
import type { NotifierSettings } from "#runtime/process/notifier-settings.ts";
import { cliOn, type CommandLine } from "../../support/cli.ts";
import { destinationsIn, notifierSettings, type TestDestinations } from "../../support/destinations.ts";
import { startReceiver, type Received, type Receiver } from "../../support/receiver.ts";
import { useFiles } from "../../support/temp-dir.ts";
import { makeWorld, type World } from "../../support/world.ts";

export type Added = { clanId: string; id: string; path: string; secret: string; answer: any };

type DestinationsWorld = {
  world: World;
  cli: CommandLine;
  receiver: Receiver;
  destinations: TestDestinations;
  /** Of a command, with these changes. */
  environment(changes?: Record<string, string>): Record<string, string>;
  /** The path of a new file with this text. */
  file(text: string): string;
  /** A webhook of a new clan, at a path that nothing else has. */
  addWebhook(...options: string[]): Promise<Added>;
  requestsAt(path: string): Received[];
};

/** Its fields exist while tests run. `settings`: of the notifier. */
export function useDestinations(settings: () => Promise<Partial<NotifierSettings>> = async () => ({})) {
  const used = {} as DestinationsWorld;
  const fileOf = useFiles();
  const file = (text: string): string => fileOf(crypto.randomUUID(), `${text}\n`);
  beforeAll(async () => {
    const [world, receiver, config] = await Promise.all([makeWorld(), startReceiver(), settings()]);
    // A request that took longer would be made again, and counted by the tests.
    await world.startNotifier({ config: { webhookTimeoutMs: 30_000, ...config } });
    const environment = (changes: Record<string, string> = {}) => ({
      MONGO_URL: world.mongoUrl,
      SECRETS_KEY: notifierSettings.secretsKey ?? "",
      WEBHOOK_ALLOW_PRIVATE: notifierSettings.allowPrivate.join(","),
      CLANXP_ACTOR: "ada",
      ...changes,
    });
    const cli = cliOn(environment());
    Object.assign(used, {
      world,
      cli,
      receiver,
      environment,
      file,
      destinations: destinationsIn(world.database),
      requestsAt: (path: string) => receiver.requests.filter((request) => request.path === path),
      async addWebhook(...options: string[]) {
        const { clanId } = (await world.makeClan()).clan;
        const path = `/hooks/${crypto.randomUUID()}`;
        const url = file(`${receiver.url}${path}`);
        const args = [clanId, "--kind", "webhook", "--name", "site", "--url-file", url, ...options];
        const { answer, exitCode, stderr } = await cli.json("destination", "add", ...args);
        expect([exitCode, stderr]).toEqual([0, ""]);
        return { clanId, id: answer.destinationId, path, secret: answer.secret, answer };
      },
    } satisfies DestinationsWorld);
  });
  afterAll(async () => {
    await used.world.close();
    await used.receiver.close();
  });
  return used;
}

/** The event of a request whose signature is valid. Throws for any other one. */
export function verified({ body, headers }: Received, secret: string): any {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
