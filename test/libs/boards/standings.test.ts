import { expect, onTestFinished, test } from "vitest";
import { openBoards } from "#composition/open-boards.ts";
import { AppError } from "#kernel/app-error.ts";
import { systemClock } from "#process/clock.ts";
import { makeReconcile } from "#operations/reconcile.ts";
import { makeRebuildBoards } from "#boards/rebuild-boards.ts";
import { makeSetBoard } from "#boards/set-board.ts";
import { awardIdOf } from "#contract/award-id.ts";
import { makeStores } from "../../../apps/cli/open/stores.ts";
import { testActor } from "../../support/actor.ts";
import { boardHistory } from "../../support/board-history.ts";
import { expectedStandings } from "../../support/boards-oracle.ts";
import { chanceOf } from "../../support/chance.ts";
import { seedOfRun } from "../../support/seed.ts";
import { until } from "../../support/until.ts";
import { useWorld } from "../../support/use-api.ts";
import { testLog } from "../../support/world.ts";

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

const world = await useWorld();

const inMs = (ms: number): Date => new Date(Math.floor((Date.now() + ms) / 1_000) * 1_000);

async function clanWith(skewsMs: readonly number[]) {
  const { clan } = await world.makeClan({ xpFloor: null });
  const { clanId } = clan;
  const history = boardHistory(world, clanId, chanceOf(seedOfRun()), skewsMs);
  onTestFinished(() => history.close());
  const stores = makeStores(world.database);
  const open = () =>
    openBoards({ database: world.database, project: () => history.project(), clock: systemClock, log: testLog });
  const set = async (boardId: string, request: Parameters<ReturnType<typeof makeSetBoard>>[1]) => {
    const result = await makeSetBoard(stores)({ clanId, boardId }, request, testActor);
    expect(result).not.toHaveProperty("rejected");
  };
  return { clanId, history, stores, boards: open(), open, set };
}
type Clan = Awaited<ReturnType<typeof clanWith>>;

/** On a machine that is busy, standings are caught up more slowly than a reader waits, and then asked for again. */
async function inTime<Result>(read: () => Promise<Result>): Promise<Result> {
  let result: Promise<Result> | null = null;
  await until(async () => {
    result = read();
    return result.then(
      () => true,
      (error: unknown) => !(error instanceof AppError && error.code === "unavailable"),
    );
  });
  return result ?? read();
}

/** Every period of the board shows what the ledger says. Returns its periods. */
async function expectRight({ boards, clanId }: Pick<Clan, "boards" | "clanId">, boardId: string) {
  await inTime(() => boards.catchUp(clanId));
  const ref = { clanId, boardId };
  const { items: periods } = await boards.periods(ref, { limit: 200, before: null });
  for (const period of periods) {
    const { items } = await inTime(() =>
      boards.standings(ref, period.periodId, { kind: "page", limit: 200, after: null }),
    );
    const shown = items.map(({ platformId, xp, position }) => ({ platformId, xp, position }));
    expect(shown, `${boardId} ${period.periodId}`).toStrictEqual(
      await expectedStandings(world.database, clanId, period),
    );
    if (period.startsAt <= new Date()) expect(period.members).toBe(items.length);
  }
  return periods;
}

async function differencesIn({ clanId, stores }: Clan): Promise<unknown> {
  const { reconcile: store, reconcileBoards } = stores;
  const { differences } = await makeReconcile({ store, awardIdOf, reconcileBoards })({ clanId });
  // No record of a batch is written here.
  return differences.filter(({ kind }) => kind !== "batch_missing");
}

test("standings are the sum over the ledger, whatever the clocks, with two processes that count at once", async () => {
  const clan = await clanWith([0, 90_000, -3 * MINUTE_MS, -2 * DAY_MS, -70 * DAY_MS]);
  const { history, set, boards, open, clanId } = clan;
  await history.run(40);
  await set("days", { rhythm: { every: "day", timeZone: "Asia/Kolkata" }, from: inMs(-100 * DAY_MS) });
  await set("weeks", { rhythm: { every: "week", on: "wednesday", at: "13:30" } });
  await set("months", { rhythm: { every: "month", on: 15 }, settleMs: 168 * 60 * MINUTE_MS, from: inMs(-80 * DAY_MS) });
  // A clock that is days behind dates awards in periods that are final by now.
  await history.restart([0, 90_000, -3 * MINUTE_MS]);
  const others = [open(), open()];
  for (let round = 0; round < 3; round += 1) {
    const caughtUp = [...others, boards].map(({ catchUp }) => inTime(() => catchUp(clanId)));
    await Promise.all([history.run(20), ...caughtUp]);
    if (round === 1) await history.restart([0, 90_000]);
    for (const boardId of ["days", "weeks", "months"]) await expectRight(clan, boardId);
  }
  expect(await differencesIn(clan)).toStrictEqual([]);
}, 120_000);

test("reconcile finds a standing that was changed manually, and rebuild counts it again", async () => {
  const clan = await clanWith([0]);
  const { history, set, boards, clanId, stores } = clan;
  // The period ends in half a day, and not while the test runs.
  await set("days", {
    rhythm: {
      every: "day",
      at: inMs(DAY_MS / 2)
        .toISOString()
        .slice(11, 16),
    },
  });
  await history.run(40);
  await expectRight(clan, "days");
  // Until then, it is counted from the ledger each time.
  await until(async () => {
    await inTime(() => boards.catchUp(clanId));
    return (await world.database.db().collection("periods").countDocuments({ clanId, countedAt: null })) === 0;
  });
  expect(await differencesIn(clan)).toStrictEqual([]);
  await world.database
    .db()
    .collection("standings")
    .updateOne({ clanId }, { $inc: { xp: 1n } });
  expect(await differencesIn(clan)).toMatchObject([{ kind: "standing_wrong", clanId }]);
  const rebuild = makeRebuildBoards({ ...stores, catchUp: boards.catchUp });
  expect(await inTime(() => rebuild(clanId))).toBe(1);
  await expectRight(clan, "days");
  expect(await differencesIn(clan)).toStrictEqual([]);
});
