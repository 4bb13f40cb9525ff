// Roblox's erasure requests under fire: what was answered 202 is done within a minute, whatever is killed, and
// afterwards nothing that was stored, logged or measured names the player.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "#composition/open-database.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { patientCliOn } from "../support/cli.ts";
import { addHook, erasureOf, HOOK_KEY, hookCliOn, sendSigned } from "../support/erasure-hooks.ts";
import { award, dataFolder, killAll, npmStart } from "../support/npm-start.ts";
import { startProcess } from "../support/processes.ts";
import { scrape } from "../support/scrape.ts";
import { until } from "../support/until.ts";
import { useWorld } from "../support/use-api.ts";
import { whereIs } from "../support/where-is.ts";
import { withStored } from "../support/stored.ts";
import { testLog } from "../support/world.ts";

vi.setConfig({ testTimeout: 240_000 });

const DONE_MS_MAX = 60_000;
const BURST = 100;
const BURST_MS_MAX = 120_000;
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

test.skipIf(process.platform !== "linux")(
  "a request is done once after kill -9 of everything, MongoDB too, right after its response and while it is being done",
  async () => {
    const dataDir = dataFolder();
    const start = () => npmStart(dataDir, { LOG_LEVEL: "trace" });
    const command = patientCliOn({ DATA_DIR: dataDir });
    const starts = [start()];
    let run = await starts[0]?.ready();
    const hook = await addHook(command, "--clan", "demo");
    const requests = async () => (await command.json("erasure", "list", "--hook", hook.hookId)).answer.requests;
    const portOf = () => Number(new URL(run?.baseUrl ?? "").port);

    for (const stage of ["waiting", "running"]) {
      const [player, id] = [PLAYER + starts.length, `killed-${stage}`];
      await award(dataDir, `${player}`, 5);
      expect((await sendSigned(portOf(), hook, erasureOf(player, { id }))).status).toBe(202);
      if (stage === "running") await until(async () => (await requests())[0].status === stage);
      await killAll(dataDir);

      starts.push(start());
      run = await starts.at(-1)?.ready();
      const returnedAt = performance.now();
      expect((await sendSigned(portOf(), hook, erasureOf(player, { id }))).status).toBe(202);
      await until(async () => (await requests())[0].status === "done");
      expect(performance.now() - returnedAt, "in time").toBeLessThan(DONE_MS_MAX);
    }

    const done = { status: "done", platformId: null, clans: ["demo"] };
    expect(await requests()).toMatchObject(
      ["killed-running", "killed-waiting"].map((id) => ({ notificationId: id, ...done })),
    );
    const { records } = (await command.json("audit", "list", "--clan", "demo", "--action", "member.erase")).answer;
    expect(records).toMatchObject([{ actor: "Roblox" }, { actor: "Roblox" }]);
    expect((await command.json("reconcile")).answer.differences).toStrictEqual([]);
    const measured = await scrape(Number(new URL(run?.opsUrl ?? "").port));
    const database = withStored(openDatabase({ url: run?.mongoUrl ?? "", name: "clanxp-test", log: testLog }));
    onTestFinished(() => database.close());
    await database.ready;
    const { mongoUrl = "", redisUrl = "" } = run ?? {};
    const logs = readdirSync(join(dataDir, "logs")).map((name) => readFileSync(join(dataDir, "logs", name), "utf8"));
    const written = starts.flatMap(({ output }) => [output.stdout, output.stderr]);
    for (const player of [PLAYER + 1, PLAYER + 2].map(String)) {
      for (const text of [...written, ...logs, measured.text]) expect(text).not.toContain(player);
      expect(await whereIs({ database, mongoUrl, redisUrl }, player)).toStrictEqual([]);
    }
  },
);

test("a burst of 100 requests is done within two minutes", async () => {
  const { port } = await world.startApi({ config: { hookKey: HOOK_KEY } });
  const worker = await world.startWorker();
  // The next test reads the log of its worker: no other one may hold the requests.
  onTestFinished(() => worker.close());
  const clan = await makeClanCaller(world, port);
  const hook = await addHook(cli, "--clan", clan.clanId);
  const players = Array.from({ length: BURST }, (_, index) => PLAYER + 1_000 + index);
  await clan.awards(players.map((player) => ({ platformId: `${player}`, amount: 5 })));
  const beganAt = performance.now();
  const sent = await Promise.all(players.map((player) => sendSigned(port, hook, erasureOf(player))));
  expect(sent.filter(({ status }) => status !== 202)).toStrictEqual([]);
  const done = async () =>
    (await cli.json("erasure", "list", "--hook", hook.hookId, "--status", "done", "--limit", `${BURST}`)).answer
      .requests;
  await until(async () => (await done()).length === BURST, 2 * BURST_MS_MAX);
  expect(performance.now() - beganAt, "in time").toBeLessThan(BURST_MS_MAX);
  expect(await done()).toMatchObject(players.map(() => ({ platformId: null, clans: [clan.clanId] })));
});

test("of 1,000 notifications at the same moment, each is stored once, 100 members are erased, and the others wait for a person", async () => {
  const { port } = await world.startApi({ config: { hookKey: HOOK_KEY } });
  const worker = startProcess("worker", { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  onTestFinished(async () => void (await worker.stop()));
  const { opsPort } = await worker.ready();
  const [clan, other] = [await makeClanCaller(world, port), await makeClanCaller(world, port)];
  const hook = await addHook(cli, "--clan", clan.clanId);
  const [first, members, strangers, repeated] = [PLAYER + 10_000, 300, 600, 100];
  const players = Array.from({ length: members }, (_, index) => `${first + index}`);
  for (let from = 0; from < members; from += 100)
    await clan.awards(players.slice(from, from + 100).map((platformId) => ({ platformId, amount: 5 })));

  const notifications = Array.from({ length: members + strangers }, (_, index) =>
    erasureOf(first + index, { id: `flood-${index}` }),
  );
  // Some of the members and some of the strangers are named twice at the same moment.
  const again = notifications.filter((_, index) => index % 9 === 0).slice(0, repeated);
  const flood = { isOver: false };
  const sent = Promise.all([...notifications, ...again].map((each) => sendSigned(port, hook, each)));
  const ended = sent.finally(() => (flood.isOver = true));
  const statuses: number[] = [];
  do statuses.push((await other.award("1", { amount: 1 })).status);
  while (!flood.isOver);
  expect((await ended).filter(({ status }) => status !== 202)).toStrictEqual([]);
  expect(statuses.filter((status) => status !== 200)).toStrictEqual([]);

  const list = async (...options: string[]) =>
    (await cli.json("erasure", "list", "--hook", hook.hookId, "--limit", "2000", ...options)).answer.requests;
  const held = members - BURST;
  const done = strangers + BURST;
  await until(async () => (await list("--status", "done")).length === done, 2 * BURST_MS_MAX);
  await until(async () => (await scrape(opsPort)).series.get("clanxp_erasure_requests_held") === held);
  const requests = await list();
  expect(new Set(requests.map(({ notificationId }: any) => notificationId)).size).toBe(members + strangers);
  const counts = Map.groupBy(requests, ({ status, clans }: any) => `${status} ${clans.length}`);
  expect(Object.fromEntries([...counts].map(([what, { length }]) => [what, length]))).toStrictEqual({
    "done 0": strangers,
    "done 1": BURST,
    "held 0": held,
  });
  const present = [];
  for (const platformId of players)
    if ((await clan.get(`/members/${platformId}`)).status === 200) present.push(platformId);
  const named = (await list("--status", "held")).map(({ platformId }: any) => platformId);
  expect(named.toSorted()).toStrictEqual(present);
  const warnings = worker
    .output()
    .split("\n")
    .flatMap((line): any => (line.includes("erasure.many") ? [JSON.parse(line)] : []));
  expect(warnings.reduce((sum, one) => sum + one.held, 0)).toBe(held);
  expect(await other.xpOf("1")).toBe(`${statuses.length}`);
});
