// Reversals at moments that few simulated histories reach: two workers of which one has read less than the other, and a
// member who is being erased.
import { afterEach, expect, test, vi } from "vitest";
import { awardIdOf } from "#contract/award-id.ts";
import { reversalKey } from "#domain/award-key.ts";
import { makeCounters } from "#telemetry/metrics/counters.ts";
import { ENTRIES_PER_STEP_THROTTLED, REVERSALS_AT_ONCE } from "#reversals/bounds.ts";
import { makeRunReversal, type RunReversal } from "#reversals/run-reversal.ts";
import { acceptedReversal } from "../support/accepted.ts";
import { makeEntry } from "../support/entry.ts";
import { silentLog as log } from "../support/silent-log.ts";
import { makeFakeReversals, type FakeReversals } from "./fake-reversals.ts";
import { makeFakeStore, type FakeStore } from "./fake-store.ts";
import { award, DEADLINE_MS, makeHeldCommitter } from "./held-committer.ts";

const clock = { now: () => new Date(), monotonicMs: () => performance.now(), agingMs: () => performance.now() };
const at = (ms: number): Date => new Date(ms);
afterEach(() => void vi.useRealTimers());

/** Of everything that the key `a` awarded until 100 ms. */
const undo = acceptedReversal({
  by: { keyId: "a", from: at(0).toISOString() },
  selection: { kind: "key", clanId: "c", keyId: "a", from: at(0), until: at(100) },
  createdAt: at(200),
});

type Held = { run: Promise<Awaited<ReturnType<RunReversal>>>; reached: Promise<void>; release: () => void };
const MOMENTS = ["is about to read the awards of a step", "has read them", "is about to record the step"] as const;
type Moment = (typeof MOMENTS)[number];

/** A worker that runs the reversal up to that moment, and continues when it is released. */
function startWorker(store: FakeStore, { records, selection }: FakeReversals, moment: Moment): Held {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function hold(here: Moment): Promise<void> {
    if (here !== moment) return;
    reached.resolve();
    await gate.promise;
  }
  const runReversal = makeRunReversal({
    reversals: {
      ...records,
      async advance(...step) {
        await hold("is about to record the step");
        return records.advance(...step);
      },
    },
    selection: {
      async read(...step) {
        await hold("is about to read the awards of a step");
        const found = await selection.read(...step);
        await hold("has read them");
        return found;
      },
      resetState: selection.resetState,
      isResetBlocked: selection.isResetBlocked,
    },
    batches: { read: async () => null },
    hasAllUntil: async () => true,
    committer: makeHeldCommitter({ store }).committer,
    isThrottled: () => false,
    clock,
    awardIdOf,
    meter: makeCounters(),
    log,
  });
  return { run: runReversal("rev_1"), reached: reached.promise, release: gate.resolve };
}

const ORDERS = [
  { lands: "before", endsFirst: "the first" },
  { lands: "before", endsFirst: "the second" },
  { lands: "after", endsFirst: "the first" },
  { lands: "after", endsFirst: "the second" },
] as const;

test.each(MOMENTS)(
  "the counts of a reversal equal the ledger, even if a second worker and a late insert interfere while one %s",
  async (moment) => {
    for (const order of ORDERS) {
      const store = makeFakeStore();
      const reversals = makeFakeReversals(store);
      const insertLate = () => store.commit([makeEntry({ platformId: "late", at: at(9) })]);
      await store.commit([1, 2, 3].map((seq) => makeEntry({ seq, key: `=${seq}`, xp: BigInt(5 * seq), at: at(10) })));
      await reversals.records.insert(undo, null);
      const first = startWorker(store, reversals, moment);
      await first.reached;
      if (order.lands === "before") await insertLate();
      const second = startWorker(store, reversals, "is about to record the step");
      await second.reached;
      if (order.lands === "after") await insertLate();
      for (const worker of order.endsFirst === "the first" ? [first, second] : [second, first]) {
        worker.release();
        await worker.run;
      }
      const last = startWorker(store, reversals, moment);
      last.release();
      expect(await last.run).toStrictEqual({ kind: "done" });

      const made = store.entries().filter(({ kind }) => kind === "reversal").length;
      expect(made).toBeGreaterThanOrEqual(3);
      const { state, selected, reversed, skipped } = (await reversals.records.read("rev_1")) ?? undo;
      const counts = { state: "done", selected: made, reversed: made, skipped: 0 };
      expect({ order, state, selected, reversed, skipped }).toStrictEqual({ order, ...counts });
    }
  },
);

test("a reversal repeats a large step in smaller ones if single awards become active, and counts its awards once", async () => {
  const awards = 2 * ENTRIES_PER_STEP_THROTTLED + REVERSALS_AT_ONCE;
  const store = makeFakeStore();
  const seqs = Array.from({ length: awards }, (_, index) => index + 1);
  await store.commit(seqs.map((seq) => makeEntry({ seq, key: `=${seq}`, xp: BigInt(5 * seq), at: at(10) })));
  const { records, selection } = makeFakeReversals(store);
  await records.insert(undo, null);
  const { committer } = makeHeldCommitter({ store });
  let isThrottled = false;
  const runReversal = makeRunReversal({
    reversals: records,
    selection: {
      async read(selected, position, { entriesMax: entries = Infinity, after } = {}) {
        let step = await selection.read(selected, position, { after });
        while (step.after && step.awards.length < entries) {
          const more = await selection.read(selected, position, { after: step.after });
          step = { ...more, awards: [...step.awards, ...more.awards] };
        }
        return step;
      },
      resetState: selection.resetState,
      isResetBlocked: selection.isResetBlocked,
    },
    batches: { read: async () => null },
    hasAllUntil: async () => true,
    committer: {
      submit(...sent) {
        isThrottled = true;
        return committer.submit(...sent);
      },
    },
    isThrottled: () => isThrottled,
    clock,
    awardIdOf,
    meter: makeCounters(),
    log,
  });
  const reversed = (): number => store.entries().filter(({ kind }) => kind === "reversal").length;
  expect(await runReversal("rev_1")).toStrictEqual({ kind: "later" });
  expect([reversed(), (await records.read("rev_1"))?.selected]).toStrictEqual([REVERSALS_AT_ONCE, 0]);
  // All of them are of the same moment, which is one step of several reads.
  await expect.poll(() => runReversal("rev_1")).toStrictEqual({ kind: "done" });
  expect(reversed()).toBe(awards);
  expect(await records.read("rev_1")).toMatchObject({ selected: awards, reversed: awards, skipped: 0 });
});

test("a reversal is rejected while its member is being erased, so that it deducts nothing awarded later", async () => {
  const store = makeFakeStore();
  const { committer } = makeHeldCommitter({ store });
  expect(await award(committer, "m", "k")).toMatchObject({ kind: "applied" });
  const member = { clanId: "c", platformId: "m" };
  await store.chain.fence("era_1", member);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const reversal = {
    ...member,
    kind: "reversal" as const,
    key: reversalKey(awardIdOf({ ...member, seq: 1 })),
    reverses: { key: "=k", seq: 1 },
    fingerprint: "rev_1",
    amount: -1n,
    apiKeyId: "k",
  };
  const answered = committer.submit(reversal, DEADLINE_MS).then(
    ({ kind }) => kind,
    ({ code }: { code: string }) => code,
  );
  const stillWaits = new Promise((resolve) => setTimeout(resolve, DEADLINE_MS / 2)).then(() => "waits");
  await vi.advanceTimersByTimeAsync(DEADLINE_MS / 2);
  expect(await Promise.race([answered, stillWaits])).toBe("busy");
});
