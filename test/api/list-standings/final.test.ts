// The standings of a period that is final, more than a minute after its end.
import { describe, expect, test } from "vitest";
import { clanWithBoard, standingsOf } from "../../support/boards.ts";
import type { ClanCaller } from "../../support/clan-caller.ts";
import { patientCliOn } from "../../support/cli.ts";
import { expectResponse } from "../../support/responses.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

describe("GET …/periods/{periodId}/members", async () => {
  const { world, port } = await useApi({ worker: true });

  /** A clan with three members in a season, which ends later the longer it takes until they are. */
  async function clanInSeason(): Promise<{ clan: ClanCaller; endsAt: Date }> {
    for (let aheadMs = 5_000; ; aheadMs *= 3) {
      const endsAt = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + aheadMs);
      const from = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+/, "");
      const season = ["--season", "--from", from, "--to", endsAt.toISOString()];
      const clan = await clanWithBoard(world, port, ...season, "--settle", "0h");
      for (const [id, amount] of Object.entries({ 1: 9, 2: 5, 3: 5 })) await clan.award(id, { amount });
      if (Date.now() >= endsAt.getTime()) continue;
      expect((await standingsOf(clan, "", from.replaceAll(/[-:]/g, ""))).members).toHaveLength(3);
      return { clan, endsAt };
    }
  }

  test("a final period keeps its positions when a member is erased, whose row and place in the event go", async () => {
    const { clan, endsAt } = await clanInSeason();
    const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
    await until(async () => {
      const read = await clan.get("/boards/board/periods/previous");
      return read.status === 200 && read.body.status === "final";
    });
    const before = await standingsOf(clan, "", "previous");
    let events: any[] = [];
    await until(async () => {
      ({ events } = expectResponse("list-events", await clan.get("/events?types=period.*")));
      return events.length > 0;
    });
    expect(events).toHaveLength(1);
    const { periodId, startsAt, finalAt } = before.period;
    const facts = { boardId: "board", periodId, startsAt, endsAt: endsAt.toISOString(), members: 3 };
    expect(events[0]).toMatchObject({ timestamp: finalAt, data: { ...facts, top: before.members } });
    expect(await cli.json("member", "erase", clan.clanId, "1", "--yes")).toMatchObject({ exitCode: 0 });
    const after = await standingsOf(clan, "", "previous");
    expect(after.members).toStrictEqual(before.members.slice(1));
    expect(after.members.map(({ position }: any) => position)).toStrictEqual([2, 2]);
    const all = expectResponse("list-events", await clan.get("/events")).events;
    const [result, erased] = ["period.final", "events.erased"].map((type) => all.find((one: any) => one.type === type));
    const first = before.members.map((member: any) => ({ ...member, previousPosition: null }));
    const counts = { joined: 0, left: 0, rose: 0, fell: 0 };
    expect(result.data).toStrictEqual({
      ...facts,
      top: first.slice(1),
      summary: { awards: 3, xp: "19", members: 3, ...counts },
    });
    expect(erased.data.eventIds).toContain(result.id);
    expect(
      await world.database.db().collection("standings").countDocuments({ clanId: clan.clanId, platformId: "1" }),
    ).toBe(0);
  }, 150_000);
});
