// What each member loses in a reset: exact about its time, whatever else is in the chain, in bounded steps.
import { describe, expect, test } from "vitest";
import { resetKey, reversalKey } from "#domain/award-key.ts";
import type { Entry } from "#domain/entry.ts";
import { headAfter, NEW_HEAD } from "#domain/head.ts";
import { memberIdOf } from "#domain/member-id.ts";
import { lossOf } from "#domain/reset.ts";
import { FIRST_MEMBER, type Position } from "#domain/reversal.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { makeAwardSelection } from "#reversals/store/award-selection.ts";
import { chanceOf } from "../../../support/chance.ts";
import { makeEntry } from "../../../support/entry.ts";
import { seedOfRun } from "../../../support/seed.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();

const PER_STEP = 20;
const AT = new Date("2026-11-22T12:00:00.000Z");
const after = (ms: number): Date => new Date(AT.getTime() + ms);
const MINUTE_MS = 60_000;

type Change = Partial<Entry> & { applied: bigint };

/** The chain of a member, with its projected document. */
async function play(clanId: string, platformId: string, changes: readonly Change[]): Promise<void> {
  const store = makeLedgerStore(world.database);
  let xp = 0n;
  const entries = changes.map((change, index) => {
    xp += change.applied;
    return makeEntry({ clanId, platformId, seq: index + 1, key: `=${index}`, amount: change.applied, xp, ...change });
  });
  expect(await store.commit(entries)).toStrictEqual({ kind: "committed" });
  const last = entries.at(-1);
  if (last) await store.project(new Map([[memberIdOf(last), headAfter(last) ?? NEW_HEAD]]));
}

/** By member; and the number of steps. */
async function losses(clanId: string, { keepPercent = 0, resetId = "rst_own" } = {}) {
  const { read } = makeAwardSelection(world.database, PER_STEP);
  const found: Record<string, bigint> = {};
  let steps = 0;
  for (let position: Position | null = FIRST_MEMBER; position !== null; steps += 1) {
    const step: Awaited<ReturnType<typeof read>> = await read(
      { kind: "xp", clanId, resetId, at: AT, keepPercent },
      position,
    );
    for (const { platformId, applied } of step.awards) {
      expect(found).not.toHaveProperty([platformId]);
      found[platformId] = applied;
    }
    position = step.next;
  }
  return { found, steps };
}

describe("a member loses", () => {
  test("what they had at the time: an entry exactly at it was had, one a millisecond later was not", async () => {
    await play("exact", "at", [{ applied: 5n, at: AT }]);
    await play("exact", "later", [{ applied: 5n, at: after(1) }]);
    await play("exact", "both", [
      { applied: 7n, at: after(-1) },
      { applied: 100n, at: after(1) },
    ]);
    expect((await losses("exact")).found).toStrictEqual({ at: 5n, both: 7n });
  });

  test("what entries dated until then applied, although clocks differ by minutes and the chain is not in that order", async () => {
    const times = [-20, 3, -4, 4, -3, 5, -5].map((minutes) => after(minutes * MINUTE_MS));
    await play(
      "disorder",
      "m",
      times.map((at, index) => ({ applied: BigInt(10 ** index), at })),
    );
    expect((await losses("disorder")).found).toStrictEqual({ m: 1_010_101n });
  });

  test("a share, rounded in the clan's favor; nothing if they keep all, or had nothing or less", async () => {
    await play("share", "a", [{ applied: 105n, at: AT }]);
    await play("share", "b", [{ applied: 1n, at: AT }]);
    await play("share", "c", [{ applied: 0n, at: AT }]);
    await play("share", "d", [{ applied: -50n, at: AT }]);
    expect((await losses("share", { keepPercent: 50 })).found).toStrictEqual({ a: 53n, b: 1n });
    expect((await losses("share", { keepPercent: 100 })).found).toStrictEqual({});
    expect(lossOf(9_223_372_036_854_775_807n, 1)).toBe(9_131_138_316_486_228_049n);
  });

  test("no more than is left after reversals and resets since, which count at the time of what they correct", async () => {
    const kind = "reversal" as const;
    const reset = { kind: "reset", key: resetKey("rst_other") } as const;
    // The award from before the time is reversed, the one after it is not.
    await play("since", "a", [
      { applied: 100n, at: AT },
      { applied: 50n, at: after(1) },
      { applied: -100n, at: after(2), kind, key: reversalKey("x"), reversesSeq: 1 },
    ]);
    // The other way round.
    await play("since", "b", [
      { applied: 100n, at: AT },
      { applied: 50n, at: after(1) },
      { applied: -50n, at: after(2), kind, key: reversalKey("x"), reversesSeq: 2 },
    ]);
    await play("since", "c", [
      { applied: 100n, at: AT },
      { applied: -100n, at: after(2), ...reset },
      { applied: 30n, at: after(3) },
    ]);
    // A reset that was undone.
    await play("since", "d", [
      { applied: 100n, at: AT },
      { applied: -60n, at: after(2), ...reset },
      { applied: 60n, at: after(3), kind, key: reversalKey("x"), reversesSeq: 2 },
    ]);
    expect((await losses("since")).found).toStrictEqual({ b: 100n, d: 100n });
  });

  test("the same in every run of the reset, whatever it has already taken", async () => {
    await play("again", "a", [
      { applied: 100n, at: AT },
      { applied: 30n, at: after(1) },
      { applied: -100n, at: after(2), kind: "reset", key: resetKey("rst_own") },
    ]);
    expect((await losses("again")).found).toStrictEqual({ a: 100n });
  });
});

test("members are read once each in bounded steps, however many entries they have since the time", async () => {
  const chance = chanceOf(seedOfRun());
  const expected: Record<string, bigint> = {};
  for (let index = 0; index < 3 * PER_STEP; index += 1) {
    const platformId = `m${index}`;
    const had = chance.int(0, 3);
    const later = index % 7 === 0 ? 10 * PER_STEP : chance.int(0, 3);
    await play("many", platformId, [
      ...Array.from({ length: had }, () => ({ applied: 10n, at: after(-chance.int(0, 30 * MINUTE_MS)) })),
      ...Array.from({ length: later }, () => ({ applied: 1n, at: after(chance.int(1, MINUTE_MS)) })),
      { applied: 0n, at: after(MINUTE_MS) },
    ]);
    if (had > 0) expected[platformId] = BigInt(10 * had);
  }
  const { found, steps } = await losses("many");
  expect(found).toStrictEqual(Object.fromEntries(Object.entries(expected).toSorted(([a], [b]) => (a < b ? -1 : 1))));
  // A step ends early behind a member with many entries.
  expect(steps).toBeGreaterThan(4);
});

test("its reversal selects what it has taken, of each member once", async () => {
  const reset = { kind: "reset", key: resetKey("rst_1"), at: AT } as const;
  for (let index = 0; index < 2 * PER_STEP; index += 1)
    await play("undo", `m${index}`, [
      { applied: 10n, at: AT },
      { applied: index % 2 === 0 ? -10n : 0n, ...reset },
    ]);
  const { read } = makeAwardSelection(world.database, PER_STEP);
  const found: unknown[] = [];
  for (let position: Position | null = FIRST_MEMBER; position !== null;) {
    const step: Awaited<ReturnType<typeof read>> = await read(
      { kind: "reset", clanId: "undo", resetId: "rst_1" },
      position,
    );
    found.push(...step.awards);
    position = step.next;
  }
  expect(found).toHaveLength(PER_STEP);
  expect(found[0]).toStrictEqual({ platformId: "m0", seq: 2, key: resetKey("rst_1"), applied: -10n });
});
