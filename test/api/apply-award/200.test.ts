import { describe, expect, test } from "vitest";
import { XP_MAX } from "#domain/bounds.ts";
import type { Rank } from "#domain/rank.ts";
import { expectAnswer } from "../../support/answers.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi();

const clanWith = (changes = {}): Promise<ClanCaller> => makeClanCaller(world, port, changes);
const join = (clan: ClanCaller, platformId: string, rank: string | null = null) =>
  world.members.join({ clanId: clan.clanId, platformId }, new Date(), rank);

/** The answer to an award and its change. */
async function apply(clan: ClanCaller, platformId: string, amount: number) {
  const { change, ...answer } = expectAnswer("apply-award", await clan.awardChange(platformId, { amount }));
  return { ...answer, ...change };
}

describe.concurrent("an award's answer", () => {
  test("is exactly platformId, xp as a decimal string, and rank", async () => {
    const clan = await clanWith();
    const reply = await clan.award("123", {
      amount: 25,
      reason: "won a match",
      source: { placeId: "p", matchId: "m", verified: true },
    });
    expect(expectAnswer("apply-award", reply)).toStrictEqual({ platformId: "123", xp: "25", rank: "Guest" });
    expect(reply.headers.get("idempotency-replayed")).toBeNull();
  });

  test("tells the change when asked: the award that reaches the first NORMAL rank creates the membership", async () => {
    const clan = await clanWith();
    await clan.award("1", { amount: 60 });
    expect((await clan.awardChange("1", { amount: 60 })).body).toStrictEqual({
      platformId: "1",
      xp: "120",
      rank: "Recruit",
      change: {
        awardId: expect.stringMatching(/^\S+$/),
        amount: "60",
        applied: "60",
        previousXp: "60",
        previousRank: "Guest",
        rankChanged: true,
        membershipCreated: true,
        nextRank: "Veteran",
        xpToNextRank: "880",
      },
    });
  });

  test("gives each award an id of its own, the one that the ledger has", async () => {
    const clan = await clanWith();
    const ids: string[] = [];
    for (const platformId of ["a", "a", "b"]) ids.push((await apply(clan, platformId, 1)).awardId);
    expect(new Set(ids).size).toBe(3);
    const { entries } = expectAnswer("read-ledger", await clan.get("/members/a/ledger"));
    expect(entries.map((entry: { awardId: string }) => entry.awardId)).toStrictEqual([ids[1], ids[0]]);
  });

  test("amount 0 is an entry like any other", async () => {
    const clan = await clanWith();
    expect(await apply(clan, "m", 0)).toMatchObject({
      xp: "0",
      amount: "0",
      applied: "0",
      previousXp: "0",
      rankChanged: false,
    });
    expect(expectAnswer("read-ledger", await clan.get("/members/m/ledger")).entries).toHaveLength(1);
    expect(expectAnswer("read-member", await clan.get("/members/m"))).toMatchObject({ xp: "0", membership: null });
  });
});

describe.concurrent("floor and cap clamp, and applied says so", () => {
  test("at floor 0 by default", async () => {
    const clan = await clanWith();
    await apply(clan, "m", 30);
    expect(await apply(clan, "m", -50)).toMatchObject({ xp: "0", amount: "-50", applied: "-30", previousXp: "30" });
    expect(await apply(clan, "m", -50)).toMatchObject({ xp: "0", amount: "-50", applied: "0", previousXp: "0" });
    expect(await apply(clan, "new", -1)).toMatchObject({ xp: "0", amount: "-1", applied: "0" });
    expect(expectAnswer("read-ledger", await clan.get("/members/m/ledger")).entries).toHaveLength(3);
  });

  test("at a floor and a cap of the clan's own", async () => {
    const clan = await clanWith({ xpFloor: -10n, xpCap: 100n });
    expect(await apply(clan, "m", -50)).toMatchObject({ xp: "-10", applied: "-10" });
    expect(await apply(clan, "m", 200)).toMatchObject({
      xp: "100",
      applied: "110",
      membershipCreated: true,
      rank: "Recruit",
    });
    expect(await apply(clan, "m", 1)).toMatchObject({ xp: "100", amount: "1", applied: "0", rankChanged: false });
  });

  test("without a floor XP goes below zero", async () => {
    const clan = await clanWith({ xpFloor: null });
    expect(await apply(clan, "m", -1_000_000)).toMatchObject({
      xp: "-1000000",
      applied: "-1000000",
      rank: "Guest",
      xpToNextRank: "1000100",
    });
    expect(await apply(clan, "m", 5)).toMatchObject({ xp: "-999995", previousXp: "-1000000" });
  });

  test("at 9223372036854775807 by default, exactly, in every digit", async () => {
    const clan = await clanWith({ amountMax: 1_000_000_000_000 });
    await clan.award("m", { amount: 1 });
    await world.setXp({ clanId: clan.clanId, platformId: "m" }, XP_MAX - 7n);
    expect(await apply(clan, "m", 3)).toMatchObject({
      xp: "9223372036854775803",
      applied: "3",
      previousXp: "9223372036854775800",
    });
    expect(await apply(clan, "m", 1_000_000_000_000)).toMatchObject({
      xp: "9223372036854775807",
      amount: "1000000000000",
      applied: "4",
    });
    expect(await apply(clan, "m", -1)).toMatchObject({ xp: "9223372036854775806", applied: "-1" });
  });

  test("a clan's raised amount bound holds, and its old one no longer", async () => {
    const clan = await clanWith({ amountMax: 5_000_000 });
    expect(await apply(clan, "m", 5_000_000)).toMatchObject({ xp: "5000000" });
    const refused = await clan.award("m", { amount: 5_000_001 });
    expect([refused.status, refused.body.errors[0].pointer]).toStrictEqual([400, "/amount"]);
  });
});

describe.concurrent("ranks", () => {
  test("follow the XP: the highest NORMAL rank reached, each threshold included", async () => {
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

  test("XP that falls lowers the rank, to the first NORMAL rank at least; it never ends the membership", async () => {
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
    const { membership } = expectAnswer("read-member", await clan.get("/members/m"));
    expect(membership).not.toBeNull();
    expect(await apply(clan, "m", 100)).toMatchObject({ rank: "Recruit", membershipCreated: false });
  });

  test("a member appointed to a STAFF or OWNER rank keeps it whatever their XP, and has no next one", async () => {
    const clan = await clanWith();
    await Promise.all([join(clan, "officer", "Officer"), join(clan, "chief", "Chief")]);
    for (const [platformId, rank] of [
      ["officer", "Officer"],
      ["chief", "Chief"],
    ] as const) {
      for (const amount of [0, 20_000, -20_000]) {
        const kept = {
          rank,
          previousRank: rank,
          rankChanged: false,
          nextRank: null,
          xpToNextRank: null,
          membershipCreated: false,
        };
        expect(await apply(clan, platformId, amount)).toMatchObject(kept);
      }
    }
  });

  test("in a clan without NORMAL ranks everyone has the guest rank's name, there is no next one, and no membership is made", async () => {
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

  test("a member without membership is a guest however high, at least 0 away from the first NORMAL rank", async () => {
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

  test("the previous rank is judged by the rules of now", async () => {
    const clan = await clanWith();
    await apply(clan, "m", 150);
    await clan.change({
      ranks: clan.clan.ranks.map((rank) => (rank.name === "Recruit" ? { ...rank, name: "Rookie" } : rank)),
    });
    expect(await apply(clan, "m", 1)).toMatchObject({ previousRank: "Rookie", rank: "Rookie", rankChanged: false });
  });

  test("a membership made by hand, with no XP, has the first NORMAL rank", async () => {
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

describe.concurrent("an Auto Clan's membership", () => {
  test("is created by an award of more than 0 that leaves XP at or above the first NORMAL threshold, and not before", async () => {
    const clan = await clanWith();
    expect(await apply(clan, "m", 99)).toMatchObject({ rank: "Guest", membershipCreated: false });
    expect(await apply(clan, "m", 1)).toMatchObject({ rank: "Recruit", membershipCreated: true });
    expect(await apply(clan, "m", 1)).toMatchObject({ rank: "Recruit", membershipCreated: false });
  });

  test("XP that is already above, through a lowered threshold, counts: but only with an award of more than 0", async () => {
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

  test("an award that the cap reduces to nothing still is one of more than 0", async () => {
    const clan = await clanWith({ xpCap: 90n });
    await apply(clan, "m", 100);
    await clan.change({ ranks: lowered(clan.clan.ranks) });
    expect(await apply(clan, "m", 5)).toMatchObject({ xp: "90", applied: "0", membershipCreated: true });
  });

  test("a clan whose first threshold is 0 takes in whoever gets more than 0", async () => {
    const clan = await clanWith({ ranks: lowered(undefined, 0n) });
    expect(await apply(clan, "m", 0)).toMatchObject({
      rank: "Guest",
      nextRank: "Recruit",
      xpToNextRank: "0",
      membershipCreated: false,
    });
    expect(await apply(clan, "m", 1)).toMatchObject({ rank: "Recruit", membershipCreated: true });
  });

  test("is created exactly once under concurrency, and its date never moves", async () => {
    const second = await world.startApi();
    const clan = await clanWith();
    const sides = [clan, clan.on(second.port)];
    const applied = await Promise.all(
      Array.from({ length: 24 }, (_, index) => apply(sides[index % 2] ?? clan, "m", 50)),
    );
    expect(applied.filter((answer) => answer.membershipCreated)).toHaveLength(1);
    const since = expectAnswer("read-member", await clan.get("/members/m")).membership.since;
    await apply(clan, "m", 5_000);
    expect(expectAnswer("read-member", await clan.get("/members/m")).membership.since).toBe(since);
  });

  test("given by hand at the same time is given once", async () => {
    const clan = await clanWith();
    const [answers] = await Promise.all([Promise.all([1, 2, 3].map(() => apply(clan, "m", 100))), join(clan, "m")]);
    expect(answers.filter((answer) => answer.membershipCreated).length).toBeLessThanOrEqual(1);
    expect(expectAnswer("read-member", await clan.get("/members/m"))).toMatchObject({ xp: "300", rank: "Recruit" });
  });
});

test("64 callers on one member, on two processes, half of them the same key on both at once: the sum is exact, pairs agree", async () => {
  const second = await world.startApi();
  const clan = await clanWith();
  const sides = [clan, clan.on(second.port)];
  const rounds = await Promise.all(
    Array.from({ length: 16 }, async (_, round) => {
      const [pairs, singles] = await Promise.all([
        Promise.all(
          sides.map((side) => side.awardChange("hot", { amount: 3 }, { "idempotency-key": `pair-${round}` })),
        ),
        Promise.all(sides.map((side) => side.awardChange("hot", { amount: 5 }))),
      ]);
      return { pairs, singles };
    }),
  );
  for (const { pairs, singles } of rounds) {
    expect([...pairs, ...singles].map((reply) => reply.status)).toStrictEqual([200, 200, 200, 200]);
    expect(pairs[0]?.body).toStrictEqual(pairs[1]?.body);
    expect(pairs.filter((reply) => reply.headers.get("idempotency-replayed") === "true")).toHaveLength(1);
  }
  const created = rounds
    .flatMap(({ singles, pairs }) => [...singles, ...pairs.slice(0, 1)])
    .filter((reply) => reply.body.change.membershipCreated);
  expect(created).toHaveLength(1);
  expect(expectAnswer("read-member", await clan.get("/members/hot")).xp).toBe(String(16 * 3 + 32 * 5));
});

/** The ranks with the first threshold at 50, or where it is told. */
function lowered(
  ranks: readonly Rank[] = [
    { name: "Guest", kind: "GUEST" },
    { name: "Recruit", kind: "NORMAL", threshold: 100n },
  ],
  threshold = 50n,
): Rank[] {
  return ranks.map((rank) => (rank.name === "Recruit" && rank.kind === "NORMAL" ? { ...rank, threshold } : rank));
}
