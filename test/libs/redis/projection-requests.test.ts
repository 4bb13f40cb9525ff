import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { CLAN_IDLE_MS, PROJECTION_REQUEST_MS, SUBSCRIBE_MS } from "#redis/bounds.ts";
import { openFailFastRedis } from "#redis/connection.ts";
import { joinProjectionRequests, type ProjectionRequests } from "#redis/projection-requests.ts";
import { systemClock } from "#process/clock.ts";
import { randomText } from "#process/secrets.ts";
import type { Clock } from "#kernel/clock.ts";
import { startTcpProxy } from "../../support/tcp-proxy.ts";
import { waitLonger } from "../../support/wait-longer.ts";
import { openTestRedis, testLog } from "../../support/world.ts";

describe("a request to all processes to project a clan", () => {
  let publisher: Redis;
  let namespace: string;
  beforeAll(async () => {
    // Without a deadline for commands, which a busy machine may reach.
    publisher = openTestRedis(inject("redisUrl"));
    await new Promise((resolve) => publisher.once("ready", resolve));
  });
  afterAll(() => publisher.disconnect());
  beforeEach(() => {
    namespace = `{projection-test-${randomText(8)}}`;
    waitLonger(SUBSCRIBE_MS, PROJECTION_REQUEST_MS);
  });

  /** One more process, once Redis knows it. It has committed entries of these clans. */
  async function join(
    flush: ((clanId: string) => Promise<void>) | null,
    clanIds: readonly string[] = ["a", "b", "c"],
    changes: { clock?: Clock; oldestAgeMs?: () => number } = {},
  ): Promise<ProjectionRequests> {
    const subscriber = openTestRedis(inject("redisUrl"));
    const processId = randomText(8);
    const joined = joinProjectionRequests({
      publisher,
      subscriber,
      namespace,
      processId,
      flush,
      oldestAgeMs: () => 0,
      clock: systemClock,
      log: testLog,
      ...changes,
    });
    onTestFinished(() => {
      joined.stop();
      subscriber.disconnect();
    });
    await expect.poll(() => subscribersTo(`projected:${processId}`)).toBe(1);
    if (flush) await joined.reach(new Set(clanIds));
    return joined;
  }

  async function subscribersTo(channel: string): Promise<unknown> {
    return (await publisher.pubsub("NUMSUB", `${namespace}:${channel}`))[1];
  }

  test("ends once every process has projected that clan, and only that one", async () => {
    const flushed: string[] = [];
    const [projected, requested] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const reader = await join(async (clanId) => void flushed.push(`reader ${clanId}`));
    await join(async (clanId) => {
      requested.resolve();
      await projected.promise;
      flushed.push(`other ${clanId}`);
    });
    const caughtUp = reader.catchUp("a").finally(() => flushed.push("caught up"));
    await requested.promise;
    projected.resolve();
    expect(await caughtUp).toBe(true);
    expect(flushed).toStrictEqual(["reader a", "other a", "caught up"]);
  });

  test("is received only by the processes that committed entries of the clan, from the first one on", async () => {
    const flushed: string[] = [];
    const reader = await join(async () => {}, []);
    const holder = await join(async (clanId) => void flushed.push(clanId), []);
    expect(await reader.catchUp("a")).toBe(true);
    // Without an event to wait for: the request is counted as received as soon as this resolves.
    await Promise.all([holder.reach(new Set(["b"])), holder.reach(new Set(["b", "c"]))]);
    expect(await Promise.all([subscribersTo("project:a"), subscribersTo("project:b")])).toStrictEqual([0, 1]);
    expect(await Promise.all([reader.catchUp("b"), reader.catchUp("c")])).toStrictEqual([true, true]);
    expect(flushed.toSorted()).toStrictEqual(["b", "c"]);
  });

  test("reaches a process until a clan has been idle and everything of it is projected", async () => {
    let [elapsedMs, oldestMs] = [0, 0];
    let checks = 0;
    const clock = { ...systemClock, monotonicMs: () => elapsedMs };
    const oldestAgeMs = (): number => ((checks += 1), oldestMs);
    const holder = await join(async () => {}, ["a"], { clock, oldestAgeMs });
    await holder.reach(new Set(["b"]));
    oldestMs = elapsedMs = CLAN_IDLE_MS + 1;
    await holder.reach(new Set(["b"]));
    checks = 0;
    await expect.poll(() => checks).toBe(1);
    expect(await subscribersTo("project:a")).toBe(1);
    oldestMs = 0;
    await expect.poll(() => subscribersTo("project:a")).toBe(0);
    expect(await subscribersTo("project:b")).toBe(1);
    await holder.reach(new Set(["a"]));
    expect(await subscribersTo("project:a")).toBe(1);
  }, 60_000);

  test("is shared by concurrent requests for one clan", async () => {
    const flushed: string[] = [];
    // The clock is stopped: no request gets too old to be shared.
    const clock = { ...systemClock, monotonicMs: () => 0 };
    const reader = await join(async (clanId) => void flushed.push(clanId), ["a", "b"], { clock });
    await Promise.all([reader.catchUp("a"), reader.catchUp("b"), reader.catchUp("a")]);
    expect(flushed).toStrictEqual(["a", "b"]);
  });

  test("is received by the other processes if its own process only requests, and none of them waits for it", async () => {
    const flushed: string[] = [];
    const requester = await join(null);
    expect(await requester.catchUp("a")).toBe(true);
    const other = await join(async (clanId) => void flushed.push(clanId));
    expect(await Promise.all([requester.catchUp("b"), other.catchUp("c")])).toStrictEqual([true, true]);
    expect(flushed.toSorted()).toStrictEqual(["b", "c"]);
  });

  test("waits a bounded time for a process that never reports", async () => {
    vi.restoreAllMocks();
    const reader = await join(async () => {});
    const silent = openTestRedis(inject("redisUrl"));
    onTestFinished(() => silent.disconnect());
    await silent.subscribe(`${namespace}:project:a`);
    const requested = new Promise((resolve) => silent.once("message", resolve));
    const [allReported] = await Promise.all([reader.catchUp("a"), requested]);
    expect(allReported).toBe(false);
  });

  test("is not sent to a process that is stopping, although its connection is still open", async () => {
    const reader = await join(async () => {});
    const stopping = await join(async () => {});
    expect(await subscribersTo("project:a")).toBe(2);
    stopping.stop();
    await expect.poll(() => subscribersTo("project:a")).toBe(1);
    expect(await reader.catchUp("a")).toBe(true);
  });

  test("projects only in its own process without Redis", async () => {
    const url = new URL(inject("redisUrl"));
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    onTestFinished(() => proxy.close());
    url.port = String(proxy.port);
    const flushed: string[] = [];
    const subscriber = openTestRedis(url.href);
    const broken = openFailFastRedis({ url: url.href, log: testLog });
    onTestFinished(() => broken.disconnect());
    const flush = async (clanId: string): Promise<void> => void flushed.push(clanId);
    const common = { namespace, processId: "alone", oldestAgeMs: () => 0, clock: systemClock, log: testLog };
    const reader = joinProjectionRequests({ ...common, publisher: broken, subscriber, flush });
    onTestFinished(() => {
      reader.stop();
      subscriber.disconnect();
    });
    proxy.rejectConnections(true);
    proxy.reset();
    await expect.poll(() => subscriber.status).not.toBe("ready");
    expect(await reader.catchUp("a")).toBe(false);
    expect(flushed).toStrictEqual(["a"]);
  });

  test("fails with the error of its own process's projection", async () => {
    const reader = await join(() => Promise.reject(new Error("MongoDB is unavailable")));
    await expect(reader.catchUp("a")).rejects.toThrow("MongoDB is unavailable");
  });
});
