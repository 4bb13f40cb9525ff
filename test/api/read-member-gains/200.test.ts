// What a member gained in each part of a span, against the ledger.
import { describe, expect, test } from "vitest";
import { scopes } from "#domain/scope.ts";
import { GAIN_PARTS_MAX } from "#gains/bounds.ts";
import { chanceOf } from "../../support/chance.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { patientCliOn } from "../../support/cli.ts";
import { expectedGains, exportClan } from "../../support/exported-gains.ts";
import { HISTORY, makeHistory } from "../../support/gained-history.ts";
import { expectProblem, expectResponse } from "../../support/responses.ts";
import { reversalsOf } from "../../support/reversals.ts";
import { seedOfRun } from "../../support/seed.ts";
import { useApi } from "../../support/use-api.ts";

describe("GET …/members/{platformId}/gains", async () => {
  const { world, port } = await useApi({ worker: true });
  const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  const pathOf = (platformId: string, query: object): string =>
    `/members/${platformId}/gains?${String(new URLSearchParams(Object.entries(query)))}`;

  test("each part has the sum over the ledger, and the parts are the days, weeks and months of the zone", async () => {
    const [clan, chance] = [await makeClanCaller(world, port), chanceOf(seedOfRun())];
    await makeHistory(world, clan.clanId, chance, 12);
    const exported = await exportClan(world, clan.clanId);
    for (let drawn = 0; drawn < 40; drawn += 1) {
      const fromMs = chance.int(HISTORY.from, HISTORY.to - 1);
      const [from, to] = [new Date(fromMs), new Date(chance.int(fromMs + 1, HISTORY.to))];
      const platformId = `m${chance.int(0, 11)}`;
      const every = chance.pick(["day", "week", "month"] as const);
      const timeZone = chance.pick(["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia"]);
      const query = { every, from: from.toISOString(), to: to.toISOString(), timeZone };
      const { gains, ...facts } = expectResponse("read-member-gains", await clan.get(pathOf(platformId, query)));
      expect(facts).toStrictEqual({ platformId, every, timeZone });
      expect([gains[0].startsAt, gains.at(-1).endsAt]).toStrictEqual([query.from, query.to]);
      for (const [index, { startsAt, endsAt, xp, awards }] of gains.entries()) {
        if (index > 0) expect(startsAt).toBe(gains[index - 1].endsAt);
        const found = expectedGains(exported, new Date(startsAt), new Date(endsAt)).find(
          (one) => one.platformId === platformId,
        );
        expect([startsAt, xp, awards]).toStrictEqual([startsAt, found?.xp ?? "0", found?.awards ?? 0]);
      }
      const zone = ["--time-zone", timeZone];
      const { answer } = await cli.json(
        "member",
        "gains",
        clan.clanId,
        platformId,
        "--every",
        every,
        "--from",
        query.from,
        "--to",
        query.to,
        ...zone,
      );
      expect(answer).toStrictEqual({ ...facts, gains });
    }
  });

  test("parts begin at midnight, on Monday and on the first, also where the clocks change, and are cut to the span", async () => {
    const clan = await makeClanCaller(world, port);
    await clan.award("a", { amount: 1 });
    const partsOf = async (query: object): Promise<string[]> => {
      const { gains } = expectResponse("read-member-gains", await clan.get(pathOf("a", query)));
      return gains.map(({ startsAt }: { startsAt: string }) => startsAt.replace(/:00\.000Z$/, "Z"));
    };
    const berlin = { timeZone: "Europe/Berlin" };
    expect(
      await partsOf({ every: "day", from: "2026-03-28t12:00:00z", to: "2026-03-30T22:00:00Z", ...berlin }),
    ).toStrictEqual(["2026-03-28T12:00Z", "2026-03-28T23:00Z", "2026-03-29T22:00Z"]);
    expect(
      await partsOf({ every: "week", from: "2026-10-19T00:00:00Z", to: "2026-10-27T00:00:00Z", ...berlin }),
    ).toStrictEqual(["2026-10-19T00:00Z", "2026-10-25T23:00Z"]);
    expect(await partsOf({ every: "month", from: "2026-11-30T12:00:00Z", to: "2027-02-01T00:00:00Z" })).toStrictEqual([
      "2026-11-30T12:00Z",
      "2026-12-01T00:00Z",
      "2027-01-01T00:00Z",
    ]);
    // Samoa had no 30 December 2011.
    const samoa = { timeZone: "Pacific/Apia", from: "2011-12-29T10:00:00Z", to: "2012-01-01T10:00:00Z" };
    expect(await partsOf({ every: "day", ...samoa })).toStrictEqual([
      "2011-12-29T10:00Z",
      "2011-12-30T10:00Z",
      "2011-12-31T10:00Z",
    ]);
  });

  test("every acknowledged award is included, and a reversal takes its award back from its day", async () => {
    const clan = await makeClanCaller(world, port, {}, scopes);
    const now = Date.now();
    const span = { from: new Date(now - 86_400_000).toISOString(), to: new Date(now + 86_400_000).toISOString() };
    const sumOf = async (): Promise<[number, number]> => {
      const { gains } = expectResponse("read-member-gains", await clan.get(pathOf("a", { every: "month", ...span })));
      return gains.reduce(([xp, n]: [number, number], one: any) => [xp + Number(one.xp), n + one.awards], [0, 0]);
    };
    for (let amount = 1; amount <= 3; amount += 1) {
      await clan.award("a", { amount });
      expect(await sumOf()).toStrictEqual([(amount * (amount + 1)) / 2, amount]);
    }
    const [{ awardId }] = await clan.entriesOf("a");
    await reversalsOf(clan).reverseNow({ platformId: "a", awardId });
    expect(await sumOf()).toStrictEqual([3, 3]);
  });

  test("rejects what is no span, too many parts, and a member of whom nothing is stored", async () => {
    const clan = await makeClanCaller(world, port);
    await clan.award("a", { amount: 1 });
    const good = { every: "day", from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
    const bad: [string, object][] = [
      ["every", { every: "year" }],
      ["every", { every: "" }],
      ["from", { from: "2026-01-01" }],
      ["from", { from: "0999-12-31T00:00:00Z" }],
      ["to", { to: good.from }],
      ["to", { to: "now" }],
      ["timeZone", { timeZone: "Mars/Olympus" }],
      ["timeZone", { timeZone: "+01:00" }],
      ["x", { x: "1" }],
    ];
    for (const [name, change] of bad) {
      const { detail } = expectProblem(await clan.get(pathOf("a", { ...good, ...change })), 400, "invalid_request");
      expect(detail).toContain(`query parameter "${name}"`);
    }
    for (const missing of ["every", "from", "to"]) {
      const query = Object.fromEntries(Object.entries(good).filter(([name]) => name !== missing));
      const { detail } = expectProblem(await clan.get(pathOf("a", query)), 400, "invalid_request");
      expect(detail).toContain(`"${missing}" is required`);
    }
    const day = 86_400_000;
    const toOf = (days: number): string => new Date(Date.parse(good.from) + days * day).toISOString();
    const most = await clan.get(pathOf("a", { ...good, to: toOf(GAIN_PARTS_MAX) }));
    expect(expectResponse("read-member-gains", most).gains).toHaveLength(GAIN_PARTS_MAX);
    const { detail } = expectProblem(
      await clan.get(pathOf("a", { ...good, to: toOf(GAIN_PARTS_MAX + 1) })),
      400,
      "invalid_request",
    );
    expect(detail).toContain('"every"');
    expectProblem(await clan.get(pathOf("nobody", good)), 404, "member_not_found");
    const command = ["member", "gains", clan.clanId];
    const span = ["--from", "2026-01-01", "--to", "2026-02-01"];
    expect((await cli.run(...command, "nobody", "--every", "day", ...span)).exitCode).toBe(1);
    expect((await cli.run(...command, "a", "--every", "year", ...span)).stderr).toContain(
      "--every is day or week or month",
    );
    expect((await cli.run(...command, "a", "--every", "day", "--from", "-500d", "--to", "now")).stderr).toContain(
      "more than 400 parts",
    );
    expect((await cli.run(...command, "a", "--every", "day", "--from", "now", "--to", "-1d")).stderr).toContain(
      "--to is not later",
    );
    expect((await cli.run(...command, "a", "--every", "day", "--from", "-24h", "--to", "now")).stdout).toMatch(
      /^FROM +TO +XP +AWARDS\n/,
    );
  });
});
