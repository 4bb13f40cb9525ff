// Members by their newest award, and those who have had none for some time.
import { describe, expect, test } from "vitest";
import { MEMBERS_EXAMINED_MAX } from "#mongo/bounds.ts";
import { chanceOf } from "../../support/chance.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { patientCliOn } from "../../support/cli.ts";
import { expectProblem, expectResponse } from "../../support/responses.ts";
import { seedOfRun } from "../../support/seed.ts";
import { useApi } from "../../support/use-api.ts";

type Stored = { platformId: string; xp: bigint; lastAwardAt: Date | null; removed?: true };

describe("GET …/members by last award", async () => {
  const { world, port } = await useApi();
  const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  const [first, day] = [Date.parse("2026-10-01T00:00:00.000Z"), 86_400_000];

  /** A clan with these members, as if they had been awarded at these times. */
  async function clanOf(members: readonly Stored[]): Promise<ClanCaller> {
    const clan = await makeClanCaller(world, port);
    const docs = members.map((member) => {
      const ids = { _id: `${clan.clanId}/${member.platformId}`, clanId: clan.clanId };
      return { ...ids, seq: 1, membership: null, appointedRank: null, ...member };
    });
    await world.database.db().collection<{ _id: string }>("members").insertMany(docs);
    return clan;
  }

  async function walk(clan: ClanCaller, query: string): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const path = `/members?${query}${cursor && `&cursor=${cursor}`}`;
      const page: any = expectResponse("list-members", await clan.get(path));
      ids.push(...page.members.map(({ platformId }: { platformId: string }) => platformId));
      cursor = page.nextCursor;
    }
    return ids;
  }

  test("lists in each order exactly those without an award since then, each once over all pages", async () => {
    const chance = chanceOf(seedOfRun());
    const members = Array.from({ length: 90 }, (_, index): Stored => {
      const days = chance.int(-3, 9);
      return {
        platformId: `m${String(index).padStart(2, "0")}`,
        xp: BigInt(chance.int(0, 20)),
        lastAwardAt: days < 0 ? null : new Date(first + days * day),
        ...(chance.int(0, 5) === 0 ? { removed: true } : {}),
      };
    });
    const clan = await clanOf(members);
    const byAward = members.toSorted((a, b) => Number(a.lastAwardAt ?? 0) - Number(b.lastAwardAt ?? 0));
    const orders = {
      lastAwardAt: byAward,
      platformId: members,
      xp: members.filter(({ removed }) => !removed).toSorted((a, b) => Number(b.xp - a.xp)),
    };
    const idsOf = (listed: readonly Stored[]): string[] => listed.map(({ platformId }) => platformId);
    expect(await walk(clan, "sort=lastAwardAt&limit=7")).toStrictEqual(idsOf(byAward));
    // A time itself is not before it, however finely it is written.
    const times = [
      "2026-10-04T00:00:00Z",
      "2026-10-04t02:00:00.0000+02:00",
      "2026-10-04T00:00:00.000001z",
      "2031-01-01T00:00:00Z",
    ];
    for (const time of times) {
      const before = Date.parse(time.replace("001z", "z").toUpperCase()) + (time.includes("001z") ? 1 : 0);
      const isIdle = ({ lastAwardAt }: Stored): boolean => !lastAwardAt || lastAwardAt.getTime() < before;
      const since = `idleSince=${encodeURIComponent(time)}`;
      expect(await walk(clan, `${since}&limit=9`)).toStrictEqual(idsOf(byAward.filter(isIdle)));
      for (const [sort, listed] of Object.entries(orders))
        expect([sort, await walk(clan, `${since}&sort=${sort}&limit=8`)]).toStrictEqual([
          sort,
          idsOf(listed.filter(isIdle)),
        ]);
    }
    const { answer } = await cli.json("member", "list", clan.clanId, "--idle-since", "2026-10-04", "--limit", "5");
    const page = await clan.get("/members?idleSince=2026-10-04T00:00:00Z&limit=5&include=name");
    expect(answer).toStrictEqual(page.body);
    const sorted = await cli.json("member", "list", clan.clanId, "--sort", "lastAwardAt", "--limit", "200");
    expect(idsOf(sorted.answer.members)).toStrictEqual(idsOf(byAward));
  });

  test("finds the few of a large clan, in each order", async () => {
    const members = Array.from({ length: MEMBERS_EXAMINED_MAX + 50 }, (_, index): Stored => {
      const isIdle = index % (MEMBERS_EXAMINED_MAX + 20) === 0;
      const platformId = `m${String(index).padStart(5, "0")}`;
      return { platformId, xp: BigInt(index), lastAwardAt: new Date(first + (isIdle ? 0 : day)) };
    });
    const clan = await clanOf(members);
    const [one, other] = ["m00000", `m${MEMBERS_EXAMINED_MAX + 20}`];
    const since = "idleSince=2026-10-01T12:00:00Z";
    for (const sort of ["", "&sort=platformId"])
      expect(await walk(clan, `${since}${sort}&limit=1`)).toStrictEqual([one, other]);
    expect(await walk(clan, `${since}&sort=xp`)).toStrictEqual([other, one]);
  });

  test("follows an award, and names it in the command's table", async () => {
    const clan = await clanOf([{ platformId: "old", xp: 1n, lastAwardAt: new Date(first) }]);
    const since = new Date().toISOString();
    await clan.award("new", { amount: 5 });
    expect(await walk(clan, `idleSince=${since}`)).toStrictEqual(["old"]);
    expect(await walk(clan, "sort=lastAwardAt")).toStrictEqual(["old", "new"]);
    const { stdout } = await cli.run("member", "list", clan.clanId, "--idle-since", "-1h");
    expect(stdout).toMatch(/LAST AWARD\nold .*2026-10-01T00:00:00.000Z\n$/);
    const both = await cli.json("member", "list", clan.clanId, "--idle-since", "now", "--rank", "Guest");
    expect(both.answer).toMatchObject({ members: [{ platformId: "new" }, { platformId: "old" }], hasMore: false });
  });

  test("rejects with 400 a time that is none, positions, other forms, and a cursor of another order", async () => {
    const clan = await clanOf(["a", "b"].map((platformId) => ({ platformId, xp: 1n, lastAwardAt: null })));
    const since = "idleSince=2026-10-04T00:00:00Z";
    const { nextCursor } = expectResponse("list-members", await clan.get(`/members?${since}&limit=1`));
    const { nextCursor: byXp } = expectResponse("list-members", await clan.get("/members?limit=1"));
    const bad = [
      ...["", "now", "2026-10-04", "2026-10-04T00:00:00", "1", `2026-10-04T00:00:00Z&${since}`].map(
        (at) => `idleSince=${at}`,
      ),
      ...["include=position", "include=name,position", "around=a", "platformIds=a", "sort=rank", `cursor=${byXp}`].map(
        (other) => `${since}&${other}`,
      ),
      ...["include=position", "around=a", "platformIds=a"].map((other) => `sort=lastAwardAt&${other}`),
      ...["", "sort=xp&", `${since}&sort=platformId&`].map((other) => `${other}cursor=${nextCursor}`),
    ];
    for (const query of bad) expectProblem(await clan.get(`/members?${query}`), 400, "invalid_request");
    expect(await walk(clan, `sort=lastAwardAt&limit=1&cursor=${nextCursor}`)).toStrictEqual(["b"]);
  });
});
