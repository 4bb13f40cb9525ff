// What a process committed and had not projected when it died is projected by a worker, whenever that looks.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callerAwardKey } from "#domain/award-key.ts";
import { noLock } from "#lock/no-lock.ts";
import { systemClock } from "#runtime/process/clock.ts";
import { makeTally } from "#runtime/metrics/tally.ts";
import type { EntryDoc } from "#store/awards/entry-model.ts";
import { makeAwardStore } from "#store/awards/award-store.ts";
import { makeEpochStore } from "#store/projection/epoch-store.ts";
import { makeLedgerStore } from "#store/awards/ledger-store.ts";
import { makeProcessStore } from "#store/projection/process-store.ts";
import { makeAwardPipeline, type AwardPipeline } from "#usecases/awards/award-pipeline.ts";
import { PROCESS_EXPIRY_MS, PROCESS_SILENCE_MS } from "#usecases/projection/bounds.ts";
import { makeClanRules } from "#usecases/clans/clan-rules.ts";
import type { AwardStore } from "#usecases/awards/ports.ts";
import type { Clock } from "#usecases/ports.ts";
import type { MemberRef } from "#domain/member-id.ts";
import { makeRecoverProjections } from "#usecases/projection/recover-projections.ts";
import { until } from "../../support/until.ts";
import { makeWorld, testLog, type World } from "../../support/world.ts";

type ProcessDoc = { _id: string; projectedTo: Date; note: number; seenAt: Date; passes: number };

const HOUR_MS = 3_600_000;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

/** A process whose projections never arrive; it is left as it is, as kill -9 would leave it. */
function startLost(processId: string, clock: Clock = systemClock): AwardPipeline {
  const store: AwardStore = { ...makeAwardStore(world.database), project: () => new Promise(() => {}) };
  return makeAwardPipeline({ ...partsOf(clock), store, processId });
}

function partsOf(clock: Clock) {
  return {
    epochs: makeEpochStore(world.database),
    processes: makeProcessStore(world.database),
    lock: noLock,
    rules: makeClanRules({ store: world.clans, clock }),
    clock,
    random: Math.random,
    meter: makeTally(),
    log: testLog,
  };
}

async function applyTo(pipeline: AwardPipeline, members: readonly MemberRef[]): Promise<void> {
  const apply = async (member: MemberRef): Promise<void> => {
    const award = { ...member, amount: 5n, key: callerAwardKey("k"), fingerprint: "f", apiKeyId: "key" };
    expect(await pipeline.committer.submit(award, 10_000)).toMatchObject({ kind: "applied" });
  };
  await Promise.all(members.map(apply));
}

const membersOf = (clanId: string, count: number): MemberRef[] =>
  Array.from({ length: count }, (_, index) => ({ clanId, platformId: `m${index}` }));

const processes = () => world.database.db().collection<ProcessDoc>("processes");
const entries = () => world.database.db().collection<EntryDoc>("ledger");
const agedBy = (ms: number) => new Date(Date.now() - ms - 1_000);

function recover(): Promise<number> {
  const parts = {
    processes: makeProcessStore(world.database),
    store: makeAwardStore(world.database),
    epochs: makeEpochStore(world.database),
    clans: world.clans,
  };
  return makeRecoverProjections({
    ...parts,
    ledger: makeLedgerStore(world.database),
    clock: systemClock,
    log: testLog,
  })();
}

async function listed(clanId: string): Promise<number> {
  const { items } = await world.members.list(clanId, { sort: "xp", limit: 1_000, after: null });
  return items.filter(({ xp }) => xp === 5n).length;
}

describe("a process that crashed with unprojected heads", () => {
  test("is ignored while it may be running, and then all of its entries are projected", async () => {
    const { clan } = await world.makeClan();
    await applyTo(startLost("lost"), membersOf(clan.clanId, 600));
    await recover();
    expect(await listed(clan.clanId)).toBe(0);

    await processes().updateOne({ _id: "lost" }, { $set: { seenAt: agedBy(PROCESS_SILENCE_MS) } });
    expect(await recover()).toBe(1);
    expect(await listed(clan.clanId)).toBe(600);
    expect(await recover()).toBe(0);
  });

  test("is checked once more later for inserts that MongoDB executed late, and then its record is deleted", async () => {
    const { clan } = await world.makeClan();
    const late = membersOf(clan.clanId, 2);
    const pipeline = startLost("late");
    await applyTo(pipeline, late.slice(0, 1));
    await processes().updateOne({ _id: "late" }, { $set: { seenAt: agedBy(PROCESS_SILENCE_MS) } });
    await recover();
    await applyTo(pipeline, late.slice(1));
    expect(await listed(clan.clanId)).toBe(1);

    await processes().updateOne({ _id: "late" }, { $set: { seenAt: agedBy(PROCESS_EXPIRY_MS) } });
    await recover();
    expect(await listed(clan.clanId)).toBe(2);
    expect(await processes().findOne({ _id: "late" })).toBeNull();
  });

  test("loses nothing although its clock was set forward or back, and dates its entries by it at once", async () => {
    const jumps = { back: [0, -HOUR_MS], ahead: [HOUR_MS, 0], behind: [-HOUR_MS, 0] };
    async function applyWhileItJumps([name, offsets]: [string, number[]]): Promise<() => Promise<void>> {
      const { clan } = await world.makeClan();
      let offsetMs = 0;
      const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + offsetMs) };
      const pipeline = startLost(name, clock);
      const members = membersOf(clan.clanId, offsets.length);
      // Nothing is ever projected, so no entry may be older than the record.
      const expectFound = async (): Promise<void> => {
        const [oldest] = await entries().find({ "_id.clanId": clan.clanId }).sort({ at: 1 }).limit(1).toArray();
        const record = await processes().findOne({ _id: name });
        expect([name, (record?.projectedTo ?? 0) <= (oldest?.at ?? 0)]).toStrictEqual([name, true]);
      };
      for (const [index, ms] of offsets.entries()) {
        offsetMs = ms;
        await applyTo(pipeline, members.slice(index, index + 1));
        const [entry] = await entries().find({ "_id.clanId": clan.clanId }).sort({ $natural: -1 }).limit(1).toArray();
        expect(Math.abs((entry?.at.getTime() ?? 0) - Date.now() - ms)).toBeLessThan(60_000);
        await expectFound();
      }
      offsetMs = 0;
      const { note: last = 0 } = (await processes().findOne({ _id: name })) ?? {};
      await until(async () => ((await processes().findOne({ _id: name }))?.note ?? 0) > last);
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
  const pipeline = makeAwardPipeline({
    ...partsOf(systemClock),
    store: makeAwardStore(world.database),
    processId: "ended",
  });
  await applyTo(pipeline, membersOf(clan.clanId, 3));
  expect(await processes().findOne({ _id: "ended" })).not.toBeNull();
  await pipeline.close();
  expect(await processes().findOne({ _id: "ended" })).toBeNull();
  expect(await listed(clan.clanId)).toBe(3);
});
