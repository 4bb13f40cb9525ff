// What the caller of an award receives, as a table: each state, each event, and the error of each deadline.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Outcome } from "#domain/outcome.ts";
import { makePendingAward, type PendingAward, type PendingState } from "#ledger/commit/pending-award.ts";
import { makeEntry } from "../../../support/entry.ts";

const DEADLINE_MS = 10_000;
const cause = new Error("no answer");
const entry = makeEntry();
const applied: Outcome = { kind: "applied", entry };
const replayed: Outcome = { kind: "replayed", entry };
const notFound: Outcome = { kind: "rejected", code: "member_not_found" };
const reused: Outcome = { kind: "rejected", code: "idempotency_key_reused" };

type Event = (pending: PendingAward) => void;
const began: Event = (pending) => pending.began();
const absent: Event = (pending) => pending.absent(null);
const unavailable: Event = (pending) => pending.absent(cause);
const unknown: Event = (pending) => pending.unknown(entry, cause);
const unconfirmed: Event = (pending) => pending.unconfirmed();
const delayed: Event = (pending) => pending.delayed(cause);
const answered: Event = (pending) => pending.resolve(applied);

/** How each state is reached. */
const WAYS: Record<PendingState, readonly Event[]> = {
  queued: [],
  committing: [began],
  "in-doubt": [began, unknown],
  recommitting: [began, unknown, began],
  answered: [answered],
};

/** A pending award in that state, and everything that its caller has received. */
function pendingIn(state: PendingState): { pending: PendingAward; settled: unknown[]; closed: () => number } {
  const settled: unknown[] = [];
  let closings = 0;
  const pending = makePendingAward(entry, DEADLINE_MS, {
    step: null,
    resolve: (outcome) => settled.push(outcome),
    reject: (error) => settled.push(error.code),
    closed: () => (closings += 1),
  });
  for (const event of WAYS[state]) event(pending);
  expect(pending.state()).toBe(state);
  return { pending, settled, closed: () => closings };
}

describe("a pending award", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  test.each<[PendingState, string, Event, PendingState]>([
    ["queued", "began", began, "committing"],
    ["queued", "absent", absent, "queued"],
    ["queued", "delayed", delayed, "queued"],
    ["queued", "unconfirmed", unconfirmed, "in-doubt"],
    ["in-doubt", "unconfirmed", unconfirmed, "in-doubt"],
    ["committing", "absent", absent, "queued"],
    ["committing", "unavailable", unavailable, "queued"],
    ["committing", "unknown", unknown, "in-doubt"],
    ["committing", "answered", answered, "answered"],
    ["in-doubt", "began", began, "recommitting"],
    ["in-doubt", "delayed", delayed, "in-doubt"],
    ["in-doubt", "absent", absent, "in-doubt"],
    ["in-doubt", "answered", answered, "answered"],
    ["recommitting", "absent", absent, "in-doubt"],
    ["recommitting", "unavailable", unavailable, "in-doubt"],
    ["recommitting", "unknown", unknown, "in-doubt"],
    ["recommitting", "answered", answered, "answered"],
    ["answered", "began", began, "answered"],
    ["answered", "absent", absent, "answered"],
    ["answered", "unknown", unknown, "answered"],
    ["answered", "unconfirmed", unconfirmed, "answered"],
  ])("in state %s, after %s, is in the state that the table lists", (state, _name, event, next) => {
    const { pending } = pendingIn(state);
    event(pending);
    expect(pending.state()).toBe(next);
  });

  test.each<[PendingState, Event | null, string]>([
    ["queued", null, "busy"],
    ["queued", delayed, "unavailable"],
    ["queued", unconfirmed, "outcome_unknown"],
    ["committing", null, "outcome_unknown"],
    ["committing", absent, "busy"],
    ["committing", unavailable, "unavailable"],
    ["in-doubt", null, "outcome_unknown"],
    ["in-doubt", delayed, "outcome_unknown"],
    ["recommitting", null, "outcome_unknown"],
    ["recommitting", absent, "outcome_unknown"],
  ])("in state %s (%o) is answered with %s at its deadline", (state, event, code) => {
    const { pending, settled, closed } = pendingIn(state);
    event?.(pending);
    vi.advanceTimersByTime(DEADLINE_MS);
    expect(settled).toStrictEqual([code]);
    expect(closed()).toBe(1);
  });

  test.each<[PendingState, Outcome, Outcome | null]>([
    ["queued", applied, applied],
    ["queued", replayed, replayed],
    ["queued", notFound, notFound],
    ["queued", reused, reused],
    ["committing", replayed, replayed],
    // Its own entry, found after the commit that wrote it had ended without a result.
    ["in-doubt", replayed, applied],
    [
      "in-doubt",
      { kind: "replayed", entry: makeEntry({ seq: 2 }) },
      { kind: "replayed", entry: makeEntry({ seq: 2 }) },
    ],
    ["in-doubt", notFound, null],
    ["in-doubt", reused, reused],
    ["recommitting", replayed, applied],
    ["recommitting", notFound, null],
  ])("in state %s with outcome %o can be answered with %o", (state, outcome, returnable) => {
    expect(pendingIn(state).pending.returnable(outcome)).toStrictEqual(returnable);
  });

  test.each<[PendingState, boolean]>([
    ["queued", true],
    ["committing", true],
    ["in-doubt", false],
    ["recommitting", false],
  ])("in state %s that the store rejects permanently is answered: %s", (state, isSettled) => {
    const { pending, settled } = pendingIn(state);
    expect(pending.reject(cause)).toBe(isSettled);
    expect(settled).toStrictEqual(isSettled ? ["internal"] : []);
  });

  test("is answered once, regardless of later events", () => {
    const { pending, settled, closed } = pendingIn("queued");
    pending.resolve(applied);
    pending.resolve(replayed);
    pending.reject(cause);
    vi.advanceTimersByTime(DEADLINE_MS);
    expect(settled).toStrictEqual([applied]);
    expect(closed()).toBe(1);
  });
});
