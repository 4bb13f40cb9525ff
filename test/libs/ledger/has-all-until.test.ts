// Whether the ledger has every entry until a time, by the records of the processes.
import { expect, test } from "vitest";
import { PLAN_AGE_MAX_MS, PROJECTION_MARGIN_MS } from "#ledger/bounds.ts";
import { makeHasAllUntil } from "#ledger/has-all-until.ts";

const AT = new Date("2026-11-22T12:00:00Z");
const LATER_MS = AT.getTime() + PLAN_AGE_MAX_MS + 1;
const after = (ms: number): Date => new Date(AT.getTime() + ms);

/** `settledTo`: when the oldest entry in progress of each process is dated. */
function hasAll(nowMs: number, settledTo: readonly number[], passes = 0): Promise<boolean> {
  const notes = settledTo.map((ms) => ({
    projectedTo: new Date(ms - PROJECTION_MARGIN_MS),
    seenAt: after(0),
    passes,
    silentMs: 0,
  }));
  return makeHasAllUntil({ processes: { listNotes: async () => notes }, clock: { now: () => new Date(nowMs) } })(AT);
}

test("no process can commit an entry of that time once all of them have recorded a later one", async () => {
  expect(await hasAll(LATER_MS, [])).toBe(true);
  expect(await hasAll(LATER_MS, [LATER_MS, LATER_MS + 1])).toBe(true);
});

test("a commit in progress, a clock that is behind, and a plan that may follow its record are waited for", async () => {
  expect(await hasAll(LATER_MS, [LATER_MS, AT.getTime()])).toBe(false);
  expect(await hasAll(LATER_MS, [LATER_MS - 1])).toBe(false);
  expect(await hasAll(LATER_MS - 1, [LATER_MS])).toBe(false);
  expect(await hasAll(LATER_MS - 1, [])).toBe(false);
});

test("a process that crashed is not waited for once a worker has projected for it", async () => {
  expect(await hasAll(LATER_MS, [AT.getTime() - 1], 0)).toBe(false);
  expect(await hasAll(LATER_MS, [AT.getTime() - 1], 1)).toBe(true);
});
