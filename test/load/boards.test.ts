// A board whose members have long chains is counted in bounded memory, and the batches of another clan go on meanwhile.
import { expect, onTestFinished, test } from "vitest";
import type { EntryDoc } from "#ledger/store/entry-model.ts";
import { standingsOf } from "../support/boards.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { patientCliOn } from "../support/cli.ts";
import { median } from "../support/median.ts";
import { startProcess } from "../support/processes.ts";
import { makeWorld, type World } from "../support/world.ts";

const MEMBERS = 8;
const ENTRIES = 20_000;
const BATCHES = 100;
const TIMES_MAX = 2;
/** Below this it is the turns of the processes on the machine's cores that are measured. */
const FLOOR_MS = 100;

test(
  "a first count of long chains at most doubles the median time of another clan's batches",
  { timeout: 240_000 },
  async () => {
    const world = await makeWorld();
    const env = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl };
    const node = ["--max-old-space-size=256"];
    const [api, worker] = [startProcess("api", env, node), startProcess("worker", env, node)];
    onTestFinished(() => world.close());
    const [{ port }] = await Promise.all([api.ready(), worker.ready()]);
    const clan = await makeClanCaller(world, port, { xpFloor: null });
    const other = await makeClanCaller(world, port);
    for (let member = 0; member < MEMBERS; member += 1) {
      await clan.award(`m${member}`, { amount: 1 });
      await lengthen(world, clan.clanId, `m${member}`);
    }
    const cli = patientCliOn(env);
    expect((await cli.json("rebuild", "--clan", clan.clanId)).exitCode).toBe(0);

    const awards = Array.from({ length: 50 }, (_, index) => ({ platformId: `p${index}`, amount: 1 }));
    async function timesOfBatches(isOver: (times: number[]) => boolean): Promise<number[]> {
      const times: number[] = [];
      while (!isOver(times)) {
        const sentAtMs = performance.now();
        expect((await other.submit(awards, { prefer: "wait=30" })).status).toBe(200);
        times.push(performance.now() - sentAtMs);
      }
      return times;
    }
    const quiet = await timesOfBatches(({ length }) => length === BATCHES);
    expect(await cli.json("board", "set", clan.clanId, "board", "--every", "day")).toMatchObject({ exitCode: 0 });
    let isCounted = false;
    const counted = standingsOf(clan).finally(() => (isCounted = true));
    const beside = await timesOfBatches(() => isCounted);
    const { members } = await counted;
    expect(members.map(({ xp }: { xp: string }) => xp)).toStrictEqual(
      Array.from({ length: MEMBERS }, () => `${ENTRIES}`),
    );
    const [quietMs, besideMs] = [median(quiet), median(beside)];
    expect({ quietMs, besideMs, isWithin: besideMs < Math.max(TIMES_MAX * quietMs, FLOOR_MS) }).toMatchObject({
      isWithin: true,
    });
    expect(await Promise.all([api.stop(), worker.stop()])).toStrictEqual([0, 0]);
  },
);

/** As its awards would have. */
async function lengthen({ database }: World, clanId: string, platformId: string): Promise<void> {
  const ledger = database.db().collection<EntryDoc>("ledger");
  const first = await ledger.findOne({ "_id.clanId": clanId, "_id.platformId": platformId });
  if (!first) throw new Error("no first entry");
  for (let from = 2; from <= ENTRIES; from += 5_000)
    await ledger.insertMany(
      Array.from({ length: Math.min(5_000, ENTRIES - from + 1) }, (_, index) => {
        const seq = from + index;
        return {
          ...first,
          _id: { ...first._id, seq },
          key: `=${platformId}-${seq}`,
          xp: BigInt(seq),
          lastAwardAt: first.at,
        };
      }),
      { ordered: false },
    );
}
