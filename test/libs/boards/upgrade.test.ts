// What older versions stored, in a clan that gets a board, a destination and names: standings and lists are right, and
// nothing differs from the ledger.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BSON } from "mongodb";
import { expect, onTestFinished, test } from "vitest";
import { openBoards } from "#composition/open-boards.ts";
import { awardIdOf } from "#contract/award-id.ts";
import { makeRebuildThese } from "#ledger/rebuild-members.ts";
import { systemClock } from "#process/clock.ts";
import { makeSetBoard } from "#boards/set-board.ts";
import { makeMemberLists } from "#members/member-lists.ts";
import { makeReconcile } from "#operations/reconcile.ts";
import { makeStores } from "../../../apps/cli/open/stores.ts";
import { testActor } from "../../support/actor.ts";
import { boardHistory } from "../../support/board-history.ts";
import { expectedStandings } from "../../support/boards-oracle.ts";
import { chanceOf } from "../../support/chance.ts";
import { destinationsIn } from "../../support/destinations.ts";
import { seedOfRun } from "../../support/seed.ts";
import { until } from "../../support/until.ts";
import { useWorld } from "../../support/use-api.ts";
import { testLog } from "../../support/world.ts";

const DAY_MS = 86_400_000;
const FIXTURE = join(import.meta.dirname, "../../fixtures/data-of-0-1-0");

const world = await useWorld();
const collection = (name: string) => world.database.db().collection<any>(name);
const historyOf = (clanId: string) => boardHistory(world, clanId, chanceOf(seedOfRun()), [0]);

/** Its documents as they were, but of today. */
async function dataOfVersion010(): Promise<string> {
  const docsOf = (name: string): any[] =>
    readFileSync(join(FIXTURE, `${name}.jsonl`), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => BSON.EJSON.parse(line, { relaxed: false }));
  const entries = docsOf("ledger");
  const laterMs = Date.now() - Math.max(...entries.map(({ at }) => at.getTime()));
  for (const entry of entries) entry.at = new Date(entry.at.getTime() + laterMs);
  await collection("clans").insertMany(docsOf("clans"));
  await collection("ledger").insertMany(entries);
  await collection("members").insertMany(docsOf("members"));
  return "rovers";
}

/** The fields that version 0.2.0 did not store are missing. */
async function dataOfVersion020(): Promise<string> {
  const { clan } = await world.makeClan({ xpFloor: null });
  const { clanId } = clan;
  const history = historyOf(clanId);
  await history.run(60);
  await history.close();
  await collection("members").updateMany({ clanId }, { $unset: { lastAwardAt: 1, gains: 1, due: 1 } });
  const added = { lastAwardAt: 1, gains: 1, ranksPassed: 1, ev: 1, limitedByDay: 1, boost: 1 } as const;
  await collection("ledger").updateMany({ "_id.clanId": clanId }, { $unset: added });
  await collection("names").insertOne({ _id: `${clanId}/m1`, clanId, platformId: "m1", name: "Ada" });
  return clanId;
}

test.each([
  ["0.1.0", dataOfVersion010],
  ["0.2.0", dataOfVersion020],
])("boards count the data of version %s, also after lists were read, and nothing differs", async (_, restore) => {
  const clanId = await restore();
  const stores = makeStores(world.database);
  const set = await makeSetBoard(stores)(
    { clanId, boardId: "days" },
    { rhythm: { every: "day" }, from: new Date(Date.now() - DAY_MS) },
    testActor,
  );
  expect(set).not.toHaveProperty("rejected");
  await destinationsIn(world.database).add(clanId, { kind: "webhook", url: "http://127.0.0.1:9/", signing: [] });
  const history = historyOf(clanId);
  onTestFinished(() => history.close());
  const project = () => history.project();
  const boards = openBoards({ database: world.database, project, clock: systemClock, log: testLog });
  const rebuildThese = makeRebuildThese({ store: stores.ledgerStore, epochs: stores.epochs, clock: systemClock });
  const lists = makeMemberLists({ members: stores.members, catchUp: project, rebuildThese });

  async function expectRight(): Promise<void> {
    const { items: listed } = await lists.page(clanId, { sort: "platformId", limit: 200, after: null });
    const heads = await collection("ledger")
      .aggregate([
        { $match: { "_id.clanId": clanId } },
        { $sort: { _id: 1 } },
        { $group: { _id: "$_id.platformId", xp: { $last: "$xp" } } },
      ])
      .toArray();
    const xpOf = new Map(listed.map(({ platformId, xp }) => [platformId, xp]));
    expect(heads.filter(({ _id, xp }) => xpOf.get(_id) !== BigInt(String(xp)))).toStrictEqual([]);
    await until(() =>
      boards.catchUp(clanId).then(
        () => true,
        () => false,
      ),
    );
    expect(await collection("members").countDocuments({ clanId, due: { $exists: true } })).toBe(0);
    for (const period of (await boards.periods({ clanId, boardId: "days" }, { limit: 9, before: null })).items) {
      const all = { kind: "page", limit: 200, after: null } as const;
      const { items } = await boards.standings({ clanId, boardId: "days" }, period.periodId, all);
      const shown = items.map(({ platformId, xp, position }) => ({ platformId, xp, position }));
      expect(shown).toStrictEqual(await expectedStandings(world.database, clanId, period));
    }
  }

  await expectRight();
  // Until then, periods are counted from the ledger each time.
  await until(async () => {
    await boards.catchUp(clanId);
    return (await collection("periods").countDocuments({ clanId, countedAt: null })) === 0;
  });
  await collection("members").updateMany({ clanId }, { $unset: { lastAwardAt: 1 } });
  await expectRight();
  await history.run(30);
  await expectRight();
  const { reconcile: store, reconcileBoards } = stores;
  const { differences } = await makeReconcile({ store, awardIdOf, reconcileBoards })({ clanId });
  expect(differences.filter(({ kind }) => kind !== "batch_missing")).toStrictEqual([]);
});
