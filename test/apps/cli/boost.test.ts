// boost add, list and end.
import { describe, expect, test } from "vitest";
import { makeStores } from "../../../apps/cli/open/stores.ts";
import { testActor } from "../../support/actor.ts";
import { boostsOf } from "../../support/boosts.ts";
import { patientCliOn, type RanJson } from "../../support/cli.ts";
import { useWorld } from "../../support/use-api.ts";

const DAY_MS = 86_400_000;

const world = await useWorld();
// No Redis: nothing here may need it.
const cli = patientCliOn({ MONGO_URL: world.mongoUrl, CLANXP_ACTOR: "ada" });

const newClan = async (): Promise<string> => (await world.makeClan()).clan.clanId;
const add = (clanId: string, ...args: string[]): Promise<RanJson> =>
  cli.json("boost", "add", clanId, "--name", "Double XP", "--factor", "2", ...args);
const listed = async (clanId: string): Promise<any[]> => (await cli.json("boost", "list", clanId)).answer.boosts;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

describe("boost add", () => {
  test("returns exactly the documented fields, and stores them as they are listed", async () => {
    const clanId = await newClan();
    const [from, to] = ["2040-01-01T00:00:00Z", "2040-03-31T00:00:00+02:00"];
    const restricted = ["--rank", "Recruit", "--rank", "Elite", "--place", "1818"];
    const { exitCode, answer, stderr } = await add(clanId, "--from", from, "--to", to, ...restricted);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const { boostId, createdAt } = answer.boosts[0];
    expect(boostId).toMatch(/^bst_/);
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000);
    const times = { from: "2040-01-01T00:00:00.000Z", to: "2040-03-30T22:00:00.000Z", createdAt, endedAt: null };
    const facts = { name: "Double XP", percent: 200, ranks: ["Recruit", "Elite"], placeIds: ["1818"] };
    expect(answer).toStrictEqual({ boosts: [{ boostId, clanId, ...facts, ...times }] });
    expect(await listed(clanId)).toStrictEqual(answer.boosts);
    const { records } = (await cli.json("audit", "list", "--clan", clanId)).answer;
    expect(records[0]).toMatchObject({ actor: "ada", via: "cli", action: "boost.add", target: boostId, before: null });
    expect(records[0].after).toMatchObject(facts);
  });

  test("begins now with --from now, by the clock of MongoDB, and has [] where nothing is restricted", async () => {
    const clanId = await newClan();
    const before = await boostsOf(world).store.now();
    const { answer } = await add(clanId, "--from", "now", "--to", inDays(1));
    const [boost] = answer.boosts;
    expect(boost).toMatchObject({ ranks: [], placeIds: [], from: boost.createdAt });
    expect(Date.parse(boost.from)).toBeGreaterThanOrEqual(before.getTime());
    expect((await cli.run("boost", "list", clanId)).stdout).toMatch(/Double XP +2 +every award .* running\n/);
  });

  test("adds one boost for each of the next weekends in a time zone", async () => {
    const clanId = await newClan();
    const beforeMs = Date.now();
    const { answer } = await add(clanId, "--weekends", "3", "--time-zone", "Asia/Kolkata");
    const [first] = answer.boosts;
    // Saturday 00:00 to Monday 00:00 in India, half an hour off UTC's hours.
    expect([new Date(first.from).getUTCDay(), first.from.slice(11)]).toStrictEqual([5, "18:30:00.000Z"]);
    const days = answer.boosts.flatMap(({ from, to }: any) =>
      [from, to].map((at) => (Date.parse(at) - Date.parse(first.from)) / DAY_MS),
    );
    expect(days).toStrictEqual([0, 2, 7, 9, 14, 16]);
    expect(Date.parse(first.from)).toBeGreaterThan(beforeMs);
    expect(Date.parse(first.from)).toBeLessThanOrEqual(Date.now() + 7 * DAY_MS);
    expect(await listed(clanId)).toStrictEqual(answer.boosts);
  });

  test("exits with code 1 for unknown ranks, and adds nothing", async () => {
    const clanId = await newClan();
    const ranks = ["--rank", "Boss", "--rank", "Recruit", "--rank", "Chef"];
    const { exitCode, answer } = await add(clanId, "--from", "now", "--to", inDays(1), ...ranks);
    expect([exitCode, answer.error.code]).toStrictEqual([1, "rank_not_found"]);
    expect(answer.error.message).toMatch(/no rank "Boss", only Guest, Recruit[^]*no rank "Chef"/);
    expect(await listed(clanId)).toStrictEqual([]);
  });

  test("adds all or none of them if more than 20 would not have ended, also at the same time", async () => {
    const clanId = await newClan();
    const { put, store } = boostsOf(world);
    // Ended ones do not count.
    await put(clanId, { from: new Date(0), to: new Date(1) });
    await add(clanId, "--weekends", "17", "--time-zone", "UTC");
    const tooMany = await add(clanId, "--weekends", "4", "--time-zone", "UTC");
    expect([tooMany.exitCode, tooMany.answer.error.code]).toStrictEqual([1, "too_many_boosts"]);
    expect(tooMany.stderr).toContain("at most 20 boosts that have not ended. Nothing was added");
    const raced = await Promise.all([1, 2, 3].map(() => add(clanId, "--weekends", "2", "--time-zone", "UTC")));
    expect(raced.map(({ exitCode }) => exitCode).toSorted((a, b) => a - b)).toStrictEqual([0, 1, 1]);
    await add(clanId, "--from", "now", "--to", inDays(1));
    const all = (await store.list(clanId)) ?? [];
    expect(all).toHaveLength(21);

    const full = await add(clanId, "--from", "now", "--to", inDays(1));
    expect(full.answer.error.code).toBe("too_many_boosts");
    await cli.run("boost", "end", all.at(-1)?.boostId ?? "");
    expect((await add(clanId, "--from", "now", "--to", inDays(1))).exitCode).toBe(0);
  });
});

test("a boost follows a rank that it names to the rank's new name", async () => {
  const clanId = await newClan();
  await add(clanId, "--from", "now", "--to", inDays(1), "--rank", "Recruit", "--rank", "Elite");
  const ranks = [
    { name: "Guest", kind: "GUEST" },
    { name: "Rookie", kind: "NORMAL", threshold: 100n },
  ] as const;
  await makeStores(world.database).clans.change(
    clanId,
    { ranks, renames: new Map([["Recruit", "Rookie"]]) },
    testActor,
  );
  expect(await listed(clanId)).toMatchObject([{ ranks: ["Rookie", "Elite"] }]);
});

describe("boost end", () => {
  test("ends a boost once, with an audit record, and keeps it in the list", async () => {
    const clanId = await newClan();
    const [{ boostId }] = (await add(clanId, "--from", "now", "--to", inDays(1))).answer.boosts;
    const { exitCode, answer } = await cli.json("boost", "end", boostId);
    expect(exitCode).toBe(0);
    expect(Math.abs(Date.parse(answer.endedAt) - Date.now())).toBeLessThan(60_000);
    expect((await cli.json("boost", "end", boostId)).answer).toStrictEqual(answer);
    expect(await listed(clanId)).toStrictEqual([answer]);
    expect((await cli.run("boost", "list", clanId)).stdout).toMatch(/ ended\n/);
    const { records } = (await cli.json("audit", "list", "--clan", clanId, "--action", "boost.end")).answer;
    expect(records).toMatchObject([
      { actor: "ada", target: boostId, before: { endedAt: null }, after: { endedAt: answer.endedAt } },
    ]);
  });

  test("keeps the last 20 that have ended in the list", async () => {
    const clanId = await newClan();
    const { put } = boostsOf(world);
    for (let day = 1; day <= 25; day += 1)
      await put(clanId, { name: `day ${day}`, from: new Date(0), to: new Date(day * DAY_MS) });
    const names = (await listed(clanId)).map(({ name }) => name);
    expect(names).toHaveLength(21);
    expect(names).not.toContain("day 4");
    expect(names).toEqual(expect.arrayContaining(["day 5", "day 25"]));
  });
});
