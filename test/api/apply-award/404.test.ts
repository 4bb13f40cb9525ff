import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";

describe.concurrent("an award to a player without a membership, in a clan that is not an Auto Clan", async () => {
  const { world, port } = await useApi();

  test("is rejected with 404 member_not_found, and nothing is stored", async () => {
    const clan = await makeClanCaller(world, port, { autoClan: false });
    for (const amount of [1, 0, -1, 1_000_000])
      expectProblem(await clan.award("m", { amount }), 404, "member_not_found");
    expectProblem(await clan.get("/members/m"), 404, "member_not_found");
    expectProblem(await clan.get("/members/m/ledger"), 404, "member_not_found");
    expect(expectResponse("list-members", await clan.get("/members")).members).toStrictEqual([]);
    expect(await world.database.db().collection("ledger").countDocuments({ "_id.clanId": clan.clanId })).toBe(0);
  });

  test("is rejected with 404 even if the player has XP from when the clan was an Auto Clan", async () => {
    const clan = await makeClanCaller(world, port);
    await clan.award("m", { amount: 50 });
    await clan.change({ autoClan: false });
    expectProblem(await clan.award("m", { amount: 100 }), 404, "member_not_found");
    expect(expectResponse("read-member", await clan.get("/members/m"))).toMatchObject({
      xp: "50",
      membership: null,
      rank: "Guest",
    });
  });
});
