import { describe, expect, test } from "vitest";
import { patientCliOn } from "../../support/cli.ts";
import { expectProblem, expectResponse } from "../../support/responses.ts";
import { clanWithBoard, midWeek, standingsOf } from "../../support/boards.ts";
import { standingCursor } from "#contract/page.ts";
import { CATCH_UP_MS_MAX } from "#boards/bounds.ts";
import { reversalsOf } from "../../support/reversals.ts";
import { useApi } from "../../support/use-api.ts";

describe("GET …/periods/{periodId}/members", async () => {
  const { world, port } = await useApi({ worker: true });
  test("each award that was acknowledged before is in the standings, from the first one on", async () => {
    const clan = await clanWithBoard(world, port, ...midWeek());
    for (let amount = 1; amount <= 3; amount += 1) {
      await clan.award("123", { amount });
      const { members } = await standingsOf(clan);
      expect(members).toMatchObject([{ platformId: "123", xp: String((amount * (amount + 1)) / 2), position: 1 }]);
    }
  });

  test("equal XP has the same position, listed in the order in which it was reached", async () => {
    const clan = await clanWithBoard(world, port, ...midWeek());
    for (const [id, amount] of Object.entries({ c: 5, b: 7, a: 5, d: -3 }))
      expectResponse("apply-award", await clan.award(id, { amount }));
    const { members, period, nextCursor, asOf } = await standingsOf(clan);
    const places = members.map(({ platformId, position, xp }: any) => `${position}: ${platformId} ${xp}`);
    expect(places).toStrictEqual(["1: b 7", "2: c 5", "2: a 5", "4: d -3"]);
    expect(period).toMatchObject({ status: "open", members: 4 });
    expect(nextCursor).toBeNull();
    expect(Date.now() - Date.parse(asOf)).toBeLessThan(5_000);
  });

  test("a reversal takes the award back", async () => {
    const clan = await clanWithBoard(world, port, ...midWeek());
    const { change } = expectResponse("apply-award", await clan.awardChange("123", { amount: 40 }));
    await clan.award("123", { amount: 2 });
    await standingsOf(clan);
    await reversalsOf(clan).reverseNow({ platformId: "123", awardId: change.awardId });
    await expect.poll(async () => (await standingsOf(clan)).members[0].xp).toBe("2");
  });

  test("pages, the part around a member and named members agree", async () => {
    const clan = await clanWithBoard(world, port, ...midWeek());
    const awards = Array.from({ length: 30 }, (_, index) => {
      return { platformId: `p${index}`, amount: 1 + Math.floor(index / 2), idempotencyKey: `a${index}` };
    });
    expectResponse("apply-awards", await clan.awards(awards));
    const { members: all, period } = await standingsOf(clan);
    expect(all).toHaveLength(30);
    const paged: any[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const query: string = cursor === "" ? "?limit=7" : `?limit=7&cursor=${cursor}`;
      const page: any = await standingsOf(clan, query, period.periodId);
      paged.push(...page.members);
      cursor = page.nextCursor;
    }
    expect(paged).toStrictEqual(all);
    const around = await standingsOf(clan, "?around=p15&limit=5");
    const place = all.findIndex(({ platformId }: any) => platformId === "p15");
    expect(around.members).toStrictEqual(all.slice(place - 2, place + 3));
    const named = await standingsOf(clan, "?platformIds=p3,nobody,p29");
    expect(named).toMatchObject({ missing: ["nobody"], nextCursor: null });
    const both = ["p3", "p29"].map((id) => all.find(({ platformId }: any) => platformId === id));
    expect(named.members).toStrictEqual(both);
    const path = "/boards/board/periods/current/members";
    expectProblem(await clan.get(`${path}?around=nobody`), 404, "member_not_found");
    const after = { xp: 1n, reachedAt: new Date(0), platformId: "p1" };
    for (const other of [
      { boardId: "board", periodId: "20200101T000000Z", after },
      { boardId: "other", periodId: period.periodId, after },
    ])
      expectProblem(await clan.get(`${path}?cursor=${standingCursor(other)}`), 400, "invalid_request");
    for (const query of ["around=p1&cursor=x", "platformIds=p1&limit=2", "platformIds=p1,p1", "limit=0", "sort=xp"])
      expectProblem(await clan.get(`${path}?${query}`), 400, "invalid_request");
  });

  test("include=name adds the present names, in each form of the list and beyond its first page", async () => {
    const clan = await clanWithBoard(world, port, ...midWeek());
    for (const [id, amount] of Object.entries({ a: 3, b: 2, c: 1 })) await clan.award(id, { amount });
    expect(await standingsOf(clan)).toMatchObject({ members: [{ platformId: "a" }, {}, {}] });
    const names = Object.entries({ a: "Ada", c: "Cy" }).map(([platformId, name]) => ({ platformId, name }));
    expectResponse("set-names", await clan.post("/names", { names }));
    const namesIn = async (query: string) => (await standingsOf(clan, query)).members.map(({ name }: any) => name);
    expect(await namesIn("")).toStrictEqual([undefined, undefined, undefined]);
    expect(await namesIn("?include=name")).toStrictEqual(["Ada", null, "Cy"]);
    expect(await namesIn("?include=name&around=b&limit=3")).toStrictEqual(["Ada", null, "Cy"]);
    expect(await namesIn("?include=name&platformIds=c,nobody")).toStrictEqual(["Cy"]);
    const { nextCursor } = await standingsOf(clan, "?include=name&limit=2");
    expect(await namesIn(`?include=name&cursor=${nextCursor}`)).toStrictEqual(["Cy"]);
    for (const include of ["position", "name,position", "names", ""])
      expectProblem(await clan.get(`/boards/board/periods/current/members?include=${include}`), 400, "invalid_request");
  });

  test("asOf never decreases, whichever process is asked, and is at most 5 s ago", async () => {
    const clan = await clanWithBoard(world, port, ...midWeek());
    const others = [clan, clan.on((await world.startApi()).port)];
    let last = "";
    for (let round = 0; round < 15; round += 1) {
      await clan.award("1", { amount: 1 });
      const path = "/boards/board/periods/current/members";
      for (const caller of others) {
        // How long a response takes is up to the machine, which may be too slow for the first counts.
        const askedAtMs = Date.now();
        const reply = await caller.get(path);
        if (reply.status === 503 && Date.now() - askedAtMs >= CATCH_UP_MS_MAX) continue;
        const { asOf, members } = expectResponse("list-standings", reply);
        expect(asOf >= last).toBe(true);
        expect(askedAtMs - Date.parse(asOf)).toBeLessThan(5_000);
        last = asOf;
        expect(Number(members[0]?.xp ?? 0)).toBeLessThanOrEqual(round + 1);
      }
    }
  });

  test("a removed member is not on the board, and is again when a person adds them", async () => {
    const clan = await clanWithBoard(world, port, ...midWeek());
    const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
    await clan.award("1", { amount: 200 });
    await clan.award("2", { amount: 1 });
    await cli.json("member", "remove", clan.clanId, "1");
    const ids = async () => (await standingsOf(clan)).members.map(({ platformId }: any) => platformId);
    expect(await ids()).toStrictEqual(["2"]);
    await cli.json("member", "add", clan.clanId, "1");
    expect(await ids()).toStrictEqual(["1", "2"]);
  });
});
