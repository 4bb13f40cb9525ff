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
  test("is the highest NORMAL rank whose threshold the XP reaches", async () => {
    const clan = await clanWith();
    const steps: [number, string, string | null, string | null][] = [
      [99, "Guest", "Recruit", "1"],
      [1, "Recruit", "Veteran", "900"],
      [899, "Recruit", "Veteran", "1"],
      [1, "Veteran", "Elite", "9000"],
      [9_000, "Elite", null, null],
      [1_000_000, "Elite", null, null],
    ];
    for (const [amount, rank, nextRank, xpToNextRank] of steps) {
      expect(await apply(clan, "m", amount)).toMatchObject({ rank, nextRank, xpToNextRank });
    }
  });

  test("falls when XP is lost, but not below the first NORMAL rank, and the membership never ends", async () => {
    const clan = await clanWith();
    await apply(clan, "m", 1_500);
    expect(await apply(clan, "m", -600)).toMatchObject({
      rank: "Recruit",
      previousRank: "Veteran",
      rankChanged: true,
      nextRank: "Veteran",
      xpToNextRank: "100",
    });
    expect(await apply(clan, "m", -1_000)).toMatchObject({
      xp: "0",
      rank: "Recruit",
      rankChanged: false,
      membershipCreated: false,
    });
    const { membership } = expectResponse("read-member", await clan.get("/members/m"));
    expect(membership).not.toBeNull();
    expect(await apply(clan, "m", 100)).toMatchObject({ rank: "Recruit", membershipCreated: false });
  });

  test("is kept regardless of XP if the member was appointed to a STAFF or OWNER rank, and has no next rank", async () => {
    const clan = await clanWith();
    await Promise.all([join(clan, "officer", "Officer"), join(clan, "chief", "Chief")]);
    for (const [platformId, rank] of [
      ["officer", "Officer"],
      ["chief", "Chief"],
    ] as const) {
      for (const amount of [0, 20_000, -20_000]) {
        const unchanged = {
          rank,
          previousRank: rank,
          rankChanged: false,
          nextRank: null,
          xpToNextRank: null,
          membershipCreated: false,
        };
        expect(await apply(clan, platformId, amount)).toMatchObject(unchanged);
      }
    }
  });

  test("is the guest rank in a clan without NORMAL ranks, with no next rank, and no membership is created", async () => {
    const ranks: Rank[] = [
      { name: "Visitor", kind: "GUEST" },
      { name: "Boss", kind: "OWNER" },
    ];
    const clan = await clanWith({ ranks });
    await join(clan, "member");
    for (const platformId of ["member", "guest"]) {
      const answer = {
        rank: "Visitor",
        previousRank: "Visitor",
        nextRank: null,
        xpToNextRank: null,
        membershipCreated: false,
      };
      expect(await apply(clan, platformId, 1_000_000)).toMatchObject(answer);
    }
  });

  test("is the guest rank for a player without a membership, and xpToNextRank is never negative", async () => {
    const clan = await clanWith();
    await clan.award("x", { amount: 99 });
    // XP without a membership and above: through a lowered threshold.
    await clan.change({ ranks: lowered(clan.clan.ranks) });
    expect(await apply(clan, "x", 0)).toMatchObject({
      xp: "99",
      rank: "Guest",
      nextRank: "Recruit",
      xpToNextRank: "0",
      membershipCreated: false,
    });
  });

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

  test("is the first NORMAL rank for a membership that was created manually without XP", async () => {
    const clan = await clanWith({ autoClan: false });
    await join(clan, "m");
    expect(await apply(clan, "m", 1)).toMatchObject({
      xp: "1",
      rank: "Recruit",
      previousRank: "Recruit",
      nextRank: "Veteran",
      xpToNextRank: "999",
    });
  });
});

describe.concurrent("the membership in an Auto Clan", () => {
  test("is created when an award above 0 brings XP to the first NORMAL threshold, and not before", async () => {
    const clan = await clanWith();
    expect(await apply(clan, "m", 99)).toMatchObject({ rank: "Guest", membershipCreated: false });
    expect(await apply(clan, "m", 1)).toMatchObject({ rank: "Recruit", membershipCreated: true });
    expect(await apply(clan, "m", 1)).toMatchObject({ rank: "Recruit", membershipCreated: false });
  });

  test("is created for XP that a lowered threshold already covers, but only by an award above 0", async () => {
    const clan = await clanWith();
    await apply(clan, "m", 90);
    await clan.change({ ranks: lowered(clan.clan.ranks) });
    expect(await apply(clan, "m", 0)).toMatchObject({ rank: "Guest", membershipCreated: false });
    expect(await apply(clan, "m", -1)).toMatchObject({ rank: "Guest", membershipCreated: false });
    expect(await apply(clan, "m", 1)).toMatchObject({
      xp: "90",
      rank: "Recruit",
      rankChanged: true,
      membershipCreated: true,
    });
  });

  test("is created by an award above 0 that the cap reduces to 0", async () => {
    const clan = await clanWith({ xpCap: 90n });
    await apply(clan, "m", 100);
    await clan.change({ ranks: lowered(clan.clan.ranks) });
    expect(await apply(clan, "m", 5)).toMatchObject({ xp: "90", applied: "0", membershipCreated: true });
  });

  test("is created by every award above 0 if the first threshold is 0", async () => {
    const clan = await clanWith({ ranks: lowered(undefined, 0n) });
    expect(await apply(clan, "m", 0)).toMatchObject({
      rank: "Guest",
      nextRank: "Recruit",
      xpToNextRank: "0",
      membershipCreated: false,
    });
    expect(await apply(clan, "m", 1)).toMatchObject({ rank: "Recruit", membershipCreated: true });
  });

  test("is created exactly once under concurrency, and its date never changes", async () => {
    const second = await world.startApi();
    const clan = await clanWith();
    const sides = [clan, clan.on(second.port)];
    const applied = await Promise.all(
      Array.from({ length: 24 }, (_, index) => apply(sides[index % 2] ?? clan, "m", 50)),
    );
    expect(applied.filter((answer) => answer.membershipCreated)).toHaveLength(1);
    const since = expectResponse("read-member", await clan.get("/members/m")).membership.since;
    await apply(clan, "m", 5_000);
    expect(expectResponse("read-member", await clan.get("/members/m")).membership.since).toBe(since);
  });

  test("is created once if it is also created manually at the same time", async () => {
    const clan = await clanWith();
    const [answers] = await Promise.all([Promise.all([1, 2, 3].map(() => apply(clan, "m", 100))), join(clan, "m")]);
    expect(answers.filter((answer) => answer.membershipCreated).length).toBeLessThanOrEqual(1);
    expect(expectResponse("read-member", await clan.get("/members/m"))).toMatchObject({ xp: "300", rank: "Recruit" });
  });
});

/** The ranks with the first threshold at 50, or at `threshold`. */
function lowered(
  ranks: readonly Rank[] = [
    { name: "Guest", kind: "GUEST" },
    { name: "Recruit", kind: "NORMAL", threshold: 100n },
  ],
  threshold = 50n,
): Rank[] {
  return ranks.map((rank) => (rank.name === "Recruit" && rank.kind === "NORMAL" ? { ...rank, threshold } : rank));
}
