// Who gained how much in a span, over two processes and the command line.
import { describe, expect, test } from "vitest";
import { scopes } from "#domain/scope.ts";
import type { GainDoc } from "#gains/store/gain-model.ts";
import { chanceOf } from "../../support/chance.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { patientCliOn } from "../../support/cli.ts";
import { expectedGains, exportClan } from "../../support/exported-gains.ts";
import { HISTORY, makeHistory } from "../../support/gained-history.ts";
import { expectProblem, expectResponse } from "../../support/responses.ts";
import { reversalsOf } from "../../support/reversals.ts";
import { seedOfRun } from "../../support/seed.ts";
import { useApi } from "../../support/use-api.ts";

const DAY_MS = 86_400_000;
type Row = { platformId: string; xp: string; position: number };

describe("GET …/gains", async () => {
  const { world, port } = await useApi({ worker: true });
  const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  const stored = () => world.database.db().collection<GainDoc>("gains");

  const pathOf = (query: object): string => {
    const fields = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return `/gains?${String(new URLSearchParams(fields))}`;
  };
  /** Waits while the span is counted. */
  async function gainsOf(clan: ClanCaller, query: Record<string, string | number>): Promise<any> {
    const path = pathOf(query);
    for (;;) {
      const reply = await clan.get(path);
      if (reply.status !== 202) return expectResponse("list-gains", reply);
      expect(expectResponse("list-gains", reply, 202)).toStrictEqual({ status: "counting" });
    }
  }

  const lately = () => ({
    from: new Date(Date.now() - DAY_MS).toISOString(),
    to: new Date(Date.now() + DAY_MS).toISOString(),
  });
  const placesIn = (rows: readonly Row[]): string[] =>
    rows.map(({ platformId, xp, position }) => `${position}: ${platformId} ${xp}`);

  /** The next request counts the span again. */
  async function outdate(clan: ClanCaller): Promise<void> {
    await stored().updateMany({ clanId: clan.clanId, asOf: { $exists: true } }, [
      { $set: { asOf: { $subtract: ["$asOf", 600_000] } } },
    ]);
  }

  /** A count rests as long as the one before took: meanwhile the older one is served. */
  async function gainsAnew(clan: ClanCaller, span: Record<string, string>): Promise<any> {
    const since = new Date().toISOString();
    await outdate(clan);
    for (;;) {
      const page = await gainsOf(clan, span);
      if (page.asOf >= since) return page;
    }
  }

  test("pages, the part around a member and named members agree in both orders, also at another process", async () => {
    const [clan, chance] = [await makeClanCaller(world, port), chanceOf(seedOfRun())];
    const other = clan.on((await world.startApi()).port);
    await makeHistory(world, clan.clanId, chance, 45);
    const [from, to] = [new Date(HISTORY.from + 10 * DAY_MS), new Date(HISTORY.from + 50 * DAY_MS)];
    const span = { from: from.toISOString(), to: to.toISOString() };
    const expected = expectedGains(await exportClan(world, clan.clanId), from, to);
    for (const order of ["most", "least"]) {
      const all = order === "most" ? expected : expected.toReversed();
      const paged: Row[] = [];
      let [cursor, asOf] = [null as string | null, ""];
      for (let page = 0; page === 0 || cursor !== null; page += 1) {
        const caller = page % 2 === 0 ? clan : other;
        const read = await gainsOf(caller, { ...span, order, limit: 7, ...(cursor === null ? {} : { cursor }) });
        paged.push(...read.members);
        if (page > 0) expect(read.asOf).toBe(asOf);
        [cursor, asOf] = [read.nextCursor, read.asOf];
      }
      expect(paged).toStrictEqual(all);
      for (const place of [0, 3, all.length - 1]) {
        const own = all[place]?.platformId ?? "";
        const around = await gainsOf(other, { ...span, order, around: own, limit: 5 });
        const first = Math.max(0, Math.min(place - 2, all.length - 5));
        expect(around.members).toStrictEqual(all.slice(first, first + 5));
        if (around.nextCursor !== null) {
          const below = await gainsOf(clan, { ...span, order, cursor: around.nextCursor, limit: 200 });
          expect(below.members).toStrictEqual(all.slice(first + 5));
        }
      }
      const { answer } = await cli.json(
        "gains",
        clan.clanId,
        "--from",
        span.from,
        "--to",
        span.to,
        "--order",
        order,
        "--limit",
        "20",
      );
      const page = await gainsOf(clan, { ...span, order, limit: 20, include: "name" });
      expect(answer).toStrictEqual(page);
    }
    const [one, two] = expected;
    const named = await gainsOf(clan, { ...span, platformIds: `${two?.platformId},nobody,${one?.platformId}` });
    expect(named).toMatchObject({ members: [two, one], missing: ["nobody"], nextCursor: null });
    const { stdout } = await cli.run("gains", clan.clanId, "--from", span.from, "--to", span.to, "--csv");
    const lines = stdout.trim().split("\n");
    expect(lines[0]).toBe("position,platform_id,name,xp,awards,member,first_award_at,last_award_at");
    expect(lines.slice(1)).toStrictEqual(
      expected.map(({ position, platformId, xp, awards, membership, firstAwardAt, lastAwardAt }) =>
        [position, platformId, "", xp, awards, membership ? "yes" : "left", firstAwardAt, lastAwardAt].join(),
      ),
    );
  });

  test("counts awards and their reversals only, and lists who has left", async () => {
    const clan = await makeClanCaller(world, port, {}, scopes);
    for (const [id, amount] of Object.entries({ a: 150, b: 30, c: 30, d: -2 }))
      expectResponse("apply-award", await clan.award(id, { amount }));
    await clan.award("d", { amount: 5 });
    await world.setXp({ clanId: clan.clanId, platformId: "imported" }, 500n);
    const [, { awardId }] = await clan.entriesOf("d");
    await reversalsOf(clan).reverseNow({ platformId: "d", awardId });
    expect((await cli.json("member", "remove", clan.clanId, "a")).exitCode).toBe(0);
    await clan.post("/names", { names: [{ platformId: "b", name: "Bea" }] });
    const span = lately();
    const page = await gainsOf(clan, { ...span, include: "name" });
    expect(placesIn(page.members)).toStrictEqual(["1: a 150", "2: b 30", "2: c 30", "4: d 5"]);
    expect(page.totals).toStrictEqual({ members: 4, awards: 5, xp: "215" });
    expect(page.members).toMatchObject([
      { membership: null, name: null },
      { membership: null, name: "Bea" },
      {},
      { awards: 2 },
    ]);
    expect(page).toMatchObject(span);
    expect(Date.now() - Date.parse(page.asOf)).toBeLessThan(60_000);
    const { stdout } = await cli.run("gains", clan.clanId, "--from", span.from, "--to", span.to, "--limit", "2");
    expect(stdout).toMatch(/^POSITION +MEMBER +NAME +XP +AWARDS +LAST AWARD\n +1 +a +150 +1 +left /);
  });

  test("a count that is too old is made anew, with every acknowledged award, and its cursors go on or are expired", async () => {
    const clan = await makeClanCaller(world, port);
    for (const platformId of ["a", "b", "c"]) await clan.award(platformId, { amount: 10 });
    const span = lately();
    const first = await gainsOf(clan, { ...span, limit: 1 });
    await clan.award("c", { amount: 5 });
    expect(await gainsOf(clan, { ...span, limit: 1 })).toStrictEqual(first);
    const again = await gainsAnew(clan, span);
    expect(placesIn(again.members)).toStrictEqual(["1: c 15", "2: a 10", "2: b 10"]);
    const rest = await gainsOf(clan, { ...span, cursor: first.nextCursor });
    expect(placesIn(rest.members)).toStrictEqual(["1: b 10", "1: c 10"]);
    await stored().deleteMany({ clanId: clan.clanId, asOf: { $lt: new Date(again.asOf) } });
    expectProblem(await clan.get(pathOf({ ...span, cursor: first.nextCursor })), 410, "cursor_expired");
  });

  test("an erasure removes the person from stored counts, and positions and totals stay", async () => {
    const clan = await makeClanCaller(world, port);
    for (const [id, amount] of Object.entries({ a: 30, b: 20, c: 10 })) await clan.award(id, { amount });
    const span = lately();
    const before = await gainsOf(clan, { ...span, limit: 1 });
    expect((await cli.json("member", "erase", clan.clanId, "b", "--yes")).exitCode).toBe(0);
    const after = await gainsOf(clan, span);
    expect(placesIn(after.members)).toStrictEqual(["1: a 30", "3: c 10"]);
    expect(after).toMatchObject({ asOf: before.asOf, totals: { members: 3, awards: 3, xp: "60" } });
    expect(placesIn((await gainsOf(clan, { ...span, limit: 1, cursor: before.nextCursor })).members)).toStrictEqual([
      "3: c 10",
    ]);
    expect(await gainsOf(clan, { ...span, platformIds: "b" })).toMatchObject({ members: [], missing: ["b"] });
    expect((await gainsAnew(clan, span)).totals).toStrictEqual({ members: 2, awards: 2, xp: "40" });
    expect(await stored().countDocuments({ "members.platformId": "b", clanId: clan.clanId })).toBe(0);
  });

  test("while another process counts in the clan, the response is 202, or the count that there is", async () => {
    const clan = await makeClanCaller(world, port);
    await clan.award("a", { amount: 10 });
    const [span, other] = [lately(), { ...lately(), from: new Date(Date.now() - 2 * DAY_MS).toISOString() }];
    const known = await gainsOf(clan, span);
    const claim = { holder: "other", claimedUntil: new Date(Date.now() + 3_600_000) };
    await stored().updateOne({ _id: `claim/${clan.clanId}` }, { $set: claim });
    const reply = await clan.get(pathOf(other));
    expect([reply.status, reply.headers.get("retry-after")]).toStrictEqual([202, "1"]);
    await outdate(clan);
    expect((await gainsOf(clan, span)).totals).toStrictEqual(known.totals);
    await stored().updateOne({ _id: `claim/${clan.clanId}` }, { $set: { claimedUntil: new Date(0) } });
    expect(placesIn((await gainsOf(clan, other)).members)).toStrictEqual(["1: a 10"]);
  });

  test("rejects what is no span, other forms together, and cursors of another list", async () => {
    const clan = await makeClanCaller(world, port);
    for (const platformId of ["a", "b"]) await clan.award(platformId, { amount: 1 });
    const span = lately();
    const { nextCursor } = await gainsOf(clan, { ...span, limit: 1 });
    const ofOther = await makeClanCaller(world, port);
    const toOf = (ms: number): string => new Date(Date.parse(span.from) + ms).toISOString();
    const bad: object[] = [
      ...["", "now", "2026-01-01"].map((from) => ({ ...span, from })),
      { ...span, to: span.from },
      { ...span, to: toOf(400 * DAY_MS + 1) },
      { to: span.to },
      { from: span.from },
      ...[{ order: "best" }, { limit: 0 }, { limit: 201 }, { include: "position" }, { x: 1 }].map((more) => ({
        ...span,
        ...more,
      })),
      ...[{ cursor: nextCursor }, { limit: 2 }, { order: "most" }, { around: "a" }].map((more) => ({
        ...span,
        platformIds: "a",
        ...more,
      })),
      { ...span, around: "a", cursor: nextCursor },
      { ...span, order: "least", cursor: nextCursor },
      { ...span, to: toOf(DAY_MS), cursor: nextCursor },
      { ...span, cursor: `${nextCursor}x` },
    ];
    for (const query of bad) expectProblem(await clan.get(pathOf(query)), 400, "invalid_request");
    expectProblem(await ofOther.get(pathOf({ ...span, cursor: nextCursor })), 410, "cursor_expired");
    expectProblem(await clan.get(pathOf({ ...span, around: "nobody" })), 404, "member_not_found");
    expect((await gainsOf(clan, { ...span, to: toOf(400 * DAY_MS) })).totals.members).toBe(2);
    expect(await gainsOf(ofOther, span)).toMatchObject({
      members: [],
      nextCursor: null,
      totals: { members: 0, awards: 0, xp: "0" },
    });
  });
});
