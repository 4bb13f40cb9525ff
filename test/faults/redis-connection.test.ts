// Redis silent, gone, flapping, emptied, stranded under load: no award fails because of it, none counts twice, every
// batch ends.
import { setTimeout as pause } from "node:timers/promises";
import { describe, test } from "vitest";
import type { TcpProxy } from "../support/tcp-proxy.ts";
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import type { World } from "../support/world.ts";
import { startLoad, type Load } from "./load.ts";
import { makeProxiedWorld } from "../support/proxies.ts";
import { seedOfRun } from "../support/seed.ts";
import { violations } from "./violations.ts";

/** Past a lock's life (2 s), a command's limit (1 s) and a job's lock with the look for stalled ones (7.5 s). */
const SILENCE_MS = 9_000;

type Scene = { world: World; redis: TcpProxy; load: Load };

describe.concurrent("Redis", { timeout: 120_000 }, () => {
  const seed = seedOfRun();

  test.for<[string, (scene: Scene) => Promise<void>]>([
    [
      "silent past every timeout",
      async ({ redis }) => {
        redis.hold();
        await pause(SILENCE_MS);
        redis.release();
      },
    ],
    [
      "unreachable for longer than any timeout",
      async ({ redis }) => {
        redis.rejectConnections(true);
        redis.reset();
        await pause(SILENCE_MS);
        redis.rejectConnections(false);
      },
    ],
    [
      "flapping",
      async ({ redis, load }) => {
        for (let times = 0; times < 20; times += 1) {
          redis.rejectConnections(times % 2 === 0);
          redis.reset();
          await load.acknowledged(20);
        }
        redis.rejectConnections(false);
      },
    ],
    [
      "emptied repeatedly",
      async ({ world, load }) => {
        for (let times = 0; times < 10; times += 1) {
          await world.emptyRedis();
          await load.acknowledged(20);
        }
      },
    ],
    ["left without packets on old connections while new ones work", async ({ redis }) => redis.blackhole()],
    [
      "slow by 400 ms per response",
      async ({ redis, load }) => {
        redis.delay(200);
        await load.acknowledged(200);
        redis.delay(0);
      },
    ],
  ])(
    "does not fail or delay awards, and batches are applied once, if it is %s",
    async ([name, fault], { expect, onTestFinished }) => {
      const { world, proxies } = await makeProxiedWorld(onTestFinished);
      const { clan, key } = await world.makeClan();
      const config = { redisUrl: proxies.config.redisUrl };
      const [{ port }] = await Promise.all([world.startApi({ config }), world.startWorker({ config })]);
      const target = { clanId: clan.clanId, key, baseUrls: () => [`http://127.0.0.1:${port}`] };
      const load = startLoad(target, { callers: 8, members: 4, queues: 1, batchers: 2, seed });
      await load.acknowledged(50);
      await fault({ world, redis: proxies.redis, load });
      await load.acknowledged(50);
      const seen = await load.stop();

      expect(seen.awards.flatMap((award) => award.answers.filter(({ status }) => status !== 200))).toStrictEqual([]);
      expect(seen.slowestMs, "in time").toBeLessThan(AWARD_DEADLINE_MS);
      expect(await violations(`Redis ${name}`, world.database, clan.clanId, seen)).toStrictEqual([]);
    },
  );
});
