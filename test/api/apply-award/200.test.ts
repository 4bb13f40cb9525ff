import { describe, expect, test } from "vitest";
import { XP_MAX } from "#domain/bounds.ts";
import { expectResponse, isReplayed } from "../../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";
import { apply } from "./apply.ts";

const { world, port } = await useApi();

const clanWith = (changes = {}): Promise<ClanCaller> => makeClanCaller(world, port, changes);

describe.concurrent("POST …/members/{platformId}/xp", () => {
  test("returns exactly platformId, xp as a decimal string, and rank", async () => {
    const clan = await clanWith();
    const reply = await clan.award("123", {
      amount: 25,
      reason: "won a match",
      source: { placeId: "p", matchId: "m", verified: true },
    });
    expect(expectResponse("apply-award", reply)).toStrictEqual({ platformId: "123", xp: "25", rank: "Guest" });
    expect(reply.headers.get("idempotency-replayed")).toBeNull();
  });

  test("returns the change on request, such as the membership that the first NORMAL rank creates", async () => {
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
        boost: null,
        limitedBy: null,
        previousXp: "60",
        previousRank: "Guest",
        rankChanged: true,
        ranksPassed: ["Recruit"],
        membershipCreated: true,
        nextRank: "Veteran",
        xpToNextRank: "880",
      },
    });
  });
});

describe.concurrent("the floor and the cap of a clan", () => {
  test("clamp an award at the default floor of 0, and `applied` is the clamped amount", async () => {
    const clan = await clanWith();
    await apply(clan, "m", 30);
    expect(await apply(clan, "m", -50)).toMatchObject({ xp: "0", amount: "-50", applied: "-30", limitedBy: "floor" });
    expect(await apply(clan, "m", -50)).toMatchObject({ xp: "0", amount: "-50", applied: "0", previousXp: "0" });
    expect(await apply(clan, "new", -1)).toMatchObject({ xp: "0", amount: "-1", applied: "0" });
    expect(await clan.entriesOf("m")).toHaveLength(3);
  });

  test("clamp an award at the default cap of 9223372036854775807, without losing a digit", async () => {
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
      limitedBy: "cap",
    });
    expect(await apply(clan, "m", -1)).toMatchObject({ xp: "9223372036854775806", applied: "-1" });
  });
});

test("64 concurrent awards to one member on two processes are applied exactly once, even with shared keys, and create one membership", async () => {
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
    expect(pairs.filter(isReplayed)).toHaveLength(1);
  }
  const created = rounds
    .flatMap(({ singles, pairs }) => [...singles, ...pairs.slice(0, 1)])
    .filter((reply) => reply.body.change.membershipCreated);
  expect(created).toHaveLength(1);
  expect(await clan.xpOf("hot")).toBe(String(16 * 3 + 32 * 5));
  expect(await clan.entriesOf("hot")).toHaveLength(16 + 32);
});
