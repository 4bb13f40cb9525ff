// One person's exports delay the pages of nobody else.
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { buildPages } from "../../scripts/dashboard/built-pages.ts";
import { makeVisitor, PASSWORD, tokenIn, type Visitor } from "../apps/dashboard/dashboard-world.ts";
import { patientCliOn } from "../support/cli.ts";
import { median } from "../support/median.ts";
import { startProcess } from "../support/processes.ts";
import { makeWorld, type World } from "../support/world.ts";

const MEMBERS = 10_000;
const EXPORTS_AT_ONCE = 12;
/** A person who reads that it is too much tries again. */
const BUSY_PAUSE_MS = 250;
/** Pages of the other person in each spell. */
const PAGES = 40;
const ROUNDS = 3;
const TIMES_MAX = 2;
/** Below this it is the turns of the processes on the machine's cores that are measured. */
const FLOOR_MS = 150;

test(
  "parallel exports of a large clan at most double the median time of another person's page",
  { timeout: 180_000 },
  async () => {
    await buildPages(() => {});
    const world = await makeWorld();
    onTestFinished(() => world.close());
    const dashboard = startProcess("dashboard", { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
    const { port } = await dashboard.ready();
    const url = `http://127.0.0.1:${port}`;
    const [large, other] = [(await world.makeClan()).clan, (await world.makeClan()).clan];
    await fill(world, large.clanId);
    await fill(world, other.clanId, 50);
    const [exporting, reading] = [await viewerOf(world, url, large.clanId), await viewerOf(world, url, other.clanId)];

    const load = { isOn: false };
    const counts = { whole: 0, busy: 0 };
    async function exportAgainAndAgain(): Promise<void> {
      while (load.isOn) {
        const reply = await exporting.get(`/api/clans/${large.clanId}/members.csv`);
        if (reply.status === 200) {
          counts.whole += 1;
        } else {
          counts.busy += 1;
          await pause(BUSY_PAUSE_MS);
        }
      }
    }
    async function timesOfPages(): Promise<number[]> {
      const times: number[] = [];
      while (times.length < PAGES) {
        const sentAtMs = performance.now();
        expect((await reading.get(`/api/clans/${other.clanId}/members`)).status).toBe(200);
        times.push(performance.now() - sentAtMs);
      }
      return times;
    }
    const [quiet, beside]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      quiet.push(...(await timesOfPages()));
      load.isOn = true;
      const exports = Promise.all(Array.from({ length: EXPORTS_AT_ONCE }, exportAgainAndAgain));
      beside.push(...(await timesOfPages()));
      load.isOn = false;
      await exports;
    }
    expect(counts.whole).toBeGreaterThan(0);
    expect(counts.busy).toBeGreaterThan(0);
    const [quietMs, besideMs] = [median(quiet), median(beside)];
    const isWithin = besideMs < Math.max(TIMES_MAX * quietMs, FLOOR_MS);
    expect({ quietMs, besideMs, isWithin }).toStrictEqual({ quietMs, besideMs, isWithin: true });
    expect(await dashboard.stop()).toBe(0);
  },
);

async function viewerOf(world: World, url: string, clanId: string): Promise<Visitor> {
  const cli = patientCliOn({ MONGO_URL: world.mongoUrl, DASHBOARD_URL: url });
  const { answer } = await cli.json("account", "invite", `of-${clanId}`, "--clan", clanId, "--role", "viewer");
  const visitor = makeVisitor(url);
  expect((await visitor.post("/api/link/use", { token: tokenIn(answer), password: PASSWORD })).status).toBe(200);
  return visitor;
}

/** Players who have become members. */
async function fill({ database }: World, clanId: string, count = MEMBERS): Promise<void> {
  const docs = Array.from({ length: count }, (_, index) => ({
    _id: `${clanId}/p${index}`,
    clanId,
    platformId: `p${index}`,
    xp: BigInt(index),
    seq: 1,
    membership: { since: new Date(0) },
    appointedRank: null,
    lastAwardAt: null,
  }));
  await database.db().collection<{ _id: string }>("members").insertMany(docs);
}
