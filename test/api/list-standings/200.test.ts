import { describe, expect, test } from "vitest";
import { cliOn } from "../../support/cli.ts";
import { expectResponse } from "../../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { reversalsOf } from "../../support/reversals.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

describe("GET …/periods/{periodId}/members", async () => {
  const { world, port } = await useApi({ worker: true });
  const cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, CLANXP_ACTOR: "ada" });

  async function clanWithBoard(): Promise<ClanCaller> {
    const clan = await makeClanCaller(world, port, { xpFloor: null }, ["award", "deduct", "read", "reverse"]);
    expect(await cli.json("board", "set", clan.clanId, "daily", "--every", "day")).toMatchObject({ exitCode: 0 });
    return clan;
  }
  /** As of now or later. */
  async function standings(clan: ClanCaller, query = "", period = "current"): Promise<any> {
    const since = new Date().toISOString();
    let read: any;
    await until(async () => {
      read = expectResponse("list-standings", await clan.get(`/boards/daily/periods/${period}/members${query}`));
      return read.asOf >= since;
    });
    return read;
  }

  test("each award that was acknowledged before is in the standings, from the first one on", async () => {
    const clan = await clanWithBoard();
    for (let amount = 1; amount <= 3; amount += 1) {
      await clan.award("123", { amount });
      const { members } = await standings(clan);
      expect(members).toMatchObject([{ platformId: "123", xp: String((amount * (amount + 1)) / 2), position: 1 }]);
    }
  });

  test("equal XP has the same position, listed in the order in which it was reached", async () => {
    const clan = await clanWithBoard();
    for (const [id, amount] of [
      ["c", 5],
      ["b", 7],
      ["a", 5],
      ["d", -3],
    ] as const)
      expectResponse("apply-award", await clan.award(id, { amount }));
    const { members, period, nextCursor, asOf } = await standings(clan);
    expect(members.map(({ platformId, position, xp }: any) => [platformId, position, xp])).toStrictEqual([
      ["b", 1, "7"],
      ["c", 2, "5"],
      ["a", 2, "5"],
      ["d", 4, "-3"],
    ]);
    expect(period).toMatchObject({ status: "open", members: 4 });
    expect(nextCursor).toBeNull();
    expect(Date.now() - Date.parse(asOf)).toBeLessThan(5_000);
  });

  test("a reversal takes the award back", async () => {
    const clan = await clanWithBoard();
    const { change } = expectResponse("apply-award", await clan.awardChange("123", { amount: 40 }));
    await clan.award("123", { amount: 2 });
    await standings(clan);
    await reversalsOf(clan).reverseNow({ platformId: "123", awardId: change.awardId });
    await expect.poll(async () => (await standings(clan)).members[0].xp).toBe("2");
  });
});
