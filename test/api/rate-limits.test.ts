// How fast a key may call, seen from outside.
import { describe, expect, test } from "vitest";
import type { KeyLimits } from "#domain/key-limits.ts";
import { REST_MS } from "#rate-limit/bounds.ts";
import { RATE_COMMAND_MS } from "#redis/bounds.ts";
import { expectProblem } from "../support/responses.ts";
import { callerOf, type Caller, type Reply } from "../support/http.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { testActor } from "../support/actor.ts";
import { useApi } from "../support/use-api.ts";

describe("the rate limits of an API key", async () => {
  const { world, port } = await useApi();

  async function limitedKey(limits: Partial<KeyLimits>): Promise<{ key: string; clanId: string; caller: Caller }> {
    const { clan } = await world.makeClan();
    const { keyId, secret } = await world.makeKey(clan.clanId);
    await world.keys.limit(keyId, limits, testActor);
    return { key: secret, clanId: clan.clanId, caller: callerOf(port, secret) };
  }
  const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => make(index)));
  const admitted = (replies: readonly Reply[]): number => replies.filter((reply) => reply.status === 200).length;
  /**
   * The first outcome that is right, or of an attempt in which Redis was certainly asked and responded in time.
   * Otherwise processes go on with their own shares of the rate, for a while.
   */
  async function outcomeOf<T>(attempt: () => Promise<T>, isRight: (outcome: T) => boolean): Promise<T> {
    for (let restUntilMs = performance.now() + REST_MS; ;) {
      const beganAtMs = performance.now();
      const outcome = await attempt();
      const endedAtMs = performance.now();
      if (isRight(outcome)) return outcome;
      if (endedAtMs - beganAtMs >= RATE_COMMAND_MS) restUntilMs = endedAtMs + REST_MS;
      else if (beganAtMs >= restUntilMs) return outcome;
    }
  }

  test("are reported with policy and remaining quota in every response", async () => {
    const { caller, clanId } = await limitedKey({});
    const reply = await caller.post(`/v0/clans/${clanId}/members/1/xp`, { amount: 1 });
    expect(reply.headers.get("ratelimit-policy")).toBe('"requests";q=2000;w=4, "awards";q=20000;w=4');
    expect(reply.headers.get("ratelimit")).toMatch(/^"requests";r=1999;t=1, "awards";r=19999;t=1$/);
    const rejected = await caller.post(`/v0/clans/${clanId}/members/1/xp`, {});
    expect(rejected.status).toBe(400);
    expect(rejected.headers.get("ratelimit")).toMatch(/^"requests";r=199[89];t=1$/);
    const mismatch = await caller.get("/v0/clans/other");
    // Before the rate is spent, too.
    const method = await caller.send("DELETE", `/v0/clans/${clanId}`);
    expect([mismatch.status, method.status]).toStrictEqual([403, 405]);
    for (const { headers } of [mismatch, method]) {
      expect(headers.get("ratelimit-policy")).toBe('"requests";q=2000;w=4, "awards";q=20000;w=4');
      const left = /^"requests";r=(1998|1999|2000);t=[01], "awards";r=(19999|20000);t=[01]$/;
      expect(headers.get("ratelimit")).toMatch(left);
    }
  });

  test("are reported by a read even if only awards are limited", async () => {
    const { caller, clanId } = await limitedKey({ awardsPerSecond: 10, requestsPerSecond: null });
    const left = async () => (await caller.get(`/v0/clans/${clanId}`)).headers.get("ratelimit");
    expect(await left()).toBe('"awards";r=40;t=0');
    const awards = Array.from({ length: 40 }, () => ({ platformId: "1", amount: 1 }));
    await caller.post(`/v0/clans/${clanId}/awards`, { awards });
    expect(Number(/^"awards";r=(\d+);t=\d$/.exec((await left()) ?? "")?.[1])).toBeLessThan(40);
  });

  test("allow a burst of four times the rate, then return 429 with Retry-After without applying anything", async () => {
    const send30 = async () => {
      const { caller, clanId } = await limitedKey({ requestsPerSecond: 2 });
      const startMs = performance.now();
      const replies = await times(30, () => caller.post(`/v0/clans/${clanId}/members/1/xp`, { amount: 1 }));
      const seconds = (performance.now() - startMs) / 1_000;
      // 8 immediately, and 2 per second while the 30 were in progress.
      return { clanId, replies, served: admitted(replies), most: 9 + 2 * seconds };
    };
    const { clanId, replies, served, most } = await outcomeOf(send30, (sent) => sent.served <= sent.most);
    expect(served).toBeGreaterThanOrEqual(8);
    expect(served).toBeLessThanOrEqual(most);
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expectProblem(reply, 429, "rate_limited");
      expect(reply.headers.get("retry-after")).toBe("1");
      expect(reply.headers.get("ratelimit")).toMatch(/"requests";r=0;t=4/);
    }
    expect((await world.members.read({ clanId, platformId: "1" }))?.xp).toBe(BigInt(served));
  });

  test("count awards separately from requests, and a batch by its awards", async () => {
    const sendTwo = async () => {
      const { caller, clanId } = await limitedKey({ awardsPerSecond: 1, requestsPerSecond: null });
      const awards = Array.from({ length: 3 }, () => ({ platformId: "1", amount: 1 }));
      const send = () => caller.post(`/v0/clans/${clanId}/xp`, { awards }, { prefer: "respond-async" });
      return { caller, clanId, replies: [await send(), await send()] as const };
    };
    // The second one fits 2 s after the first.
    const { caller, clanId, replies } = await outcomeOf(sendTwo, (sent) => sent.replies[1].status !== 202);
    expect(replies[0].status).toBe(202);
    expectProblem(replies[1], 429, "rate_limited");
    // Reads cost no awards, and this key has no limit of requests.
    expect(admitted(await times(20, () => caller.get(`/v0/clans/${clanId}`)))).toBe(20);
  });

  test("reject a batch larger than the burst with a detail that says that waiting does not help", async () => {
    const { caller, clanId } = await limitedKey({ awardsPerSecond: 1 });
    const awards = Array.from({ length: 5 }, () => ({ platformId: "1", amount: 1 }));
    const problem = expectProblem(await caller.post(`/v0/clans/${clanId}/xp`, { awards }), 429, "rate_limited");
    expect(problem.detail).toMatch(/a request with 5 awards never fits/);
  });

  test("refill over time", async () => {
    const { caller, clanId } = await limitedKey({ requestsPerSecond: 20 });
    await times(100, () => caller.get(`/v0/clans/${clanId}`));
    await expect.poll(async () => (await caller.get(`/v0/clans/${clanId}`)).status).toBe(200);
  });

  test("are shared by two processes", async () => {
    const { port: otherPort } = await world.startApi();
    const send200 = async () => {
      const { key, clanId, caller } = await limitedKey({ requestsPerSecond: 10 });
      const other = callerOf(otherPort, key);
      const startMs = performance.now();
      const replies = await times(200, (index) => (index % 2 ? caller : other).get(`/v0/clans/${clanId}`));
      const refilled = 10 * Math.ceil((performance.now() - startMs) / 1_000);
      return { served: admitted(replies), most: 40 + refilled };
    };
    const { served, most } = await outcomeOf(send200, (sent) => sent.served <= sent.most);
    expect(served).toBeGreaterThanOrEqual(38);
    expect(served).toBeLessThanOrEqual(most);
  });

  test('are lifted by "none", and a key without limits gets no RateLimit headers', async () => {
    const { caller, clanId } = await limitedKey({ requestsPerSecond: null, awardsPerSecond: null });
    const reply = await caller.get(`/v0/clans/${clanId}`);
    expect(reply.headers.has("ratelimit-policy")).toBe(false);
    expect(reply.headers.has("ratelimit")).toBe(false);
  });

  test("are not affected by requests with an invalid key", async () => {
    const send4 = async () => {
      const { caller, key, clanId } = await limitedKey({ requestsPerSecond: 1 });
      const wrong = callerOf(port, `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`);
      await times(20, () => wrong.get(`/v0/clans/${clanId}`));
      return admitted(await times(4, () => caller.get(`/v0/clans/${clanId}`)));
    };
    expect(await outcomeOf(send4, (served) => served === 4)).toBe(4);
  });

  test("are divided among processes while Redis does not respond or is unreachable", async () => {
    const url = new URL(world.redisUrl);
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    const api = await world.startApi({ config: { redisUrl: url.href } });
    const { key, clanId } = await limitedKey({ requestsPerSecond: 5 });
    const caller = callerOf(api.port, key);
    expect((await caller.get(`/v0/clans/${clanId}`)).status).toBe(200);
    proxy.hold();
    const silent = admitted(await times(60, () => caller.get(`/v0/clans/${clanId}`)));
    expect(silent).toBeGreaterThan(0);
    expect(silent).toBeLessThanOrEqual(40);
    await proxy.close();
    const gone = await times(60, () => caller.get(`/v0/clans/${clanId}`));
    expect(admitted(gone)).toBeLessThan(60);
    expect(gone.every(({ status }) => status === 200 || status === 429)).toBe(true);
  });
});
