// Events of committed changes in MongoDB: numbered by several workers together, and erased.
import { describe, expect, test } from "vitest";
import type { Entry } from "#domain/entry.ts";
import { systemClock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import { makeEventChain } from "#events/store/event-chain.ts";
import { makeEventFeed } from "#events/store/event-feed.ts";
import { makeEventUpkeep } from "#events/store/event-upkeep.ts";
import { makeUnnumberedChanges } from "#events/store/unnumbered-changes.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { makeNameStore } from "#names/store/name-store.ts";
import { makeEraseEvents } from "#events/erase-events.ts";
import { makeNumberEvents, type NumberEvents } from "#events/number-events.ts";
import { eventTypes, type ClanEvent } from "#domain/event.ts";
import { testActor } from "../../../support/actor.ts";
import { makeEntry } from "../../../support/entry.ts";
import { examinedIn, profiled } from "../../../support/profiled.ts";
import { useWorld } from "../../../support/use-api.ts";
import { testLog } from "../../../support/world.ts";

const world = await useWorld();

const ids = makeIds(systemClock);
const never = new AbortController().signal;

function makeWorker(): NumberEvents {
  const { database, clans } = world;
  return makeNumberEvents({
    changes: makeUnnumberedChanges(database),
    chain: makeEventChain(database),
    clans,
    names: makeNameStore(database),
    ids,
    numbered: () => {},
    clock: systemClock,
    log: testLog,
  });
}

/** Until nothing is left, however often another worker was faster. */
async function numberAll(workers: readonly NumberEvents[] = [makeWorker()]): Promise<void> {
  const changes = makeUnnumberedChanges(world.database);
  while ((await changes.clans(null, 1)).length > 0) await Promise.all(workers.map((worker) => worker.run(never)));
}

async function commit(...entries: Entry[]): Promise<void> {
  expect(await makeLedgerStore(world.database).commit(entries)).toStrictEqual({ kind: "committed" });
}

function rising(clanId: string, platformId: string, seq: number, changes: Partial<Entry> = {}): Entry {
  return makeEntry({
    clanId,
    platformId,
    seq,
    key: `=${seq}`,
    rank: `rank ${seq}`,
    previousRank: `rank ${seq - 1}`,
    announced: "changes",
    at: new Date(1_700_000_000_000 + seq),
    ...changes,
  });
}

async function eventsOf(clanId: string): Promise<ClanEvent[]> {
  const read = await makeEventFeed(world.database).readAfter(clanId, "oldest", {
    types: eventTypes,
    limit: 10_000,
    examined: 10_000,
  });
  return read?.events ?? [];
}

function placesOf(events: readonly ClanEvent[]): string[] {
  return events.map(({ n, data }) => ("seq" in data ? `${n} ${data.platformId}/${data.seq}` : `${n}`));
}

describe("numbering", () => {
  test("by several workers gives every change one place, and a member's changes in their order", async () => {
    const { clan } = await world.makeClan();
    const entries = ["a", "b", "c"].flatMap((platformId) =>
      // The clocks of their processes disagree.
      Array.from({ length: 150 }, (_, index) =>
        rising(clan.clanId, platformId, index + 1, { at: new Date(1_700_000_000_000 - index * 1_000) }),
      ),
    );
    const workers = [makeWorker(), makeWorker(), makeWorker()];
    await Promise.all([
      ...Array.from({ length: 3 }, async (_, part) => {
        for (const entry of entries.slice(part * 150, part * 150 + 150)) await commit(entry);
      }),
      ...workers.map(async (worker) => {
        for (let pass = 0; pass < 5; pass += 1) await worker.run(never);
      }),
    ]);
    await numberAll(workers);
    const events = (await eventsOf(clan.clanId)).filter(({ type }) => type === "member.rank_changed");
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(450);
    const numbers = (await eventsOf(clan.clanId)).map(({ n }) => n);
    expect(numbers).toStrictEqual(numbers.map((_, index) => index + 1));
    for (const platformId of ["a", "b", "c"]) {
      const seqs = events.flatMap(({ data }) => ("seq" in data && data.platformId === platformId ? [data.seq] : []));
      expect(seqs).toStrictEqual(Array.from({ length: 150 }, (_, index) => index + 1));
    }
  });

  test("stands in the order of time between members, with the name that is known then", async () => {
    const { clan } = await world.makeClan();
    const { clanId } = clan;
    await numberAll();
    const before = (await eventsOf(clanId)).length;
    await makeNameStore(world.database).set(clanId, [{ platformId: "a", name: "Ann" }]);
    await commit(rising(clanId, "b", 1, { at: new Date(2_000) }), rising(clanId, "a", 1, { at: new Date(1_000) }));
    await numberAll();
    const events = (await eventsOf(clanId)).slice(before);
    expect(placesOf(events)).toStrictEqual([`${before + 1} a/1`, `${before + 2} b/1`]);
    expect(events).toMatchObject([{ data: { name: "Ann" } }, { data: { name: null } }]);
  });

  test("includes changes of keys and ranks, from the transactions that made them", async () => {
    const { clan } = await world.makeClan();
    const { keyId } = await world.makeKey(clan.clanId);
    await world.keys.revoke(keyId, new Date(), testActor);
    const ranks = clan.ranks.slice(0, 2);
    await world.clans.change(clan.clanId, { ranks, moved: { rise: 1, fall: 2 } }, testActor);
    await numberAll();
    expect((await eventsOf(clan.clanId)).map(({ type }) => type)).toStrictEqual([
      "key.created",
      "key.created",
      "key.revoked",
      "ranks.changed",
    ]);
    expect((await eventsOf(clan.clanId)).at(-1)?.data).toStrictEqual({
      ranks,
      previousRanks: clan.ranks,
      rise: 1,
      fall: 2,
    });
  });
});

describe("an erasure", () => {
  const events = { ...makeEventChain(world.database), ...makeEventUpkeep(world.database) };
  const eraseEvents = makeEraseEvents({ events, announce: () => {}, ids, clock: systemClock });

  test("deletes the events of deleted entries, tells readers which, and keeps the events of a new entry", async () => {
    const { clan } = await world.makeClan();
    const { clanId } = clan;
    const member = { clanId, platformId: "a" };
    await commit(rising(clanId, "a", 1), rising(clanId, "a", 2), rising(clanId, "b", 1));
    await numberAll();
    const before = (await eventsOf(clanId)).filter(({ data }) => "seq" in data && data.platformId === "a");
    await world.database.db().collection("ledger").deleteMany({ "_id.clanId": clanId, "_id.platformId": "a" });
    await commit(rising(clanId, "a", 1, { at: new Date(9_000) }));
    await numberAll();

    await eraseEvents(member);
    await numberAll();
    const after = await eventsOf(clanId);
    const erased = after.filter(({ type }) => type === "events.erased");
    expect(erased.map(({ data }) => data)).toStrictEqual([{ eventIds: before.map(({ eventId }) => eventId) }]);
    expect(
      placesOf(after.filter(({ type }) => type === "member.rank_changed")).map((place) => place.split(" ")[1]),
    ).toStrictEqual(["b/1", "a/1"]);
  });

  test("of a member with many events looks at each of them a few times", async () => {
    const { clan } = await world.makeClan();
    const { clanId } = clan;
    const at = (n: number): Date => new Date(1_700_000_000_000 + n);
    await world.database
      .db()
      .collection<any>("events")
      .insertMany(
        Array.from({ length: 2_500 }, (_, index) => ({
          _id: { clanId, n: index + 1 },
          eventId: `evt_many${index}`,
          at: at(index),
          type: "award.applied",
          subject: "member/a",
          seq: index + 1,
          data: { platformId: "a", seq: index + 1 },
        })),
      );
    // In the middle, one of which the entry exists.
    await commit(rising(clanId, "a", 1_200, { at: at(1_199) }));
    const commands = await profiled(world, null, () => eraseEvents({ clanId, platformId: "a" }));
    const ofBoth = commands.filter(({ ns }) => /\.(?:events|ledger)$/.test(ns));
    expect(examinedIn(ofBoth)).toBeLessThanOrEqual(2 * 2_500 + 100);
    for (const { responseLength } of ofBoth.filter(({ ns }) => ns.endsWith("ledger")))
      expect(responseLength).toBeLessThan(100_000);
    const left = await eventsOf(clanId);
    const ids200 = left.flatMap((event) => (event.type === "events.erased" ? [event.data.eventIds] : []));
    expect(new Set(ids200.flat()).size).toBe(2_499);
    expect(ids200.every(({ length }) => length <= 200)).toBe(true);
    expect(placesOf(left.filter(({ type }) => type === "award.applied"))).toStrictEqual(["1200 a/1200"]);
  });

  test("removes reasons that name the member from any number of events, a bounded number at a time", async () => {
    const clanId = `c-${ids.award()}`;
    const stored = world.database.db().collection<any>("events");
    const reasonOf = (n: number) => (n % 2 === 0 ? "for a" : "for aa");
    await stored.insertMany(
      Array.from({ length: 2_400 }, (_, n) => ({
        _id: { clanId, n: n + 1 },
        eventId: `evt_reason${n}`,
        at: new Date(),
        type: "award.applied",
        subject: "member/b",
        seq: n + 1,
        data: { platformId: "b", reason: reasonOf(n) },
      })),
    );
    const commands = await profiled(world, "events", () =>
      makeEventUpkeep(world.database).deleteReasons({ clanId, platformId: "a" }),
    );
    expect(commands.flatMap(({ nModified }) => nModified || [])).toStrictEqual([1_000, 200]);
    expect(await stored.distinct("data.reason", { "_id.clanId": clanId })).toStrictEqual(["for aa"]);
  });

  test("prevents that a worker which had read the entries before numbers them afterwards", async () => {
    const { clan } = await world.makeClan();
    const { clanId } = clan;
    await commit(rising(clanId, "a", 1));
    const changes = makeUnnumberedChanges(world.database);
    // A turn, up to its last step.
    const newest = await events.newest(clanId);
    const [change] = await changes.list({ clanId, hasOthers: false }, { afterMember: null, limit: 1 });
    if (change?.kind !== "entry") throw new Error("no entry is listed");
    await world.database.db().collection("ledger").deleteMany({ "_id.clanId": clanId });
    await eraseEvents({ clanId, platformId: "a" });
    const late = {
      type: "events.erased",
      data: { eventIds: [] },
      eventId: "late",
      at: new Date(),
      ref: change.ref,
    } as const;
    expect(await events.append([{ clanId, end: newest, events: [late] }])).toBe(0);
  });
});
