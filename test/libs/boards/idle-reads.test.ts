// What reads of a board write while nothing moves.
import { expect, onTestFinished, test } from "vitest";
import { openBoards } from "#composition/open-boards.ts";
import { makeSetBoard } from "#boards/set-board.ts";
import { systemClock } from "#process/clock.ts";
import { makeStores } from "../../../apps/cli/open/stores.ts";
import { testActor } from "../../support/actor.ts";
import { boardHistory } from "../../support/board-history.ts";
import { chanceOf } from "../../support/chance.ts";
import { profiled } from "../../support/profiled.ts";
import { seedOfRun } from "../../support/seed.ts";
import { until } from "../../support/until.ts";
import { useWorld } from "../../support/use-api.ts";
import { testLog } from "../../support/world.ts";

const DAY_MS = 86_400_000;
const WRITES = new Set(["insert", "update", "remove"]);

const world = await useWorld();

test("reads of boards write nothing while nothing moves but how new they are, once for all processes", async () => {
  const { clanId } = (await world.makeClan()).clan;
  const history = boardHistory(world, clanId, chanceOf(seedOfRun()), [0]);
  onTestFinished(() => history.close());
  const open = () =>
    openBoards({ database: world.database, project: () => history.project(), clock: systemClock, log: testLog });
  const processes = [open(), open()];
  // Their periods end in half a day, and not while the test runs.
  const at = new Date(Date.now() + DAY_MS / 2).toISOString().slice(11, 16);
  for (const boardId of ["a", "b"])
    await makeSetBoard(makeStores(world.database))({ clanId, boardId }, { rhythm: { every: "day", at } }, testActor);
  await history.run(30);
  const db = world.database.db();
  const isIdle = async () => {
    await processes[0]?.catchUp(clanId).catch(() => {});
    const uncounted = await db.collection("periods").countDocuments({ clanId, final: false, countedAt: null });
    return uncounted + (await db.collection("members").countDocuments({ clanId, due: { $exists: true } })) === 0;
  };
  await until(isIdle);
  const times = new Set<number>();
  const commands = await profiled(world, null, async () => {
    await until(async () => {
      for (const { standings, periods, list } of processes) {
        const page = { kind: "page", limit: 10, after: null } as const;
        times.add((await standings({ clanId, boardId: "a" }, "current", page)).asOf.getTime());
        await periods({ clanId, boardId: "b" }, { limit: 10, before: null });
        await list(clanId);
      }
      return times.size >= 3;
    });
  });
  const writes = commands.filter(({ op }) => WRITES.has(op));
  const changes = writes.map(({ ns, command }) => [ns.split(".").at(-1), Object.keys(command.u ?? {})]);
  expect(new Set(changes.map(String))).toStrictEqual(new Set(["boards,$max"]));
  // Each is one statement that matches both boards. The read after the last time may have noted one more.
  expect(writes.length).toBeLessThanOrEqual(times.size + 1);
});
