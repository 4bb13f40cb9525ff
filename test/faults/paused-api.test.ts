// An API whose machine is suspended. All timers are due together when it continues.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { BLOCKING_SILENCE_MS } from "#redis/bounds.ts";
import { startProcess } from "../support/processes.ts";
import { startRedis } from "../support/redis-server.ts";
import { until } from "../support/until.ts";
import { useWorld } from "../support/use-api.ts";

const world = await useWorld();
// A separate Redis: its connections are this API's.
const redis = await startRedis();
afterAll(() => redis.close());

test("an API that was paused for longer than any connection may be silent learns of the end of batches again", async ({
  onTestFinished,
}) => {
  const api = startProcess("api", { MONGO_URL: world.mongoUrl, REDIS_URL: redis.url });
  onTestFinished(async () => void (await api.stop()));
  const { opsPort } = await api.ready();
  await until(isListening);
  process.kill(api.pid, "SIGSTOP");
  await pause(BLOCKING_SILENCE_MS + 2_000);
  process.kill(api.pid, "SIGCONT");
  // Its timers have run once it responds.
  await expect(fetch(`http://127.0.0.1:${opsPort}/livez`)).resolves.toMatchObject({ status: 200 });
  await until(isListening);
});

/** Whether it has asked Redis for events of jobs, within the 10 s that BullMQ lets Redis wait for one. */
async function isListening(): Promise<boolean> {
  const lines = String(await redis.admin.client("LIST")).split("\n");
  return lines.some((line) => / idle=\d .* cmd=xread /.test(line));
}
