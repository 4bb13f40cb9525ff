import { describe, expect, test } from "vitest";
import { actsInTime } from "../../support/acts-in-time.ts";
import { expectResponse } from "../../support/responses.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { testActor } from "../../support/actor.ts";
import { useApi } from "../../support/use-api.ts";

describe("GET /v0/clans/{clanId}", async () => {
  const { world, port } = await useApi();

  test("returns exactly clanId, name, autoClan and ranks, with thresholds as decimal strings of NORMAL ranks only", async () => {
    const clan = await makeClanCaller(world, port, { name: 'Näme "quoted" 😀' });
    expect(expectResponse("read-clan", await clan.get(""))).toStrictEqual({
      clanId: clan.clanId,
      name: 'Näme "quoted" 😀',
      autoClan: true,
      ranks: [
        { name: "Guest", kind: "GUEST" },
        { name: "Recruit", kind: "NORMAL", threshold: "100" },
        { name: "Veteran", kind: "NORMAL", threshold: "1000" },
        { name: "Elite", kind: "NORMAL", threshold: "10000" },
        { name: "Officer", kind: "STAFF" },
        { name: "Chief", kind: "OWNER" },
      ],
    });
  });

  test("returns thresholds with every digit of 64 bits", async () => {
    const ranks = [
      { name: "Guest", kind: "GUEST" },
      { name: "Zero", kind: "NORMAL", threshold: 0n },
      { name: "Top", kind: "NORMAL", threshold: 9_223_372_036_854_775_807n },
    ] as const;
    const clan = await makeClanCaller(world, port, { ranks });
    const { ranks: returned } = expectResponse("read-clan", await clan.get(""));
    const thresholds = returned.map((rank: { threshold?: string }) => rank.threshold);
    expect(thresholds).toStrictEqual([undefined, "0", "9223372036854775807"]);
  });

  test("returns changed settings and ranks within 1 s, on every API", async () => {
    const second = await world.startApi();
    const clan = await makeClanCaller(world, port);
    const sides = [clan, clan.on(second.port)];
    await Promise.all(sides.map((side) => side.get("")));
    const changes = { name: "New", autoClan: false, ranks: [{ name: "Visitor", kind: "GUEST" }] } as const;
    await world.clans.change(clan.clanId, changes, testActor);
    await Promise.all(sides.map((side) => actsInTime(async () => (await side.get("")).body.name === "New")));
    expect(expectResponse("read-clan", await clan.get(""))).toStrictEqual({ clanId: clan.clanId, ...changes });
    expect((await clan.award("m", { amount: 1 })).status).toBe(404);
  });
});
