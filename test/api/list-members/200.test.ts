import { COMMAND_MS, SUBSCRIBE_MS, SUBSCRIPTION_CHECK_MS } from "#redis/bounds.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { expectResponse } from "../../support/responses.ts";
import { makeClanCaller, PATIENT, type ClanCaller } from "../../support/clan-caller.ts";
import { openProxies } from "../../support/proxies.ts";
import { openTestRedis } from "../../support/world.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

type Listed = { platformId: string; xp: string };

describe("GET …/members", async () => {
  const { world, port } = await useApi();

  /** A clan whose members have these XP, without a floor. */
  async function clanOf(xpOf: Record<string, number>): Promise<ClanCaller> {
    const clan = await makeClanCaller(world, port, { xpFloor: null });
    await Promise.all(Object.entries(xpOf).map(([platformId, amount]) => clan.award(platformId, { amount })));
    return clan;
  }
  const list = async (clan: ClanCaller, query = ""): Promise<{ members: Listed[]; nextCursor: string | null }> =>
    expectResponse("list-members", await clan.get(`/members${query}`));
  const idsOf = (members: readonly Listed[]): string[] => members.map((member) => member.platformId);

  /** All pages, first to last. */
  async function walk(clan: ClanCaller, query: string): Promise<Listed[][]> {
    const pages: Listed[][] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page = await list(clan, `?${query}${cursor && `&cursor=${cursor}`}`);
      pages.push(page.members);
      cursor = page.nextCursor;
    }
    return pages;
  }

  test("lists everyone with XP or a membership, each as the endpoint of one member returns them", async () => {
    const clan = await clanOf({ guest: 50, low: -5 });
    await world.members.join({ clanId: clan.clanId, platformId: "joined" }, new Date(), "Officer");
    const ids = ["guest", "joined", "low"];
    const members = await Promise.all(ids.map(async (platformId) => (await clan.get(`/members/${platformId}`)).body));
    expect(await list(clan)).toStrictEqual({ members, nextCursor: null });
  });

  const redis = openTestRedis(world.redisUrl);
  afterAll(() => redis.disconnect());
  const namespace = redisNamespace(world.mongoUrl);

  /** Resolves when so many processes ask others to project, and receive their reports. */
  async function asking(processes: number): Promise<void> {
    const channels = async () => (await redis.pubsub("CHANNELS", `${namespace}:projected:*`)) as string[];
    await expect.poll(async () => (await channels()).length).toBe(processes);
  }

  let impatientUntilMs = 0;
  /**
   * What one process lists of a new clan after another one has acknowledged its first award. If Redis does not respond
   * in time, the list may be empty, for a while: then another clan is tried.
   */
  async function listAfterAward(amount: number, writer: number, reader: number) {
    for (;;) {
      const clan = await makeClanCaller(world, writer);
      const beganAtMs = performance.now();
      expectResponse("apply-award", await clan.award("123", { amount }));
      const awardedAtMs = performance.now();
      if (awardedAtMs - beganAtMs >= SUBSCRIBE_MS) impatientUntilMs = awardedAtMs + SUBSCRIPTION_CHECK_MS;
      const { members } = await list(clan.on(reader));
      const isInTime = awardedAtMs > impatientUntilMs && performance.now() - awardedAtMs < COMMAND_MS;
      if (members.length > 0 || isInTime) return { clan, members };
    }
  }

  test("includes an award that another process has just acknowledged", async () => {
    const other = await world.startApi();
    onTestFinished(() => other.close());
    await asking(2);
    for (let amount = 1; amount <= 20; amount += 1) {
      const { clan, members } = await listAfterAward(amount, port, other.port);
      expect(members).toMatchObject([{ platformId: "123", xp: String(amount) }]);
      // Only the process that applied it is asked.
      const requests = `${namespace}:project:${clan.clanId}`;
      await expect.poll(() => redis.pubsub("NUMSUB", requests)).toStrictEqual([requests, 1]);
    }
  });

  test("includes such an award even if Redis is slow to connect the two processes", async () => {
    const proxies = await openProxies(world);
    onTestFinished(() => proxies.close());
    const slow = await world.startApi({ config: { redisUrl: proxies.config.redisUrl } });
    await asking(2);
    // So that its other connections exist.
    await listAfterAward(1, slow.port, port);
    proxies.redis.delay(50);
    const { members } = await listAfterAward(5, slow.port, port);
    expect(members).toMatchObject([{ platformId: "123", xp: "5" }]);
    proxies.redis.delay(0);
    await slow.close();
  });

  test("sorts by default as a leaderboard, with the highest XP first and ties by platformId", async () => {
    const ties = { ten: 10, B: 10, a: 10, _: 10, 2: 10, 10: 10 };
    const clan = await clanOf({ nine: 9, hundred: 100, minus: -1, zero: 0, ...ties });
    const order = ["hundred", "10", "2", "B", "_", "a", "ten", "nine", "zero", "minus"];
    for (const query of ["", "?sort=xp", "?sort=xp&limit=200"])
      expect(idsOf((await list(clan, query)).members)).toStrictEqual(order);
  });

  test("sorts by the bytes of platformId on request", async () => {
    const clan = await clanOf({ a: 1, B: 2, _: 3, "|": 4, "-": 5, 9: 6, 10: 7, "a.b": 8, "a:b": 9, aa: 10 });
    const { members } = await list(clan, "?sort=platformId");
    expect(idsOf(members)).toStrictEqual(["-", "10", "9", "B", "_", "a", "a.b", "a:b", "aa", "|"]);
  });

  test("returns 50 members by default and at most 200", async () => {
    const clan = await clanOf({ m0: 0 });
    const others = Array.from({ length: 204 }, (_, index) => ({ platformId: `m${index + 1}`, amount: index % 7 }));
    await world.startWorker();
    expectResponse("submit-batch", await clan.submit(others, PATIENT));
    // What a worker committed is listed a moment later.
    await until(async () => (await walk(clan, "limit=200")).flat().length === 205);
    const sizes = await Promise.all(
      ["", "?limit=200", "?limit=1"].map(async (query) => (await list(clan, query)).members.length),
    );
    expect(sizes).toStrictEqual([50, 200, 1]);

    for (const query of ["limit=50", "limit=200&sort=xp", "limit=41&sort=platformId", "limit=7&sort=xp"]) {
      const pages = await walk(clan, query);
      const all = pages.flat();
      expect(new Set(idsOf(all)).size).toBe(205);
      expect(all).toHaveLength(205);
      const limit = Number(/\d+/.exec(query)?.[0]);
      expect(pages.map((page) => page.length)).toStrictEqual(
        pages.map((_, index) => Math.min(limit, 205 - index * limit)),
      );
      expect(idsOf(all)).toStrictEqual(idsOf(query.includes("platformId") ? byId(all) : byXp(all)));
    }
  });

  test("has no next page after a last page that is exactly full", async () => {
    const clan = await clanOf({ a: 1, b: 2, c: 3, d: 4 });
    for (const sort of ["xp", "platformId"])
      expect((await walk(clan, `limit=2&sort=${sort}`)).map((page) => page.length)).toStrictEqual([2, 2]);
  });

  test("continues after a member whose XP has changed, and after the smallest and largest XP", async () => {
    const clan = await clanOf({ a: 3, b: 2, c: 1 });
    const first = await list(clan, "?limit=1");
    await clan.award("a", { amount: 100 });
    expect(idsOf((await list(clan, `?cursor=${first.nextCursor}`)).members)).toStrictEqual(["b", "c"]);

    const ends = await makeClanCaller(world, port, { xpFloor: null });
    for (const platformId of ["low", "high", "mid"]) await ends.award(platformId, { amount: 0 });
    await world.setXp({ clanId: ends.clanId, platformId: "low" }, -9_223_372_036_854_775_808n);
    await world.setXp({ clanId: ends.clanId, platformId: "high" }, 9_223_372_036_854_775_807n);
    const xp = (await walk(ends, "limit=1")).flat().map((member) => member.xp);
    expect(xp).toStrictEqual(["9223372036854775807", "0", "-9223372036854775808"]);
  });

  test("lists only the clan's own members, even if the IDs of other clans begin with the clan's ID", async () => {
    const clanId = `c${crypto.randomUUID().slice(0, 8)}`;
    const clans = await Promise.all(
      [clanId, `${clanId}0`, `${clanId}-`, `${clanId}_`].map((id) => makeClanCaller(world, port, { clanId: id })),
    );
    await Promise.all(clans.map((clan, index) => clan.award(`m${index}`, { amount: 1 })));
    for (const [index, clan] of clans.entries()) {
      for (const sort of ["xp", "platformId"])
        expect(idsOf((await list(clan, `?sort=${sort}`)).members)).toStrictEqual([`m${index}`]);
    }
  });
});

function byId(members: readonly Listed[]): Listed[] {
  return members.toSorted((a, b) => (a.platformId < b.platformId ? -1 : 1));
}

function byXp(members: readonly Listed[]): Listed[] {
  return byId(members).toSorted((a, b) => Number(BigInt(b.xp) - BigInt(a.xp)));
}
