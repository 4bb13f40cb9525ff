// member top, and what member show and clan list say of the leaderboard.
import { describe, expect, test } from "vitest";
import { patientCliOn } from "../../support/cli.ts";
import { useWorld } from "../../support/use-api.ts";

const world = await useWorld();
const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });

describe("member top", () => {
  test("prints positions from the first one on and around a member, without removed members", async () => {
    const { clanId: own } = (await world.makeClan()).clan;
    const given = { a: 9n, b: 7n, c: 7n, d: 1n, gone: 5n };
    for (const [platformId, xp] of Object.entries(given)) await world.setXp({ clanId: own, platformId }, xp);
    await cli.json("member", "add", own, "gone");
    await cli.json("member", "remove", own, "gone");
    const placesOf = ({ members }: any) => members.map((one: any) => `${one.platformId} ${one.position.value}`);
    const expected = ["a 1", "b 2", "c 2", "d 4"];
    const all = await cli.json("member", "top", own);
    expect([all.exitCode, placesOf(all.answer), all.answer.nextCursor]).toEqual([0, expected, null]);
    const first = (await cli.json("member", "top", own, "--limit", "2")).answer;
    expect([placesOf(first), typeof first.nextCursor]).toEqual([expected.slice(0, 2), "string"]);
    expect(placesOf((await cli.json("member", "top", own, "--around", "d", "--limit", "3")).answer)).toEqual(
      expected.slice(1),
    );
    expect((await cli.run("member", "top", own)).stdout).toMatch(/^POSITION +MEMBER .*\n +1 +a +9 /);
    expect((await cli.json("member", "top", own, "--around", "gone")).answer.error.code).toBe("member_not_found");

    const shown = (await cli.json("member", "show", own, "c")).answer;
    expect(shown).toMatchObject({ position: { value: 2, of: 4, approximate: false }, lastAwardAt: expect.any(String) });
    expect((await cli.json("member", "show", own, "gone")).answer.position).toBeNull();
    expect((await cli.run("member", "show", own, "c")).stdout).toMatch(/^position +2 of 4$/m);

    const listed = (await cli.json("clan", "list", "--totals", "--sort", "xp")).answer.clans;
    const { totals } = listed.find((clan: any) => clan.clanId === own);
    expect(totals).toMatchObject({ members: 4, memberships: 0, xp: "24" });
    const sums: bigint[] = listed.map((clan: any) => BigInt(clan.totals.xp));
    expect(sums).toEqual(sums.toSorted((a, b) => Number(b - a)));
    expect((await cli.run("clan", "list", "--totals")).stdout).toMatch(new RegExp(`^${own} .* 4 +24 `, "m"));
  });
});
