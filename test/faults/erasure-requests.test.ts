// Roblox's erasure requests under fire: what was answered 202 is done within a minute, whichever process is killed, and
// afterwards nothing that was stored, logged or measured names the player.
import { expect, test, vi } from "vitest";
import { makeClanCaller } from "../support/clan-caller.ts";
import { addHook, erasureOf, HOOK_KEY, hookCliOn, sendSigned } from "../support/erasure-hooks.ts";
import { startProcess } from "../support/processes.ts";
import { scrape } from "../support/scrape.ts";
import { until } from "../support/until.ts";
import { useWorld } from "../support/use-api.ts";
import { whereIs } from "../support/where-is.ts";

vi.setConfig({ testTimeout: 240_000 });

const DONE_MS_MAX = 60_000;
/** Like no other text. */
const PLAYER = 918_273_645_546_372;

const world = await useWorld();
const cli = hookCliOn(world);

test("a request is done after a kill of the API and of the worker that had begun it, and the player is named nowhere", async () => {
  const env = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, LOG_LEVEL: "trace", HOOK_KEY };
  const processes = [startProcess("api", env), startProcess("worker", env)] as const;
  const { port } = await processes[0].ready();
  await processes[1].ready();
  const [api, worker] = processes;
  const clan = await makeClanCaller(world, port);
  const hook = await addHook(cli, "--clan", clan.clanId);
  await clan.award(`${PLAYER}`, { amount: 5 });
  await clan.submit([{ platformId: `${PLAYER}`, amount: 5 }]);
  await clan.post("/names", { names: [{ platformId: `${PLAYER}`, name: "Builderman" }] });

  const beganAt = performance.now();
  expect((await sendSigned(port, hook, erasureOf(PLAYER))).status).toBe(202);
  process.kill(api.pid, "SIGKILL");
  const request = async () => (await cli.json("erasure", "list", "--hook", hook.hookId)).answer.requests[0];
  await until(async () => (await request()).status === "running");
  process.kill(worker.pid, "SIGKILL");
  await Promise.all([api.ended(), worker.ended()]);

  const [otherApi, finisher] = [startProcess("api", env), startProcess("worker", env)];
  const { port: otherPort, opsPort } = await otherApi.ready();
  await until(async () => (await request()).status === "done");
  expect(performance.now() - beganAt, "in time").toBeLessThan(DONE_MS_MAX);
  expect(await request()).toMatchObject({ platformId: null, clans: [clan.clanId] });
  expect((await clan.on(otherPort).get(`/members/${PLAYER}`)).status).toBe(404);

  const measured = await Promise.all([opsPort, (await finisher.ready()).opsPort].map(scrape));
  await Promise.all([otherApi.stop(), finisher.stop()]);
  const written = [api, worker, otherApi, finisher].map((process) => process.output());
  for (const one of [...written, ...measured.map(({ text }) => text)]) expect(one).not.toContain(`${PLAYER}`);
  expect(await whereIs(world, `${PLAYER}`)).toStrictEqual([]);
});
