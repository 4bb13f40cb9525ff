// A failover of Redis that leaves the old primary alive, with every connection to it: a managed Redis, a proxy or a DNS
// name that new connections follow. Batches, reversals and lists of members go on by themselves.
import { describe, test } from "vitest";
import { redisNamespace } from "#redis/namespace.ts";
import { chanceOf } from "../support/chance.ts";
import type { SentAward } from "../support/oracle.ts";
import { startRedis, type RedisServer } from "../support/redis-server.ts";
import { seedOfRun } from "../support/seed.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";
import { makeWorld } from "../support/world.ts";
import { sendBatch, startLoad } from "./load.ts";
import { sendOnce, type Target } from "./send.ts";
import { newAwards, sendCall } from "./send-awards.ts";
import { sendReversal } from "./send-corrections.ts";
import { timed } from "./timed.ts";
import { violations } from "./violations.ts";

/** Batches and reversals wait no longer, and lists of members are fresh this long after that. */
const WAIT_MS_MAX = 15_000;
const STALE_MS_MAX = 10_000;

type Scene = { before: RedisServer; after: RedisServer; moveProxy(): void };

const replicate = (replica: RedisServer, primary: RedisServer): Promise<unknown> =>
  replica.admin.replicaof("127.0.0.1", primary.port);
const inSync = async ({ admin }: RedisServer): Promise<boolean> =>
  /^master_link_status:up/m.test(await admin.info("replication"));
const rejectedWrites = async ({ admin }: RedisServer): Promise<number> =>
  Number(/^errorstat_READONLY:count=(\d+)/m.exec(await admin.info("errorstats"))?.[1] ?? 0);

describe.concurrent("a failover of Redis", { timeout: 120_000 }, () => {
  test.for<[string, (scene: Scene) => Promise<unknown>]>([
    [
      "after which the old primary is a replica",
      async ({ before, after, moveProxy }) => {
        await after.admin.replicaof("NO", "ONE");
        await replicate(before, after);
        moveProxy();
      },
    ],
    [
      "that moves the address last",
      async ({ before, after, moveProxy }) => {
        await after.admin.replicaof("NO", "ONE");
        await replicate(before, after);
        // Whatever reconnects on its first error reaches the old primary again.
        await until(async () => (await rejectedWrites(before)) > 10);
        moveProxy();
      },
    ],
    [
      "after which the old primary still accepts writes",
      async ({ after, moveProxy }) => {
        await after.admin.replicaof("NO", "ONE");
        moveProxy();
      },
    ],
  ])(
    "%s, with its connections left alone, stops batches, reversals and lists only for seconds, and applies everything once",
    async ([name, failOver], { expect, onTestFinished }) => {
      const [world, before, after] = await Promise.all([makeWorld(), startRedis(), startRedis()]);
      const proxy = await startTcpProxy({ host: "127.0.0.1", port: before.port });
      onTestFinished(async () => {
        await world.close();
        await Promise.all([proxy.close(), before.close(), after.close()]);
      });
      await replicate(after, before);
      const config = { redisUrl: `redis://127.0.0.1:${proxy.port}` };
      const [api, other] = await Promise.all([
        world.startApi({ config }),
        world.startApi({ config }),
        world.startWorker({ config }),
      ]);
      const { clan, key } = await world.makeClan({}, ["award", "read", "reverse"]);
      const target: Target = { clanId: clan.clanId, key, baseUrls: () => [`http://127.0.0.1:${api.port}`] };
      const load = startLoad(target, { callers: 4, members: 4, batchers: 2, reversers: 1, seed: seedOfRun() });
      await load.acknowledged(50);
      await until(() => inSync(after));

      await failOver({ before, after, moveProxy: () => proxy.moveTo({ host: "127.0.0.1", port: after.port }) });
      const awards = newAwards(chanceOf(1), { members: 3, name: "after", source: { matchId: "after" } });
      const batches = Array.from({ length: 4 }, (_, index) => ({
        key: `after-${index}`,
        awards: [{ platformId: "late", amount: 5 }],
      }));
      expect(await sendCall(target, awards, 0, chanceOf(2))).toStrictEqual([]);
      const [reversal, ...sent] = await Promise.all([
        timed(() => sendReversal(target, { key: "after", matchId: "after", awards })),
        ...batches.map((batch) => timed(() => sendBatch(target, batch))),
      ]);
      for (const { ms } of sent) expect(ms, "in time").toBeLessThan(WAIT_MS_MAX);
      // Its turn comes after that of one which the load has sent before, and which waits as well.
      expect(reversal.ms, "in time").toBeLessThan(2 * WAIT_MS_MAX);

      // The API and the worker that committed entries of the clan receive the requests that a list sends, and the list
      // has what the other process applied.
      const channel = `${redisNamespace(world.mongoUrl)}:project:${clan.clanId}`;
      const joined = timed(() => until(async () => (await after.admin.pubsub("NUMSUB", channel))[1] === 2));
      expect((await joined).ms, "in time").toBeLessThan(STALE_MS_MAX);
      const fresh: SentAward = { platformId: "fresh", key: "fresh", amount: 7, answers: [] };
      expect(await sendOnce(target, fresh)).toBe(200);
      const listed = timed(() => until(async () => (await membersAt(other.port, target)).includes("fresh")));
      expect((await listed).ms, "in time").toBeLessThan(STALE_MS_MAX);

      await load.acknowledged(50);
      const seen = await load.stop();
      seen.awards.push(...awards, fresh);
      seen.batches.push(...sent.map(({ result }) => result));
      seen.reversals.push(reversal.result);
      expect(seen.awards.flatMap((award) => award.answers.filter(({ status }) => status !== 200))).toStrictEqual([]);
      expect(await violations(`Redis failover ${name}`, world.database, clan.clanId, seen)).toStrictEqual([]);
    },
  );
});

async function membersAt(port: number, { clanId, key }: Target): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${port}/v0/clans/${clanId}/members?limit=200`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { members } = (await response.json()) as { members: { platformId: string }[] };
  return members.map(({ platformId }) => platformId);
}
