// Members whose commit had no result are read again in time, whatever is due later.
import { afterEach, expect, test, vi } from "vitest";
import { memberIdOf, type MemberId } from "#domain/member-id.ts";
import { RECHECK_DELAYS_MS } from "#ledger/bounds.ts";
import { makeRechecks } from "#ledger/projection/rechecks.ts";

afterEach(() => void vi.useRealTimers());
const idOf = (platformId: string): MemberId => memberIdOf({ clanId: "c", platformId });

test("a member is read again at each scheduled time, although another member is due much later", () => {
  vi.useFakeTimers();
  const calls: [number, string][] = [];
  const recheck = (ids: readonly MemberId[]): void => {
    for (const id of ids) calls.push([Date.now() - beganAtMs, id]);
  };
  const beganAtMs = Date.now();
  const rechecks = makeRechecks({
    recheck,
    clock: { now: () => new Date(), monotonicMs: () => Date.now(), agingMs: () => Date.now() },
  });
  rechecks.note([idOf("early")]);
  // Its first reads are over: the next one follows in minutes.
  const [first = 0, second = 0, third = 0, fourth = 0] = RECHECK_DELAYS_MS;
  vi.advanceTimersByTime(third);
  calls.length = 0;
  rechecks.note([idOf("late")]);
  vi.advanceTimersByTime(fourth);
  expect(calls).toEqual([
    [third + first, "c/late"],
    [third + second, "c/late"],
    [third + third, "c/late"],
    [fourth, "c/early"],
    [third + fourth, "c/late"],
  ]);
  expect(rechecks.waiting()).toBe(0);
  rechecks.close();
});
