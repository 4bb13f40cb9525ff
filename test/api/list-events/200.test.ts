import { describe, expect, test } from "vitest";
import { testActor } from "../../support/actor.ts";
import { makeClanCaller, PATIENT, type ClanCaller } from "../../support/clan-caller.ts";
import { expectProblem, expectResponse } from "../../support/responses.ts";
import { patientCliOn } from "../../support/cli.ts";
import { reversalsOf } from "../../support/reversals.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";
import { eventsIn, eventsOf, insertEvents, readEvents, type Page } from "../../support/events.ts";

const { world, port } = await useApi({ worker: true });
const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });

const idsOf = ({ events }: Pick<Page, "events">): string[] => events.map(({ id }) => id);

/** Every page from `query` on, until there is no more. */
async function walk(clan: ClanCaller, query = ""): Promise<Page[]> {
  const pages = [await readEvents(clan, `?${query}`)];
  for (let last = pages[0]; last?.hasMore; last = pages.at(-1))
    pages.push(await readEvents(clan, `?${query}&after=${last.cursor}`));
  return pages;
}

describe("GET …/events", () => {
  test("lists the changes of a member, with their name, in the order in which they happened", async () => {
    const clan = await makeClanCaller(world, port);
    expectResponse("set-names", await clan.post("/names", { names: [{ platformId: "1", name: "Builderman" }] }));
    const { awardId: guest } = (await clan.awardChange("1", { amount: 50 })).body.change;
    const { awardId: joined } = (await clan.awardChange("1", { amount: 1_000 })).body.change;
    const { awardId: fell } = (await clan.awardChange("1", { amount: -100 })).body.change;
    const events = await eventsOf(clan, 3);
    const { entries } = (await clan.get("/members/1/ledger")).body;
    const timeOf = (awardId: string) => entries.find((entry: { awardId: string }) => entry.awardId === awardId).at;
    const { membership } = (await clan.get("/members/1")).body;
    const common = { platformId: "1", name: "Builderman" };
    const of = (awardId: string) => {
      return { id: expect.stringMatching(/^evt_\S{10,}$/), clanId: clan.clanId, timestamp: timeOf(awardId) };
    };
    const { since } = membership;
    const reached = { nextRank: "Elite", xpToNextRank: "8950", ranksPassed: ["Recruit", "Veteran"] };
    const lost = { nextRank: "Veteran", xpToNextRank: "50", ranksPassed: [] };
    const rose = { seq: 2, xp: "1050", rank: "Veteran", cause: "award" };
    const sank = { seq: 3, xp: "950", rank: "Recruit", cause: "award" };
    const up = { previousRank: "Guest", direction: "up", awardId: joined };
    const down = { previousRank: "Veteran", direction: "down", awardId: fell };
    expect(guest).not.toBe(joined);
    expect(events).toStrictEqual([
      { ...of(joined), type: "member.joined", data: { ...common, ...rose, since } },
      { ...of(joined), type: "member.rank_changed", data: { ...common, ...rose, ...up, ...reached } },
      { ...of(fell), type: "member.rank_changed", data: { ...common, ...sank, ...down, ...lost } },
    ]);
  });

  test("lists memberships that people give and end, without a name where none is known", async () => {
    const clan = await makeClanCaller(world, port);
    const since = new Date("2026-01-01T00:00:00Z");
    await world.members.join({ clanId: clan.clanId, platformId: "2" }, since, "Officer");
    expect((await cli.run("member", "remove", clan.clanId, "2")).exitCode).toBe(0);
    const events = await eventsOf(clan, 5);
    const common = { platformId: "2", name: null, xp: "0" };
    expect(events.map(({ type, data: { seq, rank, cause } }) => [type, seq, rank, cause])).toStrictEqual([
      ["member.joined", 1, "Recruit", "added"],
      ["member.rank_changed", 1, "Recruit", "membership"],
      ["member.rank_changed", 2, "Officer", "appointment"],
      ["member.left", 3, "Guest", undefined],
      ["member.rank_changed", 3, "Guest", "membership"],
    ]);
    expect(events[3].data).toStrictEqual({ ...common, seq: 3, rank: "Guest", since: since.toISOString() });
  });

  test("lists each entry of a clan with award events, finished batches and reversals, and new ranks", async () => {
    const clan = await makeClanCaller(world, port, {}, ["award", "deduct", "read", "reverse"]);
    await clan.change({ awardEvents: true });
    const source = { matchId: "81" };
    const { change } = (await clan.awardChange("1", { amount: 5, reason: "won", source })).body;
    expectResponse("submit-batch", await clan.submit([{ platformId: "2", amount: 7 }, null], PATIENT));
    await reversalsOf(clan).reverseNow({ matchId: "81" }, "cheating");
    const ranks = clan.clan.ranks.slice(0, 2);
    await world.clans.change(clan.clanId, { ranks, moved: { rise: 0, fall: 3 } }, testActor);
    const events = await eventsOf(clan, 6);
    const byType = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
    const [applied, batch, reversed] = byType("award.applied");
    const keyId = expect.stringMatching(/^\S+$/);
    const five = { amount: "5", applied: "5", xp: "5", rank: "Guest" };
    expect(applied).toStrictEqual({
      ...five,
      platformId: "1",
      seq: 1,
      awardId: change.awardId,
      reason: "won",
      source,
      keyId,
    });
    const [done] = byType("batch.done");
    expect(batch).toMatchObject({ platformId: "2", batchId: done.batchId, applied: "7" });
    expect(done).toMatchObject({ applied: 1, rejected: 1 });
    expect(reversed).toMatchObject({ kind: "reversal", applied: "-5", reverses: change.awardId });
    expect(byType("reversal.done")).toMatchObject([{ selected: 1, reversed: 1, skipped: 0 }]);
    const [changed] = byType("ranks.changed");
    expect(changed).toMatchObject({ rise: 0, fall: 3, ranks: [{ name: "Guest" }, { name: "Recruit" }] });
    const other = await makeClanCaller(world, port);
    expect(changed.previousRanks).toStrictEqual((await other.get("")).body.ranks);
  });

  test("never shows events about keys", async () => {
    const clan = await makeClanCaller(world, port);
    const { keyId } = await world.makeKey(clan.clanId);
    await world.rotateKey(keyId, 60_000);
    await until(async () => (await eventsIn(world).countDocuments({ "_id.clanId": clan.clanId, type: /^key/ })) === 3);
    await clan.award("1", { amount: 100 });
    const types = (await eventsOf(clan, 2)).map(({ type }) => type);
    expect(types).toStrictEqual(["member.joined", "member.rank_changed"]);
  });

  test("gives every event once and in order, in pages of 1 to 200, 50 by default", async () => {
    const clan = await makeClanCaller(world, port);
    await insertEvents(world, clan, 230);
    const sizes = async (query: string): Promise<number[]> =>
      (await walk(clan, query)).map(({ events }) => events.length);
    expect(await sizes("")).toStrictEqual([50, 50, 50, 50, 30]);
    expect(await sizes("limit=200")).toStrictEqual([200, 30]);
    expect(await sizes("limit=115")).toStrictEqual([115, 115]);
    const whole = (await walk(clan, "limit=200")).flatMap(idsOf);
    expect(new Set(whole).size).toBe(230);
    expect((await walk(clan, "limit=7")).flatMap(idsOf)).toStrictEqual(whole);
    const { cursor } = await readEvents(clan, "?limit=1");
    expect(cursor.length).toBeLessThanOrEqual(128);
    expect(idsOf(await readEvents(clan, `?limit=2&after=${cursor}`))).toStrictEqual(whole.slice(1, 3));
    // After an event in the middle of a page.
    expect(idsOf(await readEvents(clan, `?limit=2&after=${cursor}.${whole[9]}`))).toStrictEqual(whole.slice(10, 12));
  });

  test("begins at the end with after=now, and leaves nothing out that follows", async () => {
    const clan = await makeClanCaller(world, port);
    const empty = await readEvents(clan, "?after=now&wait=25");
    expect(empty).toStrictEqual({ events: [], cursor: expect.any(String), hasMore: false });
    await insertEvents(world, clan, 3);
    const now = await readEvents(clan, "?after=now");
    expect(now.events).toStrictEqual([]);
    expect(await readEvents(clan, `?after=${now.cursor}`)).toStrictEqual({ ...now, hasMore: false });
    expect((await readEvents(clan, `?after=${empty.cursor}`)).events).toHaveLength(3);
    await insertEvents(world, clan, 1);
    expect((await readEvents(clan, `?after=${now.cursor}`)).events).toHaveLength(1);
  });

  test("gives only the requested types, and passes what it filters out, 2,000 events in one call", async () => {
    const clan = await makeClanCaller(world, port);
    await insertEvents(world, clan, 2_100, "batch.done");
    await insertEvents(world, clan, 2);
    const query = "?types=events.erased";
    const first = await readEvents(clan, query);
    expect(first).toMatchObject({ events: [], hasMore: true });
    // It answers immediately, although it may wait.
    expect(await readEvents(clan, `${query}&wait=25`)).toStrictEqual(first);
    const second = await readEvents(clan, `${query}&after=${first.cursor}`);
    expect(second).toMatchObject({ events: [{ type: "events.erased" }, { type: "events.erased" }], hasMore: false });
    const none = await readEvents(clan, `?types=reversal.done&after=${first.cursor}`);
    expect(none).toStrictEqual({ events: [], cursor: second.cursor, hasMore: false });
    for (const types of ["events.*", "events.erased,member.*", "member.joined,events.*,events.erased"])
      expect((await readEvents(clan, `?types=${types}&after=${first.cursor}`)).events).toHaveLength(2);
  });

  test("leaves out what has no content any more", async () => {
    const clan = await makeClanCaller(world, port);
    await insertEvents(world, clan, 3);
    const { events } = await readEvents(clan);
    await eventsIn(world).updateOne(
      { eventId: events[1].id },
      { $unset: { type: "", subject: "", seq: "", data: "" } },
    );
    expect((await readEvents(clan)).events).toHaveLength(2);
  });

  test("shows nothing of other clans", async () => {
    const clanId = `c${crypto.randomUUID().slice(0, 8)}`;
    const clans = await Promise.all(
      [clanId, `${clanId}0`, `${clanId}-`].map((id) => makeClanCaller(world, port, { clanId: id })),
    );
    await Promise.all(clans.map((clan) => insertEvents(world, clan, 1)));
    for (const clan of clans) expect((await readEvents(clan)).events).toMatchObject([{ clanId: clan.clanId }]);
  });
});

describe("a cursor of events", () => {
  async function expectExpired(clan: ClanCaller, cursor: string): Promise<void> {
    const { detail } = expectProblem(await clan.get(`/events?after=${cursor}`), 410, "cursor_expired");
    expect(detail).toContain("Read the members, then go on with after=now");
    expectProblem(await clan.get(`/events?after=${cursor}&wait=25`), 410, "cursor_expired");
  }

  async function placeOf({ id }: { id: string }) {
    const event = await eventsIn(world).findOne({ eventId: id });
    if (!event) throw new Error(`there is no event ${id}`);
    return event;
  }

  test("is rejected with 410 cursor_expired when its events were deleted by age", async () => {
    const clan = await makeClanCaller(world, port);
    await insertEvents(world, clan, 5);
    const [beginning, third] = [await readEvents(clan, "?limit=1"), await readEvents(clan, "?limit=3")];
    const { _id: kept } = await placeOf(third.events[2]);
    await eventsIn(world).deleteMany({ _id: { $gte: { ...kept, n: 0 }, $lt: kept } });
    await expectExpired(clan, beginning.cursor);
    await expectExpired(clan, `${beginning.cursor}.${third.events[1].id}`);
    expect((await readEvents(clan, `?after=${third.cursor}`)).events).toHaveLength(2);
    expect((await readEvents(clan)).events).toHaveLength(3);
  });

  test("is rejected with 410 cursor_expired when a restored backup has undone its events", async () => {
    const clan = await makeClanCaller(world, port);
    const fromNothing = await readEvents(clan, "?after=now");
    await insertEvents(world, clan, 3);
    const { cursor, events } = await readEvents(clan);
    const { _id: lost } = await placeOf(events[1]);
    await eventsIn(world).deleteMany({ _id: { $gte: lost, $lt: { ...lost, n: Infinity } } });
    await expectExpired(clan, cursor);
    await insertEvents(world, clan, 3);
    await expectExpired(clan, cursor);
    expect((await readEvents(clan, `?after=${fromNothing.cursor}`)).events).toHaveLength(4);
  });
});
