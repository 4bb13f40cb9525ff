// Awards found for corrections: every one once, in bounded steps, from an index.
import { describe, expect, test } from "vitest";
import type { Entry } from "#domain/entry.ts";
import { CANCELLATION } from "#domain/award-key.ts";
import { makeSelectAwards } from "#reversals/select-awards.ts";
import { makeAwardSelection } from "#reversals/store/award-selection.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { SELECTION_START, type Position, type Selection } from "#domain/reversal.ts";
import type { EntryRef } from "#reversals/ports.ts";
import { makeEntry } from "../../../support/entry.ts";
import { examinedIn, profiled } from "../../../support/profiled.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();

const PER_STEP = 10;
const START_MS = Date.parse("2026-11-22T12:00:00Z");
const at = (ms: number): Date => new Date(START_MS + ms);

/** Commits entries of members `m0`, `m1`, …; those of a member are numbered in the order given. */
async function commit(clanId: string, changes: readonly Partial<Entry>[]): Promise<void> {
  const seqs = new Map<string, number>();
  const entries = changes.map((change, index) => {
    const platformId = change.platformId ?? "m0";
    const seq = (seqs.get(platformId) ?? 0) + 1;
    seqs.set(platformId, seq);
    return makeEntry({ clanId, key: `=${index}`, ...change, platformId, seq });
  });
  expect(await makeLedgerStore(world.database).commit(entries)).toStrictEqual({ kind: "committed" });
}

/** Every read of a selection by its size, and the names of the awards as `member/seq`. */
async function selectAll(selection: Selection, entriesMax?: number): Promise<{ names: string[]; steps: number[] }> {
  const store = makeAwardSelection(world.database, PER_STEP);
  const [names, steps]: [string[], number[]] = [[], []];
  let after: EntryRef | undefined;
  for (let position: Position | null = SELECTION_START; position !== null;) {
    const step: Awaited<ReturnType<typeof store.read>> = await store.read(selection, position, { entriesMax, after });
    names.push(...step.awards.map(({ platformId, seq }) => `${platformId}/${seq}`));
    steps.push(step.awards.length);
    after = step.after;
    if (!after) position = step.next;
  }
  return { names, steps };
}

describe("the steps of a selection", () => {
  test("contain every award once and have a bounded size, also if more awards share a millisecond", async () => {
    // 3 together, then 25 together, then one per millisecond.
    const times = [
      ...Array(3).fill(0),
      ...Array(25).fill(1),
      ...Array.from({ length: 30 }, (_, index) => 2 + index),
    ] as number[];
    await commit(
      "ties",
      times.map((ms, index) => ({ at: at(ms), platformId: `m${index % 4}` })),
    );
    const span = { clanId: "ties", from: at(0), until: at(1_000) };
    for (const entriesMax of [undefined, PER_STEP + 1, 4]) {
      const { names, steps } = await selectAll({ kind: "key", keyId: "a", ...span }, entriesMax);
      expect(names).toHaveLength(times.length);
      expect(new Set(names).size).toBe(times.length);
      expect(Math.max(...steps)).toBeLessThanOrEqual(Math.min(entriesMax ?? PER_STEP, PER_STEP));
    }
    const member = await selectAll({ kind: "member", clanId: "ties", platformId: "m1", from: at(0), until: at(1_000) });
    expect(member.names).toStrictEqual(
      Array.from({ length: 15 }, (_, index) => `m1/${15 - index}`).slice(15 - member.names.length),
    );
    expect(member.names).toHaveLength(15);
  });

  test("keep to the time span, which includes from and excludes until", async () => {
    await commit(
      "span",
      [0, 1, 2, 3].map((ms) => ({ at: at(ms), source: { matchId: "x" } })),
    );
    for (const kind of ["key", "match", "member"] as const) {
      const span = { clanId: "span", from: at(1), until: at(3) };
      const { names } = await selectAll({ kind, ...span, keyId: "a", matchId: "x", platformId: "m0" });
      expect(names).toStrictEqual(["m0/3", "m0/2"]);
    }
  });

  test("contain only awards, also of version 0.1.0, and no entry of another kind or of a cancelled award", async () => {
    const { memberSince: _, ...old } = makeEntry({ batchId: "bat_1", at: at(3), clanId: "kinds" });
    const batchId = "bat_1";
    await commit("kinds", [
      { batchId, at: at(0) },
      { kind: "reversal", at: at(1) },
      { kind: "membership", at: at(1) },
      { kind: "appointment", at: at(1) },
      { batchId, fingerprint: CANCELLATION, at: at(2) },
      { fingerprint: CANCELLATION, at: at(2) },
    ]);
    expect(await makeLedgerStore(world.database).commit([{ ...old, platformId: "m1", seq: 1 }])).toStrictEqual({
      kind: "committed",
    });
    const span = { clanId: "kinds", from: at(0), until: at(9) };
    expect((await selectAll({ kind: "key", keyId: "a", ...span })).names.toSorted()).toStrictEqual([
      "m0/1",
      "m0/6",
      "m1/1",
    ]);
    expect((await selectAll({ kind: "batch", clanId: "kinds", batchId })).names.toSorted()).toStrictEqual([
      "m0/1",
      "m1/1",
    ]);
    expect((await selectAll({ kind: "batch", clanId: "other", batchId })).names).toStrictEqual([]);
    for (const [seq, names] of [
      [1, ["m0/1"]],
      [2, []],
      [7, []],
      [0, []],
    ] as const) {
      expect((await selectAll({ kind: "award", clanId: "kinds", platformId: "m0", seq })).names).toStrictEqual(names);
    }
  });
});

test("the steps of a selection never scan the collection, and read only their entries and the matches among them", async () => {
  await commit(
    "many",
    Array.from({ length: 200 }, (_, index) => ({
      at: at(index),
      platformId: `m${index % 5}`,
      batchId: `bat_m${index % 40}`,
    })),
  );
  const store = makeAwardSelection(world.database, PER_STEP);
  const span = { clanId: "many", from: at(0), until: at(190) };
  const selections: Selection[] = [
    { kind: "award", clanId: "many", platformId: "m0", seq: 3 },
    { kind: "batch", clanId: "many", batchId: "bat_m7" },
    { kind: "key", keyId: "nobody", ...span },
    { kind: "match", matchId: "nothing", ...span },
    { kind: "member", platformId: "m0", ...span },
    { kind: "member", platformId: "m0", ...span, byTime: true },
  ];
  const commands = await profiled(world, "ledger", async () => {
    for (const selection of selections) await store.read(selection, SELECTION_START);
    await store.newestAt("many");
    await store.newestSeq({ clanId: "many", platformId: "m0" });
    await store.hasFewer(span, PER_STEP);
  });
  expect(commands).toHaveLength(12);
  for (const command of commands) {
    expect(command.planSummary).toMatch(/^IXSCAN|^IDHACK/);
    expect(command.docsExamined).toBeLessThanOrEqual(PER_STEP);
    expect(command.keysExamined).toBeLessThanOrEqual(PER_STEP + 2);
  }
});

test("the steps of a selection read a member's awards from the clan's entries if those are fewer", async () => {
  const times = Array.from({ length: 300 }, (_, index) => ({ at: at(index), platformId: index < 295 ? "m0" : "m1" }));
  // By a clock that is ahead, in the middle of the member's entries.
  times[5] = { at: at(292), platformId: "m0" };
  await commit("long", times);
  const selection = makeAwardSelection(world.database, PER_STEP);
  const selectAwards = makeSelectAwards({
    selection,
    clock: { now: () => at(1_000), monotonicMs: () => 0, agingMs: () => 0 },
  });
  const examined = async (since: number): Promise<{ names: string[]; documents: number }> => {
    const names: string[] = [];
    const commands = await profiled(world, "ledger", async () => {
      const selected = await selectAwards("long", { platformId: "m0", from: at(since).toISOString() });
      names.push(...(await selectAll(selected)).names);
    });
    expect(commands.map(({ planSummary }) => planSummary)).not.toContain("COLLSCAN");
    return { names, documents: examinedIn(commands) };
  };
  const late = await examined(290);
  expect(late.names.toSorted()).toStrictEqual(["m0/291", "m0/292", "m0/293", "m0/294", "m0/295", "m0/6"]);
  // One more entry says where the member's end.
  expect(late.documents).toBeLessThanOrEqual(11 + 1);
  const all = await examined(0);
  expect([all.names.length, new Set(all.names).size]).toStrictEqual([295, 295]);
  expect(all.documents).toBeLessThanOrEqual(295 + 1);
});
