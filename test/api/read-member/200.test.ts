import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

describe("GET …/members/{platformId}", async () => {
  const { world, port } = await useApi();

  const NO_NEXT = { nextRank: null, xpToNextRank: null };

  test("returns exactly platformId, xp, rank, membership, nextRank, xpToNextRank and lastAwardAt for every kind of member", async () => {
    const clan = await makeClanCaller(world, port);
    const since = new Date("2024-02-29T12:34:56.789Z");
    const membership = { since: since.toISOString() };
    const join = (platformId: string, rank: string | null = null) =>
      world.members.join({ clanId: clan.clanId, platformId }, since, rank);
    await clan.award("guest", { amount: 99 });
    await Promise.all([join("member"), join("top"), join("officer", "Officer"), join("chief", "Chief")]);
    await clan.award("member", { amount: 250 });
    await clan.award("top", { amount: 20_000 });
    const members = [
      { platformId: "guest", xp: "99", rank: "Guest", membership: null, nextRank: "Recruit", xpToNextRank: "1" },
      { platformId: "member", xp: "250", rank: "Recruit", membership, nextRank: "Veteran", xpToNextRank: "750" },
      { platformId: "top", xp: "20000", rank: "Elite", membership, ...NO_NEXT },
      { platformId: "officer", xp: "0", rank: "Officer", membership, ...NO_NEXT },
      { platformId: "chief", xp: "0", rank: "Chief", membership, ...NO_NEXT },
    ];
    for (const member of members) {
      const path = `/members/${member.platformId}`;
      const { at, actor } = (await clan.get(`${path}/ledger`)).body.entries[0];
      const lastAwardAt = actor === undefined ? at : null;
      expect(expectResponse("read-member", await clan.get(path))).toStrictEqual({ ...member, lastAwardAt });
    }
  });

  test("includes every acknowledged award, also those of another API process", async () => {
    const second = await world.startApi();
    const clan = await makeClanCaller(world, port);
    for (let xp = 1; xp <= 20; xp += 1) {
      const [writer, reader] = xp % 2 ? [clan, clan.on(second.port)] : [clan.on(second.port), clan];
      expectResponse("apply-award", await writer.award("m", { amount: 1 }));
      expect(await reader.xpOf("m")).toBe(String(xp));
      // The list alone may be a moment behind.
      await until(
        async () => expectResponse("list-members", await reader.get("/members")).members[0]?.xp === String(xp),
      );
      expect((await reader.entriesOf("m"))[0].xp).toBe(String(xp));
    }
  });

  test("returns 404 member_not_found for a player without stored data and for a member of another clan", async () => {
    const [clan, other] = [await makeClanCaller(world, port), await makeClanCaller(world, port)];
    await other.award("m", { amount: 5 });
    expectProblem(await clan.get("/members/m"), 404, "member_not_found");
    expectProblem(await clan.get("/members/m/ledger"), 404, "member_not_found");
  });
});
