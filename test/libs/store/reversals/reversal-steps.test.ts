// The steps of a reversal's record: each is added once, by the attempt that began it last.
import { afterAll, beforeAll, expect, test } from "vitest";
import { SELECTION_START, type Reversal } from "#domain/reversal.ts";
import { makeReversalStore } from "#store/reversals/reversal-store.ts";
import { makeWorld, type World } from "../../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const now = new Date();
const accepted: Reversal = {
  reversalId: "rev_1",
  clanId: "c",
  apiKeyId: "k",
  actor: null,
  idempotencyKey: null,
  fingerprint: "",
  by: { matchId: "m" },
  reason: null,
  selection: { kind: "match", clanId: "c", matchId: "m", from: new Date(0), until: now },
  state: "queued",
  position: SELECTION_START,
  attempt: 0,
  selected: 0,
  reversed: 0,
  skipped: 0,
  amount: 0n,
  createdAt: now,
  startedAt: null,
  finishedAt: null,
};
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
