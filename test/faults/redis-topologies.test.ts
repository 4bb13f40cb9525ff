// Redis under Sentinel and as a Cluster: they give what one Redis gives, and Sentinel also after its master's death.
import { expect, onTestFinished, test } from "vitest";
import { expectAnswer } from "../support/answers.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { cliOn } from "../support/cli.ts";
import { seedOfRun } from "../support/seed.ts";
import { makeWorld } from "../support/world.ts";
import { sendBatch, startLoad } from "./load.ts";
import { startCluster, startSentinel } from "./redis-servers.ts";
import { violations } from "./violations.ts";

/** Of one clan each, because a list shares the projection of an earlier list of the same clan for a moment. */
const LISTS = 5;

/** Two APIs and a worker. */
async function startService(url: string) {
  const world = await makeWorld();
  onTestFinished(() => world.close());
  const config = { redisUrl: url };
  const [first, second] = await Promise.all([world.startApi({ config }), world.startApi({ config })]);
  await world.startWorker({ config });
  const cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: url });
  return { world, ports: [first.port, second.port] as const, cli };
}
type Service = Awaited<ReturnType<typeof startService>>;

async function makeTarget({ world, ports }: Service) {
  const { clan, key } = await world.makeClan();
  return { clanId: clan.clanId, key, baseUrls: () => ports.map((port) => `http://127.0.0.1:${port}`) };
}

/** Awards, fresh lists of members at another process, a batch, and the command line. */
async function expectService(service: Service): Promise<void> {
  const { world, ports, cli } = service;
  for (let list = 0; list < LISTS; list += 1) {
    const clan = await makeClanCaller(world, ports[0]);
    expectAnswer("apply-award", await clan.award("m", { amount: 1 }));
    const listed = expectAnswer("list-members", await clan.on(ports[1]).get("/members"));
    expect(listed).toMatchObject({ members: [{ platformId: "m", xp: "1" }] });
  }
  const target = await makeTarget(service);
  const batches = [await sendBatch(target, { key: "b", awards: [{ platformId: "b", amount: 5 }] })];
  expect(await violations("a batch", world.database, target.clanId, { awards: [], batches })).toStrictEqual([]);
  for (const command of ["pause", "resume"]) expect((await cli.json("queue", command)).exitCode).toBe(0);
  const { exitCode, answer } = await cli.json("doctor");
  expect([exitCode, answer.checks.filter(({ status }: { status: string }) => status === "fail")]).toEqual([0, []]);
}

test("a Cluster serves awards, batches, fresh lists of members and the command line", async () => {
  const { url, close } = await startCluster();
  onTestFinished(close);
  await expectService(await startService(url));
}, 90_000);

test("Sentinel does the same, and the death of its master loses no award and doubles none", async () => {
  const { url, killMaster, close } = await startSentinel();
  onTestFinished(close);
  const service = await startService(url);
  await expectService(service);

  const target = await makeTarget(service);
  const load = startLoad(target, { callers: 3, members: 3, seed: seedOfRun() });
  await load.acknowledged(20);
  await killMaster();
  const batch = await sendBatch(target, { key: "after", awards: [{ platformId: "b", amount: 5 }] });
  await load.acknowledged(20);
  const seen = await load.stop();
  const sent = { ...seen, batches: [batch] };
  expect(await violations("master killed", service.world.database, target.clanId, sent)).toStrictEqual([]);
  expect((await service.cli.json("reconcile")).answer.differences).toEqual([]);
}, 90_000);
