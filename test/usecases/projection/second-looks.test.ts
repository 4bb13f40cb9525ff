// Members whose commit had no result are read again in time, whatever is due later.
import { afterEach, expect, test, vi } from "vitest";
import { memberIdOf, type MemberId } from "#domain/member-id.ts";
import { SECOND_LOOKS_MS } from "#usecases/projection/bounds.ts";
import { makeSecondLooks } from "#usecases/projection/second-looks.ts";

afterEach(() => void vi.useRealTimers());
const idOf = (platformId: string): MemberId => memberIdOf({ clanId: "c", platformId });

test("a member is read again at each scheduled time, although another member is due much later", () => {
  vi.useFakeTimers();
  const looks: [number, string][] = [];
  const look = (ids: readonly MemberId[]): void => {
    for (const id of ids) looks.push([Date.now() - beganAtMs, id]);
  };
  const beganAtMs = Date.now();
  const secondLooks = makeSecondLooks({ look, clock: { now: () => new Date(), monotonicMs: () => Date.now() } });
  secondLooks.note([idOf("early")]);
  // Its first reads are over: the next one follows in minutes.
  const [first = 0, second = 0, third = 0, fourth = 0] = SECOND_LOOKS_MS;
  vi.advanceTimersByTime(third);
  looks.length = 0;
  secondLooks.note([idOf("late")]);
  vi.advanceTimersByTime(fourth);
  expect(looks).toEqual([
    [third + first, "c/late"],
    [third + second, "c/late"],
    [third + third, "c/late"],
    [fourth, "c/early"],
    [third + fourth, "c/late"],
  ]);
  expect(secondLooks.waiting()).toBe(0);
  secondLooks.close();
});
