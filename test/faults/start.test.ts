// Processes that start before their servers: they report what is unavailable, and serve as soon as they can.
import { describe, test } from "vitest";
import { rejectEvictingRedis } from "#redis/connection.ts";
import { freePort } from "../../scripts/services/ports.ts";
import { startProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { testLog } from "../support/world.ts";
import type { SentAward } from "../support/oracle.ts";
import { sendBatch } from "./load.ts";
import { sendOnce } from "./send.ts";
import { makeProxiedWorld } from "../support/proxies.ts";
import { violations } from "./violations.ts";

describe.concurrent("a process that starts while", { timeout: 60_000 }, () => {
  test("Redis is unavailable applies awards immediately, accepts batches, and finishes them once it is available", async ({
    expect,
    onTestFinished,
  }) => {
    const { world, proxies } = await makeProxiedWorld(onTestFinished);
    proxies.redis.rejectConnections(true);
    const { clan, key } = await world.makeClan();
    const config = { redisUrl: proxies.config.redisUrl };
    const [{ port }] = await Promise.all([world.startApi({ config }), world.startWorker({ config })]);
    const target = { clanId: clan.clanId, key, baseUrls: () => [`http://127.0.0.1:${port}`] };

    const award: SentAward = { platformId: "m", key: "k", amount: 5, answers: [] };
    expect(await sendOnce(target, award)).toBe(200);
    const batch = { key: "b", awards: [{ platformId: "b", amount: 5 }] };
    const ending = sendBatch(target, batch);
    await until(async () => (await world.batches.backlog()).unfinished === 1);
    proxies.redis.rejectConnections(false);
    const seen = { awards: [award], batches: [await ending] };
    expect(await violations("started without Redis", world.database, clan.clanId, seen)).toStrictEqual([]);
  });

  test("a URL is invalid exits with code 1, names every setting and no value, and connects to nothing", async ({
    expect,
    onTestFinished,
  }) => {
    const { world, proxies } = await makeProxiedWorld(onTestFinished);
    const mongoUrl = `mongodb://user:S3cr/etPw@${new URL(world.mongoUrl).host}/clanxp?uuidRepresentation=standard`;
    const worker = startProcess("worker", { MONGO_URL: mongoUrl, REDIS_URL: proxies.config.redisUrl });
    const api = startProcess("api", {
      MONGO_URL: `${proxies.config.mongoUrl}&compressors=snappy`,
      REDIS_URL: "redis://user:S3cr@h:269999/abc",
      LOG_LEVEL: "loud",
    });
    onTestFinished(async () => {
      await Promise.all([worker.stop(), api.stop()]);
    });
    await Promise.all([worker.loggedOrExited("unreachable"), api.loggedOrExited("unreachable")]);
    expect(worker.output()).toMatch(/^The settings are not usable:\n {2}MONGO_URL has a reserved character.*\n$/);
    const faults = ["LOG_LEVEL is none", "MONGO_URL has .*snappy", "REDIS_URL has a port", "REDIS_URL has a path"];
    for (const fault of faults) expect(api.output()).toMatch(new RegExp(`^ {2}${fault}`, "m"));
    expect(worker.output() + api.output()).not.toMatch(/S3cr|etPw|loud/);
    expect([proxies.redis.passed("there"), proxies.mongo.passed("there")]).toEqual([0, 0]);
    expect(await Promise.all([worker.ended(), api.ended()])).toEqual([1, 1]);
  });

  test("Redis fails before it has reported its eviction policy still starts", async ({ expect, onTestFinished }) => {
    const { proxies } = await makeProxiedWorld(onTestFinished);
    let isCut = false;
    void proxies.redis.cutAfter("there", { text: "memory" }).then(() => (isCut = true));
    // A process that pauses may give up before it asks.
    await until(async () => {
      await expect(rejectEvictingRedis({ url: proxies.config.redisUrl, log: testLog })).resolves.toBeUndefined();
      return isCut;
    });
  });

  test("MongoDB is unavailable answers requests with `unavailable`, and serves them once it is available", async ({
    expect,
    onTestFinished,
  }) => {
    const { world, proxies } = await makeProxiedWorld(onTestFinished);
    proxies.mongo.rejectConnections(true);
    const { clan, key } = await world.makeClan();
    const port = await freePort();
    const starting = world.startApi({ config: { mongoUrl: proxies.config.mongoUrl, port } });
    const target = { clanId: clan.clanId, key, baseUrls: () => [`http://127.0.0.1:${port}`] };

    const award: SentAward = { platformId: "m", key: "k", amount: 5, answers: [] };
    await until(async () => (await sendOnce(target, award)) !== 0);
    expect(award.answers.at(-1)).toMatchObject({ status: 503, code: "unavailable" });
    proxies.mongo.rejectConnections(false);
    await starting;
    await until(async () => (await sendOnce(target, award)) === 200);
    expect(
      await violations("started without MongoDB", world.database, clan.clanId, { awards: [award], batches: [] }),
    ).toStrictEqual([]);
  });
});
