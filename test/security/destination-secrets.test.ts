// The secrets of destinations are planted, used, and searched for in all that a notifier, the command line and MongoDB
// show or store.
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cliOn } from "../support/cli.ts";
import { startProcess } from "../support/processes.ts";
import { startReceiver } from "../support/receiver.ts";
import { tempDir } from "../support/temp-dir.ts";
import { useApi } from "../support/use-api.ts";

/** Like no other text, and free of characters that encodings change. */
const CANARY = "Kanarienvogel7f3a";

const { world, clan } = await useApi({ worker: true });
const receiver = await startReceiver();
const secretsKey = randomBytes(32).toString("base64");
const env = {
  REDIS_URL: world.redisUrl,
  SECRETS_KEY: secretsKey,
  WEBHOOK_ALLOW_PRIVATE: "127.0.0.0/8",
  DELIVERY_RETRY_S: "0.05,0.05,0.05",
  DELIVERY_PROBE_S: "0.1",
  LOG_LEVEL: "trace",
};
const notifier = startProcess("notifier", { ...env, MONGO_URL: world.notifierMongoUrl });
afterAll(() => Promise.all([notifier.stop(), receiver.close()]));

test("URLs, signing secrets and their key are in no log line, metric, command line, document or message", async () => {
  const cli = cliOn({ ...env, MONGO_URL: world.mongoUrl });
  const folder = tempDir();
  const messages: string[] = [];
  async function run(...args: string[]): Promise<any> {
    const { answer, stdout, stderr } = await cli.json(...args);
    const { secret, ...others } = answer;
    messages.push(stderr, secret === undefined ? stdout : JSON.stringify(others));
    return answer;
  }
  async function add(kind: string, url: string): Promise<any> {
    const file = join(folder, "url");
    writeFileSync(file, url);
    return run("destination", "add", clan.clanId, "--kind", kind, "--name", kind, "--url-file", file);
  }
  const webhook = await add("webhook", `${receiver.url}/hooks/${CANARY}?key=${CANARY}`);
  const { secret } = await run("destination", "rotate", webhook.destinationId, "--grace", "1h");
  const discord = await add("discord", `${receiver.url}/api/webhooks/123/${CANARY}`);
  const unreachable = await add("webhook", `http://127.0.0.1:1/hooks/${CANARY}`);

  receiver.answer((_request, index) => (index < 4 ? { status: 500, body: "no" } : { status: 204 }));
  expect((await clan.award("m", { amount: 5_000 })).status).toBe(200);
  await receiver.received(6);
  await notifier.loggedOrExited("destination.failing");
  const ids = [webhook, discord, unreachable].map(({ destinationId }) => destinationId);
  await Promise.all(ids.map((id) => run("destination", "test", id)));
  for (const id of ids) await run("destination", "deliveries", id);
  await run("destination", "list", clan.clanId);
  await run("audit", "list", "--clan", clan.clanId);

  const { opsPort } = await notifier.ports();
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
  const shown = process.platform === "linux" ? readFileSync(`/proc/${notifier.pid}/cmdline`, "utf8") : "";
  const collections = await world.database.db().collections();
  const documents = await Promise.all(collections.map((collection) => collection.find().toArray()));
  const stored = JSON.stringify(documents, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
  expect(await notifier.stop()).toBe(0);
  // They were used, stored and reported.
  expect(receiver.requests.some(({ path }) => path.includes(CANARY))).toBe(true);
  expect(stored).toContain(webhook.destinationId);
  for (const text of [`${receiver.url}/hooks`, "destination.add", "connection"])
    expect(messages.join()).toContain(text);
  expect(notifier.output()).toContain("delivery.failed");

  const secrets = [CANARY, secretsKey, ...[webhook.secret, secret].map((text) => text.replace("whsec_", ""))];
  for (const text of [notifier.output(), metrics, shown, stored, ...messages])
    for (const one of secrets) expect(text).not.toContain(one);
});
