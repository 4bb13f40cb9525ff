// Counts of random spans against the ledger, in parts of few entries.
import { expect, test } from "vitest";
import { pause } from "#async/pause.ts";
import { awardIdOf } from "#contract/award-id.ts";
import { callerAwardKey, reversalKey } from "#domain/award-key.ts";
import { memberIdOf, type MemberRef } from "#domain/member-id.ts";
import { systemClock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import { makeGainClaims } from "#gains/store/gain-claims.ts";
import { makeGainCounts, newCountId } from "#gains/store/gain-counts.ts";
import { makeReadSnapshot } from "#gains/store/gain-snapshots.ts";
import { docOfEntry, type EntryDoc } from "#ledger/store/entry-model.ts";
import type { MemberDoc } from "#ledger/store/member-model.ts";
import { makeMemberStore } from "#members/store/member-store.ts";
import { makeCountGains } from "#gains/count-gains.ts";
import { makeCountInTurn } from "#gains/count-in-turn.ts";
import { makeGatherGains, type GatherGains } from "#gains/gather-gains.ts";
import { makeReadGains, type GainsPosition, type ReadGains } from "#gains/read-gains.ts";
import type { GainCount, GainRow, GainSpan } from "#gains/ports.ts";
import { makeRemoveMember } from "#members/remove-member.ts";
import { openLedger } from "../../../apps/cli/open/ledger.ts";
import { makeStores } from "../../../apps/cli/open/stores.ts";
import { testActor } from "../../support/actor.ts";
import { chanceOf, type Chance } from "../../support/chance.ts";
import { patientCliOn } from "../../support/cli.ts";
import { makeEntry } from "../../support/entry.ts";
import { expectedGains, exportClan, type Exported } from "../../support/exported-gains.ts";
import { HISTORY, makeHistory } from "../../support/gained-history.ts";
import { seedOfRun } from "../../support/seed.ts";
import { useWorld } from "../../support/use-api.ts";
import { testLog } from "../../support/world.ts";

const world = await useWorld();

function openGains(limits: { entriesTogether?: number; entriesMax?: number }): ReadGains {
  const { database } = world;
  const common = { counts: makeGainCounts(database), newId: newCountId, clock: systemClock, log: testLog };
  const isThrottled = async () => false;
  const readSnapshot = makeReadSnapshot(database);
  const [gather, members] = [makeGatherGains(limits), makeMemberStore(database)];
  const countGains = makeCountGains({ ...common, isThrottled, gather, readSnapshot, members });
  const countInTurn = makeCountInTurn({ ...common, claims: makeGainClaims(database), countGains });
  return makeReadGains({ ...common, countInTurn });
}

async function countOf(gains: ReadGains, clanId: string, span: GainSpan): Promise<GainCount> {
  for (;;) {
    const count = await gains.count(clanId, span);
    if (count) return count;
  }
}

const shown = ({ xp, membership, firstAwardAt, lastAwardAt, ...row }: GainRow) => ({
  ...row,
  xp: xp.toString(),
  membership: membership && { since: membership.since.toISOString() },
  firstAwardAt: firstAwardAt.toISOString(),
  lastAwardAt: lastAwardAt.toISOString(),
});

/** Clans whose history has everything that gains must distinguish, and of which a member was erased. */
async function makeClans(chance: Chance, count: number): Promise<{ clanId: string; exported: Exported }[]> {
  const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  const clans = Array.from({ length: count }, async () => {
    const { clanId } = (await world.makeClan()).clan;
    await makeHistory(world, clanId, chance, 14);
    expect((await cli.json("member", "erase", clanId, "m3", "--yes")).exitCode).toBe(0);
    return { clanId, exported: await exportClan(world, clanId) };
  });
  const made = await Promise.all(clans);
  const entries = made.flatMap(({ exported }) => exported.entries);
  for (const kind of ["award", "reversal", "membership", "reset"])
    expect(entries.filter((entry) => entry.kind === kind).length).toBeGreaterThan(10);
  for (const limit of ["floor", "cap", "day"]) expect(entries.some(({ limitedBy }) => limitedBy === limit)).toBe(true);
  for (const column of ["boostId", "actor", "batchId"] as const)
    expect(entries.some((entry) => entry[column] !== null)).toBe(true);
  return made;
}

test("200 random spans have exactly what the exported ledger says, whatever its writers' clocks, from either end", async () => {
  const chance = chanceOf(seedOfRun());
  const HOUR_MS = 3_600_000;
  const spanOf = (): GainSpan => {
    const fromMs = Math.floor(chance.int(HISTORY.from - HOUR_MS, HISTORY.to) / HOUR_MS) * HOUR_MS;
    return { from: new Date(fromMs), to: new Date(chance.int(fromMs + 1, HISTORY.to + HOUR_MS)) };
  };
  // Of two processes, which read the pages in turn.
  const processes = [openGains({ entriesTogether: 37 }), openGains({ entriesTogether: 1_000 })];
  async function listed(count: GainCount, order: "most" | "least"): Promise<unknown[]> {
    const rows: GainRow[] = [];
    let after: GainsPosition | null = null;
    for (let page = 0; page === 0 || after; page += 1) {
      const gains = processes[page % processes.length] as ReadGains;
      const again: GainCount | null = after && (await gains.count(count.clanId, count, after));
      const { items, next } = await gains.list(again ?? count, order, { kind: "page", limit: 5, after });
      rows.push(...items);
      after = next;
    }
    return rows.map(shown);
  }
  await Promise.all(
    (await makeClans(chance, 4)).map(async ({ clanId, exported }) => {
      for (let drawn = 0; drawn < 50; drawn += 1) {
        const span = spanOf();
        const expected = expectedGains(exported, span.from, span.to);
        const count = await countOf(processes[drawn % processes.length] as ReadGains, clanId, span);
        expect(await listed(count, "most")).toStrictEqual(expected);
        expect(await listed(count, "least")).toStrictEqual(expected.toReversed());
        const awards = expected.reduce((sum, one) => sum + one.awards, 0);
        const xp = expected.reduce((sum, one) => sum + BigInt(one.xp), 0n);
        expect(count.totals).toStrictEqual({ members: expected.length, awards, xp });
      }
    }),
  );
}, 240_000);

test("a removal that was just acknowledged is in the count, although no process has projected it", async () => {
  const { clanId } = (await world.makeClan()).clan;
  const members = ["a", "b"].map((platformId) => ({ clanId, platformId }));
  const [a, b] = members as [MemberRef, MemberRef];
  for (const member of members) await world.members.join(member, new Date(), null);
  const { committer, store, close } = openLedger({ ...makeStores(world.database), clock: systemClock });
  const amount = { key: callerAwardKey("1"), fingerprint: "", apiKeyId: "a", amount: 5n };
  for (const member of members) await committer.submit({ ...member, ...amount }, 60_000);
  const removeMember = makeRemoveMember({ clans: world.clans, ids: makeIds(systemClock), store, committer });
  expect(await removeMember(a, testActor)).toMatchObject({ kind: "removed" });
  const gains = openGains({});
  const count = await countOf(gains, clanId, { from: new Date(0), to: new Date(Date.now() + 60_000) });
  const documents = world.database.db().collection<MemberDoc>("members");
  expect(await documents.findOne({ _id: memberIdOf(a) })).toMatchObject({ membership: { since: expect.any(Date) } });
  const { items } = await gains.list(count, "most", { kind: "named", platformIds: ["a", "b"] });
  expect(items).toMatchObject([
    { platformId: a.platformId, membership: null },
    { platformId: b.platformId, membership: { since: expect.any(Date) } },
  ]);
  await close();
});

test("a count that its rests would make too slow for its snapshot rests less, also while awards are served", async () => {
  const { database } = world;
  let nowMs = 0;
  const work = async (): Promise<void> => void (nowMs += 100);
  const restsLong: boolean[] = [];
  const gather: GatherGains = async (_snapshot, { step, onProgress }) => {
    // By now it should have read so much.
    for (const [atMs, done] of [
      [0, 0],
      [100_000, 0.5],
      [100_000, 0.1],
      [1_000_000, 1],
    ] as const) {
      nowMs = atMs;
      onProgress(done);
      const rested = step(work).then(() => false);
      restsLong.push(await Promise.race([rested, pause(250).then(() => true)]));
      await rested;
    }
    return new Map();
  };
  const countGains = makeCountGains({
    counts: makeGainCounts(database),
    newId: newCountId,
    clock: { agingMs: () => nowMs },
    log: testLog,
    isThrottled: async () => true,
    readSnapshot: makeReadSnapshot(database),
    members: makeMemberStore(database),
    gather,
  });
  const { clanId } = (await world.makeClan()).clan;
  await countGains(clanId, { from: new Date(0), to: new Date(1) });
  expect(restsLong).toStrictEqual([true, true, false, false]);
});

test("sums beyond 64 bits are exact, entries of one millisecond are counted once, and too many entries are rejected", async () => {
  const { clanId } = (await world.makeClan()).clan;
  const at = new Date("2026-03-01T00:00:00Z");
  const most = 9_223_372_036_854_775_807n;
  const award = (seq: number) =>
    makeEntry({ clanId, seq, at, key: callerAwardKey(String(seq)), amount: most, applied: most, xp: most });
  const awards = Array.from({ length: 12 }, (_, index) => award(index + 1));
  const [first] = awards as [ReturnType<typeof award>];
  const reversal = makeEntry({
    clanId,
    seq: 13,
    at,
    kind: "reversal",
    key: reversalKey(awardIdOf(first)),
    reversesSeq: 1,
    amount: -most,
    applied: -most,
    xp: 0n,
  });
  await world.database
    .db()
    .collection<EntryDoc>("ledger")
    .insertMany([...awards, reversal].map(docOfEntry));
  const span = { from: new Date(at.getTime() - 1), to: new Date(at.getTime() + 1) };
  const count = await countOf(openGains({ entriesTogether: 5 }), clanId, span);
  expect(count.totals).toStrictEqual({ members: 1, awards: 12, xp: 11n * most });
  const { items } = await openGains({}).list(count, "most", { kind: "named", platformIds: ["p"] });
  expect(items).toMatchObject([{ xp: 11n * most, awards: 12, firstAwardAt: at, lastAwardAt: at }]);
  const other = { ...span, to: new Date(at.getTime() + 2) };
  await expect(countOf(openGains({ entriesTogether: 5, entriesMax: 10 }), clanId, other)).rejects.toMatchObject({
    code: "invalid_request",
    message: "The span has more than 20,000,000 ledger entries. Ask for a shorter one.",
  });
});
