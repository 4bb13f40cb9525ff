// Positions, parts of the leaderboard, members by id and totals: over all endpoints that return them.
import { describe, expect, onTestFinished, test } from "vitest";
import type { MemberDoc } from "#ledger/store/member-model.ts";
import { actsInTime } from "../support/acts-in-time.ts";
import { chanceOf } from "../support/chance.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { patientCliOn } from "../support/cli.ts";
import { expectProblem, expectResponse } from "../support/responses.ts";
import { seedOfRun } from "../support/seed.ts";
import { useApi } from "../support/use-api.ts";

type Member = { platformId: string; xp: string; position?: { value: number; of: number; approximate: boolean } | null };
type Page = { members: Member[]; missing?: string[]; nextCursor: string | null };

describe("positions", async () => {
  const { world, port } = await useApi();

  const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });

  const list = async (clan: ClanCaller, query: string): Promise<Page> =>
    expectResponse("list-members", await clan.get(`/members${query}`));
  const read = async (clan: ClanCaller, platformId: string, query = ""): Promise<any> =>
    expectResponse("read-member", await clan.get(`/members/${platformId}${query}`));
  /** Each id and its position, in the order of the list. */
  const placesIn = ({ members }: Page): string[] =>
    members.map(({ platformId, position }) => `${platformId} ${position?.value}`);
  const idsIn = ({ members }: Page): string[] => members.map(({ platformId }) => platformId);

  async function clanOf(xpOf: Record<string, number>): Promise<ClanCaller> {
    const clan = await makeClanCaller(world, port);
    await Promise.all(Object.entries(xpOf).map(([platformId, amount]) => clan.award(platformId, { amount })));
    return clan;
  }

  async function remove(clan: ClanCaller, platformId: string): Promise<void> {
    await world.members.join({ clanId: clan.clanId, platformId }, new Date(), null);
    expect((await cli.json("member", "remove", clan.clanId, platformId)).exitCode).toBe(0);
  }

  test("are equal for equal XP, and the next one skips; the same in every form", async () => {
    const clan = await clanOf({ a: 50, b: 30, c: 30, d: 10 });
    const expected = ["a 1", "b 2", "c 2", "d 4"];
    expect(placesIn(await list(clan, "?include=position"))).toStrictEqual(expected);
    for (const query of ["?around=c", "?sort=platformId", "?platformIds=a,b,c,d", "?limit=200&sort=xp"])
      expect(placesIn(await list(clan, `${query}&include=position`))).toStrictEqual(expected);
    const page = await list(clan, "?include=position&limit=2");
    expect(placesIn(await list(clan, `?include=name,position&cursor=${page.nextCursor}`))).toStrictEqual([
      "c 2",
      "d 4",
    ]);
    const { position } = await read(clan, "b", "?include=position");
    expect(position).toStrictEqual({ value: 2, of: 4, approximate: false });
    const named = await read(clan, "d", "?include=position,name");
    expect(named).toMatchObject({ position: { value: 4 }, name: null });
    expect(Object.keys(await read(clan, "d"))).not.toContain("position");
    for (const include of ["positions", "", "position,", "position,rank"])
      for (const path of ["/members", "/members/a"])
        expectProblem(await clan.get(`${path}?include=${include}`), 400, "invalid_request");
  });

  test("follow the awards within a second, in one order within each response", async () => {
    const clan = await clanOf({ a: 50, b: 30 });
    expect(placesIn(await list(clan, "?include=position"))).toStrictEqual(["a 1", "b 2"]);
    // What is cached says something else.
    await clan.award("b", { amount: 100 });
    await clan.award("c", { amount: 70 });
    await expect.poll(async () => placesIn(await list(clan, "?include=position"))).toStrictEqual(["b 1", "c 2", "a 3"]);
    expect((await list(clan, "?include=position")).members[0]?.position?.of).toBe(3);
    await actsInTime(async () => (await read(clan, "a", "?include=position")).position.value === 3);
  });

  test("a member whom a person removed is on no leaderboard, and returns to it as a member", async () => {
    const clan = await clanOf({ a: 500, b: 300, c: 200 });
    await remove(clan, "b");
    expect(placesIn(await list(clan, "?include=position"))).toStrictEqual(["a 1", "c 2"]);
    expect(placesIn(await list(clan, "?include=position&sort=platformId"))).toStrictEqual([
      "a 1",
      "b undefined",
      "c 2",
    ]);
    expect((await read(clan, "b", "?include=position")).position).toBeNull();
    const [removed] = (await list(clan, "?platformIds=b&include=position")).members;
    expect(removed).toMatchObject({ xp: "300", position: null });
    expectProblem(await clan.get("/members?around=b"), 404, "member_not_found");
    // XP alone does not bring a removed member back.
    await clan.award("b", { amount: 1_000 });
    expect(idsIn(await list(clan, ""))).toStrictEqual(["a", "c"]);
    const { totals } = expectResponse("read-clan", await clan.get("?include=totals"));
    expect(totals).toMatchObject({ members: 2, xp: "700" });
    await world.members.join({ clanId: clan.clanId, platformId: "b" }, new Date(), null);
    expect(idsIn(await list(clan, ""))).toStrictEqual(["b", "a", "c"]);
  });

  test("around a member: as many above as below, made up on the other side at the ends", async () => {
    const ids = Array.from({ length: 15 }, (_, index) => `m${index + 10}`);
    const clan = await clanOf(Object.fromEntries(ids.map((platformId, index) => [platformId, 1_500 - index])));
    const around = (platformId: string, query = ""): Promise<Page> => list(clan, `?around=${platformId}${query}`);
    expect(idsIn(await around("m17"))).toStrictEqual(ids.slice(2, 13));
    expect(idsIn(await around("m10"))).toStrictEqual(ids.slice(0, 11));
    expect(idsIn(await around("m24"))).toStrictEqual(ids.slice(4));
    expect(idsIn(await around("m17", "&limit=4"))).toStrictEqual(ids.slice(6, 10));
    expect(idsIn(await around("m17", "&limit=1"))).toStrictEqual(["m17"]);
    expect(idsIn(await around("m23", "&limit=5"))).toStrictEqual(ids.slice(10));
    expect(await around("m12", "&limit=200")).toMatchObject({ nextCursor: null });
    const { nextCursor } = await around("m17", "&limit=3&sort=xp");
    expect(idsIn(await list(clan, `?cursor=${nextCursor}`))).toStrictEqual(ids.slice(9));
    expectProblem(await clan.get("/members?around=nobody"), 404, "member_not_found");
    for (const query of ["sort=platformId", `cursor=${nextCursor}`, "limit=0", "around=a", "platformIds=a"])
      expectProblem(await clan.get(`/members?around=m17&${query}`), 400, "invalid_request");
    for (const platformId of ["", "a%20b", ".."])
      expectProblem(await clan.get(`/members?around=${platformId}`), 400, "invalid_request");
  });

  test("members by id: in the order asked, with every acknowledged award, and those of whom nothing is stored", async () => {
    const clan = await clanOf({ a: 5, b: 7 });
    for (let xp = 6; xp < 26; xp += 1) {
      await clan.award("a", { amount: 1 });
      const page = await list(clan, "?platformIds=x,b,a,y");
      expect(page).toMatchObject({ members: [{ platformId: "b" }, { platformId: "a", xp: String(xp) }] });
      expect(page).toMatchObject({ missing: ["x", "y"], nextCursor: null });
    }
    const many = Array.from({ length: 101 }, (_, index) => `p${index}`);
    expect((await list(clan, `?platformIds=${many.slice(1).join(",")}`)).missing).toStrictEqual(many.slice(1));
    for (const query of [
      `platformIds=${many.join(",")}`,
      "platformIds=",
      "platformIds=a,",
      "platformIds=a,a",
      "platformIds=a&platformIds=b",
      "platformIds=a,b%20",
      ...["limit=5", "sort=xp", "sort=platformId", "around=a"].map((other) => `platformIds=a&${other}`),
      `platformIds=a&cursor=${(await list(clan, "?limit=1")).nextCursor}`,
    ])
      expectProblem(await clan.get(`/members?${query}`), 400, "invalid_request");
  });

  test("the totals of a clan count those on the leaderboard, beyond 64 bits", async () => {
    const clan = await clanOf({ guest: 5 });
    const totals = async (query = "?include=totals"): Promise<any> =>
      expectResponse("read-clan", await clan.get(query)).totals;
    expect(await totals()).toMatchObject({ members: 1, memberships: 0, xp: "5" });
    const askedAtMs = Date.now();
    expect(Date.parse((await totals()).asOf)).toBeGreaterThan(askedAtMs - 5_000);
    expect(await totals("")).toBeUndefined();
    for (const platformId of ["x", "y", "z"])
      await world.setXp({ clanId: clan.clanId, platformId }, 9_223_372_036_854_775_807n);
    await world.members.join({ clanId: clan.clanId, platformId: "guest" }, new Date(), null);
    await actsInTime(async () => (await totals()).members === 4);
    expect(await totals()).toMatchObject({ memberships: 1, xp: (3n * 9_223_372_036_854_775_807n + 5n).toString() });
    for (const query of ["?include=total", "?include=", "?include=name", "?include=totals&include=totals"])
      expectProblem(await clan.get(query), 400, "invalid_request");
  });

  test(
    "of 60,000 members, the first 10,000 are exact, the others are off by 0.5 % at most",
    { timeout: 120_000 },
    async () => {
      const clan = await makeClanCaller(world, port);
      const chance = chanceOf(seedOfRun());
      const xps = Array.from({ length: 60_000 }, () => BigInt(Math.floor(1e5 * chance.next() ** 4)));
      const docs = xps.map((xp, index): MemberDoc => {
        const platformId = String(10_000_000 + ((index * 7919) % 1_000_000));
        const ids = { _id: `${clan.clanId}/${platformId}`, clanId: clan.clanId, platformId };
        return { ...ids, xp, seq: 0, membership: null, appointedRank: null, lastAwardAt: null };
      });
      const members = world.database.db().collection<MemberDoc>("members");
      for (let from = 0; from < docs.length; from += 10_000)
        await members.insertMany(docs.slice(from, from + 10_000), { ordered: false });
      await members.updateMany({ _id: { $in: docs.slice(0, 500).map(({ _id }) => _id) } }, { $set: { removed: true } });

      const listed = docs.slice(500).map(({ platformId, xp }) => ({ platformId, xp }));
      listed.sort((a, b) => Number(b.xp - a.xp) || (a.platformId < b.platformId ? -1 : 1));
      const right = new Map<bigint, number>();
      for (const [index, { xp }] of listed.entries()) if (!right.has(xp)) right.set(xp, index + 1);
      const check = ({ xp, position }: Member): void => {
        const value = right.get(BigInt(xp)) ?? NaN;
        expect(position?.approximate).toBe(value > 10_000);
        expect(Math.abs((position?.value ?? NaN) - value)).toBeLessThanOrEqual(
          value > 10_000 ? 0.005 * listed.length : 0,
        );
        expect(position?.of).toBe(listed.length);
      };

      const profile = world.database.db();
      await profile.createCollection("system.profile", { capped: true, size: 64 * 1024 * 1024 });
      await profile.command({ profile: 2 });
      onTestFinished(() => void profile.command({ profile: 0 }));
      const beganAt = performance.now();
      for (const from of [0, 9_900, 10_000, 25_000, 59_390]) {
        const { platformId = "" } = listed[from + 50] ?? {};
        const page = await list(clan, `?around=${platformId}&limit=100&include=position`);
        expect(idsIn(page)).toStrictEqual(listed.slice(from + 1, from + 101).map((member) => member.platformId));
        page.members.forEach(check);
        const values = page.members.map(({ position }) => position?.value ?? NaN);
        expect(values).toStrictEqual(values.toSorted((a, b) => a - b));
        for (const [index, { xp }] of page.members.entries())
          if (index > 0) expect(xp === page.members[index - 1]?.xp).toBe(values[index] === values[index - 1]);
      }
      const named = Array.from({ length: 100 }, () => chance.pick(listed).platformId);
      const some = await list(clan, `?include=position&platformIds=${[...new Set(named)].join(",")}`);
      some.members.forEach(check);

      // However many ask, the database is read once a second, and counted once.
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          for (let reads = 0; reads < 20; reads += 1) await list(clan, `?include=position&platformIds=${named[reads]}`);
        }),
      );
      const elapsedS = (performance.now() - beganAt) / 1_000;
      const reads = (filter: object): Promise<number> =>
        profile.collection("system.profile").countDocuments({ "command.find": "members", ...filter });
      expect(await reads({ "command.limit": 10_001 })).toBeLessThanOrEqual(Math.ceil(elapsedS) + 1);
      expect(await reads({ "command.skip": 9_999 })).toBe(1);
      expect(await reads({ "command.projection.xp": 1, docsExamined: { $gt: 0 } })).toBe(0);

      const { totals } = expectResponse("read-clan", await clan.get("?include=totals"));
      expect(totals).toMatchObject({
        members: listed.length,
        xp: String(listed.reduce((sum, { xp }) => sum + xp, 0n)),
      });
    },
  );
});
