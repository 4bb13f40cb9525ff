import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { Redis } from "ioredis";
import { LOCK_TTL_MS } from "#lock/bounds.ts";
import { makeMemberLock } from "#lock/member-lock.ts";
import { systemClock } from "#process/clock.ts";
import { makeCounters } from "#telemetry/metrics/counters.ts";
import { randomText } from "#process/secrets.ts";
import type { MemberId } from "#domain/member-id.ts";
import type { MemberLock } from "#ledger/ports.ts";
import { startTcpProxy, type TcpProxy } from "../../support/tcp-proxy.ts";
import { openTestRedis, testLog } from "../../support/world.ts";

describe("the member lock", () => {
  let direct: Redis;
  let proxied: Redis;
  let proxy: TcpProxy;
  let namespace: string;
  let members: [MemberId, MemberId, MemberId];
  beforeAll(async () => {
    const url = new URL(inject("redisUrl"));
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    direct = openTestRedis(url.href);
    url.port = String(proxy.port);
    proxied = openTestRedis(url.href);
    await Promise.all([direct, proxied].map((redis) => new Promise((resolve) => redis.once("ready", resolve))));
  });
  afterAll(async () => {
    for (const redis of [direct, proxied]) redis.disconnect();
    await proxy.close();
  });
  const newNamespace = (): string => `{lock-test-${randomText(8)}}`;
  beforeEach(() => {
    namespace = newNamespace();
    members = ["c/1", "c/2", "c/3"];
  });

  const meter = makeCounters();
  const lockOn = (redis: Redis): MemberLock =>
    makeMemberLock({ redis, namespace, clock: systemClock, meter, log: testLog });
  const lockKeys = (): Promise<string[]> => direct.keys(`${namespace}*`);

  /** Acts until no lock can have expired meanwhile, and Redis was asked for each: a busy machine may be too slow. */
  async function inTime<T>(act: () => Promise<T>): Promise<T> {
    for (;;) {
      namespace = newNamespace();
      const [skipped, beganAtMs] = [meter.locksSkipped, performance.now()];
      const result = await act();
      if (meter.locksSkipped === skipped && performance.now() - beganAtMs < LOCK_TTL_MS) return result;
    }
  }

  test("grants free locks and none that another holder has", async () => {
    const { first, second } = await inTime(async () => ({
      first: await lockOn(direct).acquire(members.slice(0, 2)),
      second: await lockOn(proxied).acquire(members),
    }));
    expect([...first.granted]).toStrictEqual(["c/1", "c/2"]);
    expect([...second.granted]).toStrictEqual(["c/3"]);
  });

  test("releases its own lock and never that of its successor", async () => {
    const first = await lockOn(direct).acquire(members);
    // As if it had expired, and another process had taken one of them since.
    await direct.set(`${namespace}:lock:c/1`, "another holder");
    first.release(new Map());
    await expect.poll(lockKeys).toStrictEqual([`${namespace}:lock:c/1`]);
    await direct.del(`${namespace}:lock:c/1`);
  });

  test("returns the seq of a released member with the next lock, and deletes it if there is none to store", async () => {
    const seqs: [MemberId, number][] = [
      ["c/1", 7],
      ["c/3", 9_007_199_254_740_991],
    ];
    const { held, next, last } = await inTime(async () => {
      const lock = lockOn(direct);
      const first = await lock.acquire(members);
      first.release(new Map(seqs));
      const second = await lock.acquire(members);
      second.release(new Map());
      return { held: first, next: second, last: await lock.acquire(members) };
    });
    expect([...held.seqs]).toStrictEqual([]);
    expect([...next.granted]).toStrictEqual(members);
    expect([...next.seqs]).toStrictEqual(seqs);
    expect([...last.granted]).toStrictEqual(members);
    expect([...last.seqs]).toStrictEqual([]);
  });

  test("returns no seq to a process without the lock, and stores none of an expired holder", async () => {
    const { first, second } = await inTime(async () => ({
      first: await lockOn(direct).acquire(["c/1"]),
      second: await lockOn(proxied).acquire(["c/1"]),
    }));
    expect(second.granted.size).toBe(0);
    await direct.set(`${namespace}:lock:c/1`, "another holder");
    first.release(new Map([["c/1", 5]]));
    await direct.ping();
    expect(await direct.get(`${namespace}:lock:c/1`)).toBe("another holder");
  });

  test("ignores an impossible seq", async () => {
    for (const value of ["#", "#-1", "#x", "#1e400"]) {
      await direct.set(`${namespace}:lock:c/1`, value);
      const held = await lockOn(direct).acquire(["c/1"]);
      expect([held.granted.size, held.seqs.size]).toStrictEqual([1, 0]);
      held.release(new Map());
    }
  });

  test("expires after its time to live", async () => {
    const ttl = await inTime(async () => {
      await lockOn(direct).acquire(members);
      return direct.pttl(`${namespace}:lock:c/1`);
    });
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(2_000);
  });

  test("lets commits continue if Redis does not respond, and releases locks that it grants too late", async () => {
    const lock = lockOn(proxied);
    (await lock.acquire(["c/other"])).release(new Map());
    proxy.hold();
    const held = await lock.acquire(members);
    expect([...held.granted]).toStrictEqual(members);
    proxy.release();
    // Redis has granted them by the time it answers what was sent later. They are released immediately, not when they
    // expire: before the second answer arrives, so that what follows on the same connection finds none.
    for (let answers = 0; answers < 2; answers += 1) await proxied.ping();
    expect(await proxied.keys(`${namespace}*`)).toStrictEqual([]);
  });
});
