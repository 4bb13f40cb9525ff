// What is deleted of boards without a request: positions beyond those that are stored for ever, and standings that no
// period names.
import mongoose from "mongoose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FINAL_POSITIONS_KEPT } from "#domain/board.ts";
import { newPeriodDoc, type PeriodDoc } from "#store/boards/period-model.ts";
import { standingDoc, type StandingDoc } from "#store/boards/standing-model.ts";
import { makeStandingUpkeep } from "#store/boards/standing-upkeep.ts";
import { UNNAMED_AGE_MS_MIN } from "#store/bounds.ts";
import type { StandingUpkeep } from "#usecases/boards/ports.ts";
import { makeWorld, type World } from "../../../support/world.ts";

const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

let world: World;
let upkeep: StandingUpkeep;
const periods = () => world.database.db().collection<PeriodDoc>("periods");
const standings = () => world.database.db().collection<StandingDoc>("standings");
beforeAll(async () => {
  world = await makeWorld();
  upkeep = makeStandingUpkeep(world.database);
});
afterAll(() => world.close());
beforeEach(() => Promise.all([periods().deleteMany({}), standings().deleteMany({})]));

/** Rows with a position each, the best first. */
async function addStandings(rows: string, count: number): Promise<void> {
  const docs = Array.from({ length: count }, (_, index) => ({
    ...standingDoc(
      rows,
      { clanId: "c", platformId: `p${index}` },
      { xp: BigInt(count - index), reachedAt: daysAgo(200), seq: 1, removed: false },
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

test("standings that no period names are deleted, unless they are so new that their period may be on its way", async () => {
  const named = await addFinal("named", daysAgo(1), 3);
  const nameOfAge = (ms: number): string =>
    mongoose.mongo.ObjectId.createFromTime(Math.floor((Date.now() - ms) / 1_000)).toHexString();
  const [left, fresh] = [nameOfAge(2 * UNNAMED_AGE_MS_MIN), nameOfAge(UNNAMED_AGE_MS_MIN / 2)];
  await Promise.all([addStandings(left, 1_200), addStandings(fresh, 2)]);
  expect(await upkeep.deleteUnnamed()).toBe(1_200);
  const counts = [named, left, fresh].map((rows) => standings().countDocuments({ rows }));
  expect(await Promise.all(counts)).toStrictEqual([3, 0, 2]);
});
