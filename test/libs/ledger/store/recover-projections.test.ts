// What a process committed and had not projected when it died is projected by a worker, whenever that looks.
import { describe, expect, test } from "vitest";
import { callerAwardKey } from "#domain/award-key.ts";
import { noLock } from "#lock/no-lock.ts";
import { systemClock } from "#process/clock.ts";
import { makeCounters } from "#telemetry/metrics/counters.ts";
import type { EntryDoc } from "#ledger/store/entry-model.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { makeEpochStore } from "#ledger/store/epoch-store.ts";
import { makeLedgerReader } from "#ledger/store/ledger-reader.ts";
import { makeProcessStore } from "#ledger/store/process-store.ts";
import { makeLedger, type Ledger } from "#ledger/ledger.ts";
import { PROCESS_CLAIM_MS, PROCESS_EXPIRY_MS, PROCESS_SILENCE_MS, PROJECTION_CLOSE_MS } from "#ledger/bounds.ts";
import { makeClanRules } from "#clans/clan-rules.ts";
import type { LedgerStore } from "#ledger/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { MemberRef } from "#domain/member-id.ts";
import { makeRecoverProjections } from "#ledger/recover-projections.ts";
import { until } from "../../../support/until.ts";
import { chanceOf } from "../../../support/chance.ts";
import { seedOfRun } from "../../../support/seed.ts";
import { waitLonger } from "../../../support/wait-longer.ts";
import { useWorld } from "../../../support/use-api.ts";
import { testLog } from "../../../support/world.ts";

type ProcessDoc = { _id: string; projectedTo: Date; note: number; seenAt: Date; passes: number };

const HOUR_MS = 3_600_000;

const world = await useWorld();

/**
 * A process whose projections never arrive. `die` leaves it as it is, as kill -9 would: it records nothing any more,
 * also not between two steps of a test.
 */
function startLost(processId: string, clock: Clock = systemClock): Ledger & { die(): Promise<void> } {
  const store: LedgerStore = { ...makeLedgerStore(world.database), project: () => new Promise(() => {}) };
  const parts = partsOf(clock);
  let [isDead, noted] = [false, Promise.resolve(0)];
  const note: typeof parts.processes.note = (...of) =>
    isDead ? new Promise(() => {}) : (noted = parts.processes.note(...of));
  const ledger = makeLedger({ ...parts, processes: { ...parts.processes, note }, store, processId });
  const die = async (): Promise<void> => {
    isDead = true;
    await noted;
  };
  return { ...ledger, die };
}

function partsOf(clock: Clock) {
  return {
    epochs: makeEpochStore(world.database),
    processes: makeProcessStore(world.database),
    lock: noLock,
    rules: makeClanRules({ store: world.clans, clock }),
    clock,
    random: chanceOf(seedOfRun()).next,
    meter: makeCounters(),
    log: testLog,
  };
}

async function applyTo(ledger: Ledger, members: readonly MemberRef[]): Promise<void> {
  const apply = async (member: MemberRef): Promise<void> => {
    const award = { ...member, amount: 5n, key: callerAwardKey("k"), fingerprint: "f", apiKeyId: "key" };
    expect(await ledger.submit(award, 10_000)).toMatchObject({ kind: "applied" });
  };
  await Promise.all(members.map(apply));
}

const membersOf = (clanId: string, count: number): MemberRef[] =>
  Array.from({ length: count }, (_, index) => ({ clanId, platformId: `m${index}` }));

const processes = () => world.database.db().collection<ProcessDoc>("processes");
const entries = () => world.database.db().collection<EntryDoc>("ledger");
const agedBy = (ms: number) => new Date(Date.now() - ms - 1_000);

type Recovering = Parameters<typeof makeRecoverProjections>[0];

function recover(changes: Partial<Recovering> = {}): Promise<number> {
  return makeRecoverProjections({
    processes: makeProcessStore(world.database),
    workerId: "worker",
    store: makeLedgerStore(world.database),
    epochs: makeEpochStore(world.database),
    clans: world.clans,
    reader: makeLedgerReader(world.database),
    clock: systemClock,
    log: testLog,
    ...changes,
  })();
}

async function listed(clanId: string): Promise<number> {
  const { items } = await world.members.list(clanId, { sort: "xp", limit: 1_000, after: null });
  return items.filter(({ xp }) => xp === 5n).length;
}

describe("a process that crashed with unprojected heads", () => {
  test("is ignored while it may be running, and then all of its entries are projected", async () => {
    const { clan } = await world.makeClan();
    const ledger = startLost("lost");
    await applyTo(ledger, membersOf(clan.clanId, 600));
    await recover();
    expect(await listed(clan.clanId)).toBe(0);

    await ledger.die();
    await processes().updateOne({ _id: "lost" }, { $set: { seenAt: agedBy(PROCESS_SILENCE_MS) } });
    expect(await recover()).toBe(1);
    expect(await listed(clan.clanId)).toBe(600);
    expect(await recover()).toBe(0);
  });

  test("is checked once more later for inserts that MongoDB executed late, and then its record is deleted", async () => {
    const { clan } = await world.makeClan();
    const late = membersOf(clan.clanId, 2);
    const ledger = startLost("late");
    await applyTo(ledger, late.slice(0, 1));
    await ledger.die();
    await processes().updateOne({ _id: "late" }, { $set: { seenAt: agedBy(PROCESS_SILENCE_MS) } });
    await recover();
    await applyTo(ledger, late.slice(1));
    expect(await listed(clan.clanId)).toBe(1);

    await processes().updateOne({ _id: "late" }, { $set: { seenAt: agedBy(PROCESS_EXPIRY_MS) } });
    await recover();
    expect(await listed(clan.clanId)).toBe(2);
    expect(await processes().findOne({ _id: "late" })).toBeNull();
  });

  test("is recovered by one worker, and by another one if that crashes", async () => {
    const { clan } = await world.makeClan();
    const lost = startLost("shared");
    await applyTo(lost, membersOf(clan.clanId, 3));
    await lost.die();
    await processes().updateOne({ _id: "shared" }, { $set: { seenAt: agedBy(PROCESS_SILENCE_MS) } });

    const ledger = makeLedgerReader(world.database);
    const [crashed, reads] = [Promise.withResolvers<void>(), [] as string[]];
    const readBy = (name: string, ended?: Promise<void>): Recovering["reader"] => ({
      async *listChanged(clanIds, since) {
        reads.push(name);
        await ended;
        yield* ledger.listChanged(clanIds, since);
      },
    });
    const store = makeProcessStore(world.database);
    const first = recover({
      workerId: "first",
      reader: readBy("first", crashed.promise),
      processes: { ...store, renewClaim: async () => true },
    });
    await until(async () => reads.length === 1);
    const second = { workerId: "second", reader: readBy("second") };
    expect([await recover(second), await listed(clan.clanId)]).toStrictEqual([0, 0]);
    expect(reads).toStrictEqual(["first"]);

    await processes().updateOne({ _id: "shared" }, { $set: { "claim.at": agedBy(PROCESS_CLAIM_MS) } });
    expect([await recover(second), await listed(clan.clanId)]).toStrictEqual([1, 3]);
    expect(reads).toStrictEqual(["first", "second"]);
    // It was only paused: what it does late changes nothing.
    const record = await processes().findOne({ _id: "shared" });
    crashed.resolve();
    expect(await first).toBe(1);
    expect(await processes().findOne({ _id: "shared" })).toStrictEqual(record);
  });

  test("that records something again loses its claim, and nothing else changes", async () => {
    const store = makeProcessStore(world.database);
    await store.note("paused", { projectedTo: new Date(1_000), number: 1 });
    await processes().updateOne({ _id: "paused" }, { $set: { seenAt: agedBy(PROCESS_SILENCE_MS) } });
    const due = { silentMs: PROCESS_SILENCE_MS, passes: 0 };
    const claim = await store.claimSilent(due, { by: "worker", forMs: PROCESS_CLAIM_MS });
    if (claim?.processId !== "paused") throw new Error("not claimed");
    expect(await store.renewClaim(claim)).toBe(true);
    await store.note("paused", { projectedTo: new Date(2_000), number: 2 });
    const record = await processes().findOne({ _id: "paused" });
    expect(await store.renewClaim(claim)).toBe(false);
    await store.endClaim(claim, { last: false });
    await store.endClaim(claim, { last: true });
    expect(record).toMatchObject({ projectedTo: new Date(2_000), passes: 0 });
    expect(await processes().findOne({ _id: "paused" })).toStrictEqual(record);
  });

  test("loses nothing although its clock was set forward or back, and dates its entries by it at once", async () => {
    const jumps = { back: [0, -HOUR_MS], ahead: [HOUR_MS, 0], behind: [-HOUR_MS, 0] };
    async function applyWhileItJumps([name, offsets]: [string, number[]]): Promise<() => Promise<void>> {
      const { clan } = await world.makeClan();
      let offsetMs = 0;
      const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + offsetMs) };
      const ledger = startLost(name, clock);
      const members = membersOf(clan.clanId, offsets.length);
      // Nothing is ever projected, so no entry may be older than the record.
      const expectFound = async (): Promise<void> => {
        const [oldest] = await entries().find({ "_id.clanId": clan.clanId }).sort({ at: 1 }).limit(1).toArray();
        const record = await processes().findOne({ _id: name });
        expect([name, (record?.projectedTo ?? 0) <= (oldest?.at ?? 0)]).toStrictEqual([name, true]);
      };
      for (const [index, ms] of offsets.entries()) {
        offsetMs = ms;
        await applyTo(ledger, members.slice(index, index + 1));
        const [entry] = await entries().find({ "_id.clanId": clan.clanId }).sort({ $natural: -1 }).limit(1).toArray();
        expect(Math.abs((entry?.at.getTime() ?? 0) - Date.now() - ms)).toBeLessThan(60_000);
        await expectFound();
      }
      offsetMs = 0;
      const { note: last = 0 } = (await processes().findOne({ _id: name })) ?? {};
      await until(async () => ((await processes().findOne({ _id: name }))?.note ?? 0) > last);
      await ledger.die();
      await expectFound();
      await processes().updateOne({ _id: name }, { $set: { seenAt: agedBy(PROCESS_SILENCE_MS) } });
      return async () => expect([name, await listed(clan.clanId)]).toStrictEqual([name, members.length]);
    }
    const checks = await Promise.all(Object.entries(jumps).map(applyWhileItJumps));
    await recover();
    for (const check of checks) await check();
  });

  test("is projected from the last time that it recorded, although MongoDB executed an earlier record late", async () => {
    const store = makeProcessStore(world.database);
    const [earlier, later] = [new Date(3_000), new Date(1_000)];
    await store.note("fenced", { projectedTo: earlier, number: 1 });
    await store.note("fenced", { projectedTo: later, number: 3 });
    await store.note("fenced", { projectedTo: earlier, number: 2 });
    expect(await processes().findOne({ _id: "fenced" })).toMatchObject({ projectedTo: later, note: 3 });
  });
});

test("a process that exits with everything projected leaves no record", async () => {
  const { clan } = await world.makeClan();
  const ledger = makeLedger({
    ...partsOf(systemClock),
    store: makeLedgerStore(world.database),
    processId: "ended",
  });
  await applyTo(ledger, membersOf(clan.clanId, 3));
  expect(await processes().findOne({ _id: "ended" })).not.toBeNull();
  // After that time, it would leave the rest and its record to others.
  waitLonger(PROJECTION_CLOSE_MS);
  await ledger.close();
  expect(await processes().findOne({ _id: "ended" })).toBeNull();
  expect(await listed(clan.clanId)).toBe(3);
});
