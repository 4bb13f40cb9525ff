// Processes that are killed while they count standings: the others continue, and nothing is counted twice or missed.
import { expect, test } from "vitest";
import { clanWithBoard, standingsOf } from "../support/boards.ts";
import { expectedStandings } from "../support/boards-oracle.ts";
import { makeStores } from "../../apps/cli/open/stores.ts";
import { chanceOf } from "../support/chance.ts";
import { cliOn } from "../support/cli.ts";
import { startProcess } from "../support/processes.ts";
import { seedOfRun } from "../support/seed.ts";
import { until } from "../support/until.ts";
import { makeWorld } from "../support/world.ts";

const KILLS = 2;
const MEMBERS = 100;
const CALLS_PER_KILL = 6;

test("an API that is killed while it counts costs nothing", { timeout: 180_000 }, async ({ onTestFinished }) => {
  const world = await makeWorld();
  onTestFinished(() => world.close());
  const [{ port }] = await Promise.all([world.startApi(), world.startWorker()]);
  const clan = await clanWithBoard(world, port, "--every", "day");
  const chance = chanceOf(seedOfRun());
  const env = { MONGO_URL: world.config.mongoUrl, REDIS_URL: world.redisUrl };
  let sent = 0;

  async function award(): Promise<void> {
    const awards = Array.from({ length: 50 }, () => ({
      platformId: `p${chance.int(1, MEMBERS)}`,
      amount: chance.int(1, 20),
      idempotencyKey: String((sent += 1)),
    }));
    expect((await clan.awards(awards)).status).toBe(200);
  }

  for (let kill = 0; kill < KILLS; kill += 1) {
    const doomed = startProcess("api", env);
    onTestFinished(async () => void (await doomed.stop()));
    const counting = clan.on((await doomed.ready()).port);
    const reads: Promise<unknown>[] = [];
    for (let call = 0; call < CALLS_PER_KILL; call += 1) {
      await award();
      reads.push(counting.get("/boards/board/periods/current/members").catch(() => {}));
    }
    process.kill(doomed.pid, "SIGKILL");
    await Promise.all(reads);
  }

  const { period, members } = await standingsOf(clan, "?limit=200");
  const span = {
    startsAt: new Date(period.startsAt),
    endsAt: new Date(period.endsAt),
    finalAt: new Date(period.finalAt),
  };
  const expected = await expectedStandings(world.database, clan.clanId, span);
  const shown = members.map(({ platformId, xp, position }: any) => ({ platformId, xp: BigInt(xp), position }));
  expect(shown).toStrictEqual(expected.slice(0, 200));
  expect(period.members).toBe(expected.length);
  const { boards } = makeStores(world.database);
  // Until then, periods are counted from the ledger each time.
  await until(async () => !(await boards.clansDue()).includes(clan.clanId));
  const cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  expect(await cli.json("reconcile", "--clan", clan.clanId)).toMatchObject({ exitCode: 0 });
});
