// The steps of a reversal's record: each is added once, by the attempt that began it last.
import { expect, test } from "vitest";
import type { Correction, Reset } from "#domain/reset.ts";
import { FIRST_MEMBER } from "#domain/reversal.ts";
import { makeResetStore } from "#resets/store/reset-store.ts";
import { makeAwardSelection } from "#reversals/store/award-selection.ts";
import { makeReversalStore } from "#reversals/store/reversal-store.ts";
import { makeIsTooEarly } from "#reversals/is-too-early.ts";
import { acceptedReversal } from "../../../support/accepted.ts";
import { testActor } from "../../../support/actor.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();

const now = new Date();
const accepted = acceptedReversal({ createdAt: now });
const counts = { selected: 2, reversed: 1, skipped: 1, amount: 7n };

test("a step is recorded once, only by the newest attempt, also in a record of an older version", async () => {
  const store = makeReversalStore(world.database, 1);
  await store.insert(accepted, null);
  // As older versions stored it.
  await world.database
    .db()
    .collection<{ _id: string }>("reversals")
    .updateOne({ _id: "rev_1" }, { $unset: { attempt: "" } });
  const started = (await store.start("rev_1", now)) ?? accepted;
  const first = (await store.begin(started)) ?? accepted;
  expect(first).toStrictEqual({ ...accepted, state: "running", startedAt: now, attempt: 1 });
  expect(await store.begin(started)).toBeNull();
  const second = (await store.begin((await store.read("rev_1")) ?? accepted)) ?? accepted;
  expect(second).toMatchObject({ attempt: 2 });
  const rejected = { added: false, correction: second };
  expect(await store.advance(first, { ...counts, next: 5 })).toStrictEqual(rejected);

  const next = { ...second, position: 5, selected: 2, reversed: 1, skipped: 1, amount: 7n };
  expect(await store.advance(second, { ...counts, next: 5 })).toStrictEqual({ added: true, correction: next });
  expect(await store.begin(second)).toBeNull();
  expect(await store.advance(second, { ...counts, next: null })).toStrictEqual({ added: false, correction: next });

  // A step without awards needs no attempt.
  const done = {
    ...next,
    selected: 4,
    reversed: 2,
    skipped: 2,
    amount: 14n,
    state: "done",
    finishedAt: expect.any(Date),
  };
  expect(await store.advance(next, { ...counts, next: null })).toStrictEqual({ added: true, correction: done });
  expect(await store.begin(next)).toBeNull();
});

test("of a clan's resets one runs, whichever began: an earlier one whose time comes then waits for it", async () => {
  const store = makeReversalStore(world.database, 1);
  const isTooEarly = makeIsTooEarly({
    reversals: store,
    selection: makeAwardSelection(world.database, 1),
    batches: { read: async () => null },
    hasAllUntil: async () => true,
  });
  const resets = makeResetStore(world.database, 1);
  const { by: _, ...run } = accepted;
  for (const resetId of ["rst_1", "rst_2", "rst_3"]) {
    const selection = { kind: "xp", clanId: "c", resetId, at: now, keepPercent: 0 } as const;
    const state = resetId === "rst_1" ? "scheduled" : "queued";
    const reset: Reset = { ...run, reversalId: resetId, selection, state, position: FIRST_MEMBER };
    await resets.insert(reset, testActor, { max: 10 });
  }
  /** A turn of a worker, up to the first step. */
  async function turn(resetId: string): Promise<Correction | null> {
    const correction = await store.start(resetId, now);
    if (!correction) throw new Error(resetId);
    return (await isTooEarly(correction)) ? null : correction;
  }
  const stateOf = async (resetId: string) => (await resets.read(resetId))?.state;
  // The earlier one of the same time first.
  expect([await turn("rst_3"), await stateOf("rst_3")]).toStrictEqual([null, "queued"]);
  const second = await turn("rst_2");
  // It has read no step yet.
  expect((await resets.queueDue()).map(({ batchId }) => batchId)).toStrictEqual(["rst_1"]);
  expect([await turn("rst_1"), await stateOf("rst_1")]).toStrictEqual([null, "queued"]);
  const begun = second && (await store.begin(second));
  expect(await turn("rst_1")).toBeNull();
  expect(await turn("rst_2")).toStrictEqual(begun);
  if (begun) await store.advance(begun, { ...counts, next: null });
  expect(await turn("rst_1")).toMatchObject({ reversalId: "rst_1", state: "running" });
  expect(await turn("rst_3")).toBeNull();
});
