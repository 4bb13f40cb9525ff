// One suite for the stores of boards and for the fakes of the simulation: both must give the same guarantees.
import { beforeAll, describe, expect, test } from "vitest";
import type { Entry } from "#domain/entry.ts";
import { headAfter } from "#domain/head.ts";
import { memberIdOf } from "#domain/member-id.ts";
import type { Standing } from "#domain/standing.ts";
import { makePeriodStore } from "#boards/store/period-store.ts";
import { makeStandingStore } from "#boards/store/standing-store.ts";
import { makeStandingUpkeep } from "#boards/store/standing-upkeep.ts";
import { makeUncountedEntries } from "#boards/store/uncounted-entries.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { makeBoardStore } from "#boards/store/board-store.ts";
import { makeSetBoard } from "#boards/set-board.ts";
import type { StoredBoard, StoredPeriod } from "#boards/ports.ts";
import { makeFakeBoards } from "../../../simulation/boards/fake-boards.ts";
import type { FakeEntry } from "../../../simulation/boards/fake-ledger.ts";
import { testActor } from "../../../support/actor.ts";
import { makeEntry } from "../../../support/entry.ts";
import { useWorld } from "../../../support/use-api.ts";

const HOUR_MS = 3_600_000;
const at = new Date(Math.floor(Date.now() / 1_000) * 1_000);
const later = (ms: number): Date => new Date(at.getTime() + ms);

const world = await useWorld();

/** MongoDB's stores, in a new clan. */
async function realStores() {
  const { clanId } = (await world.makeClan()).clan;
  const { database } = world;
  const ledger = makeLedgerStore(database);
  const headsOf = (one: Entry) => {
    const head = headAfter(one);
    return new Map(head ? [[memberIdOf(one), head] as const] : []);
  };
  const entryOf = (platformId: string, { what, ...entry }: FakeEntry): Entry => {
    const kinds = {
      award: {},
      other: { actor: "ada" },
      membership: { kind: "membership" },
      reversal: { kind: "reversal" },
    };
    const facts = { clanId, platformId, key: `=${entry.seq}`, memberSince: null, appointedRank: null };
    return makeEntry({ ...facts, ...entry, ...kinds[what] } as object);
  };
  return {
    clanId,
    boards: makeBoardStore(database),
    periodStore: makePeriodStore(database),
    standingStore: makeStandingStore(database),
    entries: makeUncountedEntries(database),
    upkeep: makeStandingUpkeep(database),
    commit: async (platformId: string, entry: FakeEntry) => void (await ledger.commit([entryOf(platformId, entry)])),
    project: (platformId: string, entry: FakeEntry) => ledger.project(headsOf(entryOf(platformId, entry))),
    rebuild: async (platformId: string) => void (await ledger.rebuild([{ clanId, platformId }], async () => {})),
    async setDoc(platformId: string, changes: { seq?: number }) {
      const members = database.db().collection<{ _id: string }>("members");
      await members.updateOne({ _id: `${clanId}/${platformId}` }, { $set: { ...changes, xp: 77n } });
    },
  };
}
type Stores = Awaited<ReturnType<typeof realStores>>;

function fakeStores(): Stores {
  const fake = makeFakeBoards("c", () => new Date());
  const { boards, periodStore, standingStore, entries, upkeep } = fake;
  return {
    clanId: "c",
    periodStore,
    entries,
    upkeep,
    boards,
    standingStore,
    commit: async (platformId: string, entry: FakeEntry) => void fake.commit(platformId, entry),
    project: async (platformId: string, { seq }: FakeEntry) => fake.project(platformId, seq, fake.isOpen()),
    rebuild: async (platformId: string) => fake.rebuild(platformId, fake.isOpen()),
    async setDoc(platformId: string, changes: { seq?: number }) {
      Object.assign(fake.members.get(platformId) ?? {}, changes, { isWrong: true });
    },
  } as unknown as Stores;
}

const entry = (seq: number, facts: Partial<FakeEntry> = {}): FakeEntry => {
  return { seq, at, applied: 5n, removed: false, what: "award", committedMs: 0, ...facts };
};

describe.each(["MongoDB", "the simulation's fake"])("stores of boards: %s", (kind) => {
  let stores: Stores;
  let board: StoredBoard;
  beforeAll(async () => {
    stores = kind === "MongoDB" ? await realStores() : fakeStores();
  });

  const dueOf = async () =>
    (await stores.entries.listDue(stores.clanId, 10)).map(({ platformId, counted, seq }) => [platformId, counted, seq]);
  const open = () => stores.periodStore.listOpen([board]);
  async function first(): Promise<StoredPeriod> {
    const [period] = await open();
    if (!period) throw new Error("there is no period");
    return period;
  }
  async function move(platformId: string, moved: FakeEntry): Promise<void> {
    await stores.commit(platformId, moved);
    await stores.project(platformId, moved);
  }

  test("documents that move are marked while the clan has boards, until that entry is settled", async () => {
    await move("a", entry(1));
    expect(await dueOf()).toStrictEqual([]);
    const ref = { clanId: stores.clanId, boardId: "b" };
    const season = { startsAt: later(-HOUR_MS), endsAt: later(HOUR_MS) };
    const set = await makeSetBoard({ boards: stores.boards, readOpenPeriods: async () => null })(
      ref,
      { season },
      testActor,
    );
    if ("rejected" in set) throw new Error(set.rejected.kind);
    board = set;
    await move("a", entry(2));
    await move("a", entry(3, { what: "reversal", reversesSeq: 2, applied: -5n }));
    await move("n", entry(1, { what: "other" }));
    expect(await dueOf()).toStrictEqual([
      ["n", 0, 1],
      ["a", 1, 3],
    ]);
    await stores.entries.settle(stores.clanId, [
      { platformId: "a", counted: 1, seq: 2 },
      { platformId: "n", counted: 7, seq: 1 },
    ]);
    expect(await stores.entries.readCounted(stores.clanId, ["a", "n", "x"])).toStrictEqual(
      new Map([
        ["a", 2],
        ["n", 0],
      ]),
    );
    await stores.entries.settle(stores.clanId, [
      { platformId: "a", counted: 2, seq: 3 },
      { platformId: "n", counted: 0, seq: 1 },
    ]);
    expect(await dueOf()).toStrictEqual([]);
  });

  test("a document that is rebuilt at its entry has no mark, and one that was ahead is counted from the first, one behind from its own", async () => {
    await stores.setDoc("a", {});
    await stores.rebuild("a");
    expect(await dueOf()).toStrictEqual([]);
    await stores.setDoc("a", { seq: 9 });
    await stores.rebuild("a");
    const counted = () => stores.entries.readCounted(stores.clanId, ["a"]);
    expect(await counted()).toStrictEqual(new Map([["a", 0]]));
    await stores.entries.settle(stores.clanId, [{ platformId: "a", counted: 0, seq: 3 }]);
    await stores.setDoc("a", { seq: 1 });
    await stores.rebuild("a");
    expect(await counted()).toStrictEqual(new Map([["a", 1]]));
  });

  test("entries are read in parts, each reversal with the time of its award", async () => {
    const member = { clanId: stores.clanId, platformId: "a" };
    const shown = (part: readonly { seq: number; what: string }[]) => part.map(({ seq, what }) => [seq, what]);
    expect(shown(await stores.entries.readChain(member, { from: 1, limit: 2 }))).toStrictEqual([
      [1, "award"],
      [2, "award"],
    ]);
    const last = await stores.entries.readChain(member, { from: 3, limit: 2 });
    expect(last).toStrictEqual([{ seq: 3, at, applied: -5n, removed: false, what: "reversal", awardAt: at }]);
    const due = [{ platformId: "a", counted: 2, seq: 3 }];
    expect((await stores.entries.readEntries(stores.clanId, due)).get("a")).toStrictEqual(last);
    expect((await stores.entries.readEntries(stores.clanId, [{ platformId: "a", counted: 9, seq: 3 }])).size).toBe(0);
  });

  test("a standing is written over one with fewer entries, and a whole one also over one with the same last entry", async () => {
    const { rows } = await first();
    const of = (platformId: string, xp: bigint, seq: number, removed = false) => {
      const standing: Standing = { xp, awards: 2, reachedAt: at, seq, removed };
      return { rows, member: { clanId: stores.clanId, platformId }, standing };
    };
    const { read, write, list, sum } = stores.standingStore;
    await write([of("a", 5n, 2), of("b", 5n, 1)], { isWhole: false });
    await write([of("a", 9n, 2), of("b", 7n, 2)], { isWhole: false });
    const stored = await read(["a", "b", "x"].map((platformId) => ({ rows, platformId })));
    expect(["a", "b", "x"].map((id) => stored.get(id)?.get(rows)?.xp)).toStrictEqual([5n, 7n, undefined]);
    await write([of("a", 6n, 2), of("c", 5n, 1), of("d", 9n, 1, true)], { isWhole: true });
    await write([of("a", 8n, 1)], { isWhole: true });
    expect(await sum(rows)).toStrictEqual({ awards: 8, xp: 27n });
    const page = await list(rows, { limit: 2, after: null });
    const rest = await list(rows, { limit: 2, after: page.next });
    const shown = [...page.items, ...rest.items].map(({ platformId, xp, seq }) => [platformId, Number(xp), seq]);
    expect(shown).toStrictEqual([
      ["b", 7, 2],
      ["a", 6, 2],
      ["c", 5, 1],
    ]);
    expect(rest.next).toBeNull();
  });

  test("a period has other standings once they were discarded, and is final once", async () => {
    const { periodStore, upkeep } = stores;
    const before = await first();
    await periodStore.noteCounted([before], at);
    await periodStore.renew([before]);
    const period = await first();
    expect(period).toMatchObject({ countedAt: null, periodId: before.periodId });
    expect(period.rows).not.toBe(before.rows);
    await periodStore.noteCounted([before], at);
    await periodStore.renew([before]);
    expect((await first()).rows).toBe(period.rows);
    const [left, rows] = [await periodStore.beginFinal(period), await periodStore.beginFinal(period)];
    const final = { clanId: stores.clanId, rows: rows ?? "", members: 0, previous: null, result: null };
    expect(await periodStore.finish(period, { ...final, rows: "other" })).toBe(false);
    expect(await upkeep.deleteDiscarded(HOUR_MS)).toBe(0);
    expect(await periodStore.finish(period, final)).toBe(true);
    expect(await periodStore.finish(period, { ...final, rows: left ?? "" })).toBe(false);
    expect(await periodStore.beginFinal(period)).toBeNull();
    expect(await open()).toStrictEqual([]);
    expect(await upkeep.deleteDiscarded(-HOUR_MS)).toBe(4);
  });

  test("periods follow each other, and those of a removed board go with their standings", async () => {
    const { periodStore, boards } = stores;
    const spanOf = (n: number) => ({
      startsAt: later(n * HOUR_MS),
      endsAt: later((n + 1) * HOUR_MS),
      finalAt: later(99 * HOUR_MS),
    });
    await periodStore.extend(board, [spanOf(1), spanOf(2)], { now: at, isCounted: true });
    await periodStore.extend(board, [spanOf(2), spanOf(3)], { now: at, isCounted: true });
    expect((await open()).map(({ startsAt }) => startsAt)).toStrictEqual([later(HOUR_MS), later(2 * HOUR_MS)]);
    expect((await periodStore.next(board.uid, later(HOUR_MS)))?.startsAt).toStrictEqual(later(2 * HOUR_MS));
    expect((await periodStore.newest(board.uid, { ended: later(2 * HOUR_MS) }))?.startsAt).toStrictEqual(
      later(HOUR_MS),
    );
    const ref = { clanId: stores.clanId, boardId: "b" };
    await boards.noteAsOf([ref], later(HOUR_MS));
    await boards.noteAsOf([ref], at);
    expect((await boards.read(stores.clanId))?.boards[0]?.asOf).toStrictEqual(later(HOUR_MS));
    await boards.remove(ref, testActor);
    expect([await open(), await boards.clansDue()]).toStrictEqual([[], []]);
    // By a process that has read the board before.
    await periodStore.extend(board, [spanOf(5)], { now: at, isCounted: false });
    expect(await boards.clansDue()).toStrictEqual([]);
    await stores.upkeep.deleteDiscarded(-HOUR_MS);
    expect(await periodStore.next(board.uid, at)).toBeNull();
  });
});
