// Which calls may wait for events, and whose place another clan gets.
import { expect, test } from "vitest";
import { CALLS_WAITING_MAX, CALLS_WAITING_PER_CLAN_MAX, CALLS_WAITING_PER_KEY_MAX } from "#events/bounds.ts";
import { makeWaitingPlaces, type WaitingPlace } from "#events/waiting-places.ts";

function setUp() {
  const places = makeWaitingPlaces();
  const ended: string[] = [];
  let calls = 0;
  const place = (clanId: string, keyId: string): WaitingPlace => {
    const name = `${clanId}${(calls += 1)}`;
    return { clanId, keyId, end: () => void ended.push(name) };
  };
  /** How many of these calls may wait. */
  const take = (count: number, clanId: string, keys = 1): number =>
    Array.from({ length: count }, (_, index) => places.take(place(clanId, `${clanId}-${index % keys}`))).filter(Boolean)
      .length;
  return { places, place, take, ended };
}

test("a clan alone has all places, and a key its share of them", () => {
  const { take, ended } = setUp();
  expect(take(CALLS_WAITING_PER_KEY_MAX + 1, "a")).toBe(CALLS_WAITING_PER_KEY_MAX);
  expect(take(1_000, "a", 4)).toBe(CALLS_WAITING_MAX - CALLS_WAITING_PER_KEY_MAX);
  expect(ended).toStrictEqual([]);
});

test("calls of other clans get the places of the longest waiting calls of a clan that has more than its share", () => {
  const { take, ended } = setUp();
  take(CALLS_WAITING_MAX, "a", 5);
  expect([take(1, "b"), ended]).toStrictEqual([1, ["a1"]]);
  expect([take(1, "a"), take(2 * CALLS_WAITING_PER_CLAN_MAX, "b", 2)]).toStrictEqual([
    0,
    CALLS_WAITING_PER_CLAN_MAX - 1,
  ]);
  for (const clanId of ["c", "d", "e"]) expect(take(1_000, clanId, 5)).toBe(CALLS_WAITING_PER_CLAN_MAX);
  expect(new Set(ended).size).toBe(CALLS_WAITING_MAX - CALLS_WAITING_PER_CLAN_MAX);
  // Five clans have their shares.
  expect(take(1, "f")).toBe(0);
});

test("a call that ends leaves its place, and a clan keeps what it has while there is room", () => {
  const { places, place, take, ended } = setUp();
  const only = place("b", "b");
  expect([places.take(only), take(2 * CALLS_WAITING_PER_CLAN_MAX, "a", 2)]).toStrictEqual([
    true,
    CALLS_WAITING_PER_CLAN_MAX,
  ]);
  places.leave(only);
  expect([take(CALLS_WAITING_PER_CLAN_MAX, "a", 2), take(1, "b"), ended]).toStrictEqual([
    CALLS_WAITING_PER_CLAN_MAX,
    1,
    [],
  ]);
});
