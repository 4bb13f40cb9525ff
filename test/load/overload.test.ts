// More requests than the service can handle: those beyond its bounds are rejected immediately, accepted ones are not
// affected, and memory stays constant.
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BATCHES_UNFINISHED_MAX, BATCHES_UNFINISHED_PER_CLAN_MAX } from "#batches/bounds.ts";
import { expectProblem } from "../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { requestText } from "../support/raw-http.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { useWorld } from "../support/use-api.ts";
import { flood } from "../security/flood.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";
import { testActor } from "../support/actor.ts";
import { median } from "../support/median.ts";

const world = await useWorld();

/** A clan whose key has no rates: here it is the service's own bounds that count. */
async function unlimitedClan(port: number): Promise<ClanCaller> {
  const clan = await makeClanCaller(world, port);
  await world.keys.limit(clan.key.split("_")[1] ?? "", { requestsPerSecond: null, awardsPerSecond: null }, testActor);
  return clan;
}

/** This many `busy` answers show that the overload lasts. */
const BUSY_ANSWERS = 40;
/** `busy` is answered immediately: within this time, or, on a slower machine, about as fast as any other answer. */
const AT_ONCE_MS = 500;

type Block = { text: string; requests: number };

function blockOf(clan: ClanCaller, path: string, body: string, requests: number): Block {
  const headers: [string, string][] = [
    ["Authorization", `Bearer ${clan.key}`],
    ["Content-Type", "application/json"],
    ["Prefer", "respond-async"],
  ];
  return { text: requestText("POST", `/v0/clans/${clan.clanId}${path}`, headers, body).repeat(requests), requests };
}

// A slow machine takes its time until the bounds are full.
describe.skipIf(process.platform !== "linux")("an API process with a heap of 256 MiB", { timeout: 240_000 }, () => {
  let proxy: TcpProxy;
  let api: RealProcess;
  let port: number;
  beforeAll(async () => {
    const url = new URL(world.mongoUrl);
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    // Not to be led to the server itself by the replica set's own list of hosts.
    url.port = String(proxy.port);
    url.searchParams.delete("replicaSet");
    url.searchParams.set("directConnection", "true");
    api = startProcess("api", { MONGO_URL: url.href, REDIS_URL: world.redisUrl }, ["--max-old-space-size=256"]);
    ({ port } = await api.ready());
  });
  afterAll(async () => {
    proxy.release();
    await api.stop();
    await proxy.close();
  });

  function residentMb(): number {
    const [, kb = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${api.pid}/status`, "utf8")) ?? [];
    return Number(kb) / 1024;
  }

  test("answers within 10 s a request that arrives when MongoDB stops responding", async () => {
    const clan = await unlimitedClan(port);
    expect((await clan.award("m", { amount: 1 })).status).toBe(200);
    proxy.hold();
    // What was remembered of key and clan is too old by then: both are read.
    await pause(600);
    const startMs = performance.now();
    const replies = await Promise.all([clan.award("m", { amount: 1 }), clan.submit([]), clan.get("")]);
    const waitedMs = performance.now() - startMs;
    proxy.release();
    for (const reply of replies) expectProblem(reply, 503, "unavailable");
    expect(waitedMs).toBeLessThan(10_000);
  });

  test("returns busy beyond its bounds while MongoDB does not respond, with flat memory, and then recovers", async () => {
    const clan = await unlimitedClan(port);
    expect((await clan.award("m", { amount: 1 })).status).toBe(200);
    // One key has a share of the room only.
    const clans = await Promise.all(Array.from({ length: 10 }, () => unlimitedClan(port)));
    const perClan = (lines: number, path: string, body: string, requests: number): Block[][] =>
      Array.from({ length: lines }, (_, line) => [blockOf(clans[line % clans.length] ?? clan, path, body, requests)]);
    const awards = JSON.stringify({
      awards: Array.from({ length: 500 }, (_, index) => ({
        platformId: `m${index}`,
        amount: 1,
        note: "x".repeat(400),
      })),
    });
    proxy.hold();
    const [busyMs, otherMs]: [number[], number[]] = [[], []];
    const ended = (): boolean => busyMs.length >= BUSY_ANSWERS;
    const batches = perClan(20, "/xp", awards, 15);
    const singles = perClan(120, "/members/m/xp", '{"amount":1}', 60);
    // What is admitted first fills the bounds: of bodies, then of requests.
    const flooding = [flood({ port, lines: batches, ended, pauseMs: 500 })];
    await pause(1_000);
    flooding.push(flood({ port, lines: singles, ended, pauseMs: 500 }));
    await pause(1_000);
    const peaks: number[] = [];
    while (!ended()) {
      const startMs = performance.now();
      // Who slips in between two waves of the flood waits with it for its deadline: another one is tried then.
      const reply = await Promise.race([clan.award("late", { amount: 1 }), pause(2_000, null)]);
      if (reply?.body.code === "busy" && reply.headers.has("retry-after")) busyMs.push(performance.now() - startMs);
      const sentMs = performance.now();
      // Takes no room, and waits for nothing.
      expect((await fetch(`http://127.0.0.1:${port}/nothing`)).status).toBe(404);
      otherMs.push(performance.now() - sentMs);
      peaks.push(residentMb());
      await pause(100);
    }
    proxy.release();
    const answered = new Set((await Promise.all(flooding)).flatMap((one) => [...one.answered.keys()]));
    // 408: bodies that a slow machine delivers too slowly.
    expect([200, 202, 408, 503]).toStrictEqual(expect.arrayContaining([...answered]));
    expect(median(busyMs)).toBeLessThan(Math.max(AT_ONCE_MS, 2 * median(otherMs)));
    expect(Math.max(...peaks)).toBeLessThan(600);
    // The bounds were full before the first half was over; what is sent after that must cost nothing more.
    const half = peaks.length / 2;
    expect(Math.max(...peaks.slice(half)) - Math.max(...peaks.slice(0, half))).toBeLessThan(100);
    await expect.poll(async () => (await clan.award("after", { amount: 1 })).status).toBe(200);
    expect(api.output()).not.toMatch(/process\.(?:uncaught|stopping)/);
  });
});

describe("batches under overload", { timeout: 60_000 }, () => {
  let port: number;
  let clan: ClanCaller;
  beforeAll(async () => {
    ({ port } = await world.startApi());
    clan = await unlimitedClan(port);
  });

  test("beyond the number that may wait return 503 busy, store nothing, and are accepted once there is room", async () => {
    const batches = world.database.db().collection<{ _id: string }>("batches");
    const ofAccepted = { prefer: "respond-async", "idempotency-key": "accepted" };
    const one = [{ platformId: "m", amount: 1 }];
    await clan.submit(one, ofAccepted);
    const before = await batches.countDocuments();
    await batches.insertMany(
      Array.from({ length: BATCHES_UNFINISHED_MAX }, (_, index) => ({
        _id: `full_${index}`,
        clanId: "other",
        state: "queued",
      })),
    );
    await expect.poll(async () => (await clan.submit(one, { prefer: "respond-async" })).status).toBe(503);
    const stored = await batches.countDocuments();
    const rejection = await clan.submit(one, { prefer: "respond-async" });
    expectProblem(rejection, 503, "busy");
    expect(rejection.headers.get("retry-after")).toBe("1");
    // One that was accepted before is no new one, whatever waits.
    const repeat = await clan.submit(one, ofAccepted);
    expect(repeat.headers.get("idempotency-replayed")).toBe("true");
    expect([200, 202]).toContain(repeat.status);
    expectProblem(await clan.submit([...one, ...one], ofAccepted), 422, "idempotency_key_reused");
    expectProblem(await clan.submit(one, { "idempotency-key": "another" }), 503, "busy");
    expect(await batches.countDocuments()).toBe(stored);
    expect((await clan.award("good", { amount: 1 })).status).toBe(200);

    await batches.deleteMany({ clanId: "other" });
    await expect.poll(async () => (await clan.submit(one, { prefer: "respond-async" })).status).toBe(202);
    expect(await batches.countDocuments()).toBeGreaterThan(before);

    // A part of it is the most that one clan may have: the others have the rest.
    const other = await unlimitedClan(port);
    await batches.insertMany(
      Array.from({ length: BATCHES_UNFINISHED_PER_CLAN_MAX }, (_, index) => ({
        _id: `own_${index}`,
        clanId: clan.clanId,
        state: "queued",
      })),
    );
    await expect.poll(async () => (await clan.submit(one, { prefer: "respond-async" })).status).toBe(503);
    expect(expectProblem(await clan.submit(one), 503, "busy").detail).toContain("This clan has");
    expect((await clan.submit(one, ofAccepted)).headers.get("idempotency-replayed")).toBe("true");
    expect((await other.submit(one, { prefer: "respond-async" })).status).toBe(202);
    await batches.deleteMany({ _id: /^own_/ });
  });
});
