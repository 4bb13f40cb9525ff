// What an award does to a member's rank and to the membership in an Auto Clan.
import { describe, expect, test } from "vitest";
import type { Rank } from "#domain/rank.ts";
import { expectResponse } from "../../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";
import { apply } from "./apply.ts";

const { world, port } = await useApi();

const clanWith = (changes = {}): Promise<ClanCaller> => makeClanCaller(world, port, changes);
const join = (clan: ClanCaller, platformId: string, rank: string | null = null) =>
  world.members.join({ clanId: clan.clanId, platformId }, new Date(), rank);

describe.concurrent("a member's rank", () => {
  test("before the award is computed with the current rules", async () => {
    const clan = await clanWith();
    await apply(clan, "m", 150);
    await clan.change({
      ranks: clan.clan.ranks.map((rank) => (rank.name === "Recruit" ? { ...rank, name: "Rookie" } : rank)),
    });
    expect(await apply(clan, "m", 1)).toMatchObject({ previousRank: "Rookie", rank: "Rookie", rankChanged: false });
  });

  test("is reported with every rank that one award reached, the same for a retry after the rules changed", async () => {
    const clan = await clanWith();
    await Promise.all([join(clan, "member"), join(clan, "officer", "Officer")]);
    // The member, the amounts of its awards, and the ranks that the last one reached.
    const cases: [string, number[], string[]][] = [
      ["none", [99], []],
      ["first", [99, 1], ["Recruit"]],
      ["all", [10_000], ["Recruit", "Veteran", "Elite"]],
      ["two", [100, 9_900], ["Veteran", "Elite"]],
      ["same", [100, 899], []],
      ["lost", [1_000, -1], []],
      ["again", [1_000, -950, 950], ["Recruit", "Veteran"]],
      ["member", [99, 901], ["Recruit", "Veteran"]],
      ["officer", [20_000], []],
    ];
    for (const [platformId, amounts, ranksPassed] of cases) {
      for (const amount of amounts.slice(0, -1)) await clan.award(platformId, { amount });
      const last = (): ReturnType<typeof clan.awardChange> =>
        clan.awardChange(platformId, { amount: amounts.at(-1) ?? 0 }, { "idempotency-key": `last/${platformId}` });
      const { change } = expectResponse("apply-award", await last());
      expect([platformId, change.ranksPassed]).toStrictEqual([platformId, ranksPassed]);
    }
    await clan.change({ ranks: lowered(clan.clan.ranks) });
    const retry = await clan.awardChange("all", { amount: 10_000 }, { "idempotency-key": "last/all" });
    expect(retry.headers.get("idempotency-replayed")).toBe("true");
    expect(expectResponse("apply-award", retry).change.ranksPassed).toStrictEqual(["Recruit", "Veteran", "Elite"]);
    expect((await apply(clan, "none", 0)).ranksPassed).toStrictEqual([]);
  });
});

describe.concurrent("the membership in an Auto Clan", () => {
  test("is created for XP that a lowered threshold already covers, but only by an award above 0", async () => {
    const clan = await clanWith({ xpCap: 90n });
    await apply(clan, "m", 90);
    await clan.change({ ranks: lowered(clan.clan.ranks) });
    for (const amount of [0, -1])
      expect(await apply(clan, "m", amount)).toMatchObject({
        rank: "Guest",
        xpToNextRank: "0",
        membershipCreated: false,
      });
    const created = { xp: "90", applied: "1", rank: "Recruit", rankChanged: true, membershipCreated: true };
    expect(await apply(clan, "m", 5)).toMatchObject(created);
    const { membership } = expectResponse("read-member", await clan.get("/members/m"));
    expect(await apply(clan, "m", -50)).toMatchObject({ rank: "Recruit", membershipCreated: false });
    expect(expectResponse("read-member", await clan.get("/members/m")).membership).toStrictEqual(membership);
  });

  test("is created once if it is also created manually at the same time", async () => {
    const clan = await clanWith();
    const [answers] = await Promise.all([Promise.all([1, 2, 3].map(() => apply(clan, "m", 100))), join(clan, "m")]);
    expect(answers.filter((answer) => answer.membershipCreated).length).toBeLessThanOrEqual(1);
    expect(expectResponse("read-member", await clan.get("/members/m"))).toMatchObject({ xp: "300", rank: "Recruit" });
  });
});

/** The ranks with the first threshold at 50. */
function lowered(ranks: readonly Rank[]): Rank[] {
  return ranks.map((rank) => (rank.name === "Recruit" && rank.kind === "NORMAL" ? { ...rank, threshold: 50n } : rank));
}
