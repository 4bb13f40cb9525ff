// What is deleted of boards without a request: positions beyond those that are stored for ever, and standings that were
// discarded.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FINAL_POSITIONS_KEPT } from "#domain/board.ts";
import { boardKey } from "#boards/store/board-model.ts";
import { newPeriodDoc, type PeriodDoc } from "#boards/store/period-model.ts";
import { standingDoc, type StandingDoc } from "#boards/store/standing-model.ts";
import { makeStandingUpkeep } from "#boards/store/standing-upkeep.ts";
import { makePeriodStore } from "#boards/store/period-store.ts";
import type { StoredBoard, StoredPeriod } from "#boards/ports.ts";
import { examinedIn, profiled } from "../../../support/profiled.ts";
import { useWorld } from "../../../support/use-api.ts";

const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

const world = await useWorld();
const upkeep = makeStandingUpkeep(world.database);
const periods = () => world.database.db().collection<PeriodDoc>("periods");
const standings = () => world.database.db().collection<StandingDoc>("standings");
beforeEach(() => Promise.all([periods().deleteMany({}), standings().deleteMany({})]));

/** Rows with a position each, the best first. */
async function addStandings(rows: string, count: number): Promise<void> {
  const docs = Array.from({ length: count }, (_, index) => ({
    ...standingDoc(
      rows,
      { clanId: "c", platformId: `p${index}` },
      { xp: BigInt(count - index), awards: 1, reachedAt: daysAgo(200), seq: 1, removed: false },
    ),
    position: index + 1,
  }));
  await standings().insertMany(docs);
}

/** A period of a day that has been final since `finalAt`. */
async function addFinal(boardId: string, finalAt: Date, members: number): Promise<string> {
  const span = { startsAt: daysAgo(200), endsAt: daysAgo(199), finalAt };
  const facts = { now: daysAgo(200), isCounted: true, isSilent: false };
  const doc = newPeriodDoc({ clanId: "c", boardId, uid: boardId }, span, facts);
  const trims = members > FINAL_POSITIONS_KEPT ? { trims: true as const } : {};
  await periods().insertOne({ ...doc, final: true, members, ...trims });
  await addStandings(doc.rows, members);
  return doc.rows;
}

test("positions beyond the first 1,000 of a final period are deleted once they are old, some at a time", async () => {
  const old = await addFinal("old", daysAgo(91), FINAL_POSITIONS_KEPT + 5);
  const young = await addFinal("young", daysAgo(89), FINAL_POSITIONS_KEPT + 2);
  const small = await addFinal("small", daysAgo(91), 3);
  const step = { olderThanMs: 90 * DAY_MS, limit: 3 };
  const deleted = [await upkeep.deleteOld(step), await upkeep.deleteOld(step), await upkeep.deleteOld(step)];
  expect(deleted).toStrictEqual([3, 2, 0]);
  expect(await standings().countDocuments({ rows: old, position: { $lte: FINAL_POSITIONS_KEPT } })).toBe(
    FINAL_POSITIONS_KEPT,
  );
  const counts = [old, young, small].map((rows) => standings().countDocuments({ rows }));
  expect(await Promise.all(counts)).toStrictEqual([FINAL_POSITIONS_KEPT, FINAL_POSITIONS_KEPT + 2, 3]);
});

describe("discarded standings", () => {
  const board = { clanId: "c", boardId: "b", uid: "uid" } as StoredBoard;
  const span = { startsAt: daysAgo(1), endsAt: daysAgo(-1), finalAt: daysAgo(-2) };
  const later = () => upkeep.deleteDiscarded(-60_000);
  const store = () => makePeriodStore(world.database);

  // Periods of a board that is not stored are those of a removed one.
  beforeAll(() =>
    world.database
      .db()
      .collection("boards")
      .insertOne({ ...board, _id: boardKey(board) as never }),
  );

  async function openPeriod(): Promise<StoredPeriod> {
    await store().extend(board, [span], { now: daysAgo(1), isCounted: true });
    const [period] = await store().listOpen([board]);
    if (!period) throw new Error("no period");
    return period;
  }

  test("are found without a look at the other periods, of which there may be any number", async () => {
    const docs = Array.from({ length: 2_000 }, (_, day) => {
      const startsAt = daysAgo(2_100 - day);
      const times = { startsAt, endsAt: new Date(startsAt.getTime() + DAY_MS), finalAt: daysAgo(1) };
      const doc = newPeriodDoc(board, times, { now: startsAt, isCounted: true, isSilent: true });
      return { ...doc, final: true, members: 1 };
    });
    await periods().insertMany(docs);
    await standings().insertMany(
      docs.map(({ rows }) =>
        standingDoc(
          rows,
          { clanId: "c", platformId: "p" },
          { xp: 1n, awards: 1, reachedAt: daysAgo(1), seq: 1, removed: false },
        ),
      ),
    );
    const period = await openPeriod();
    await addStandings(period.rows, 5);
    await store().renew([period]);
    const commands = await profiled(world, null, async () => {
      expect(await later()).toBe(5);
      expect(await store().listOpen([board, { ...board, uid: "other" }])).toHaveLength(1);
      expect(await store().next("uid", daysAgo(3))).toMatchObject({ periodId: period.periodId });
      expect(await store().newest("uid", { begun: new Date() })).toMatchObject({ periodId: period.periodId });
    });
    expect(examinedIn(commands)).toBeLessThan(30);
    expect(commands.length).toBeLessThan(30);
  });
});
