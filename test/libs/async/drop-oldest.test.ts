// How many entries are remembered, and how often the oldest is searched for: a search steps over what was deleted.
import { expect, test } from "vitest";
import { dropOldest } from "#async/drop-oldest.ts";

test("dropOldest keeps the newest entries, never more than the bound, and rarely searches for the oldest", () => {
  let searches = 0;
  class Watched extends Set<number> {
    override keys(): SetIterator<number> {
      searches += 1;
      return super.keys();
    }
  }
  const entries = new Watched();
  let largest = 0;
  for (let next = 0; next < 1_000; next += 1) {
    entries.add(next);
    dropOldest(entries, 160);
    largest = Math.max(largest, entries.size);
  }
  expect(largest).toBe(160);
  expect([...entries]).toStrictEqual(Array.from({ length: entries.size }, (_, index) => 1_000 - entries.size + index));
  expect(entries.size).toBeGreaterThanOrEqual(150);
  expect(searches).toBeLessThan(100);
});

test("dropOldest with a bound of one keeps the newest entry", () => {
  const entries = new Set(["old", "new"]);
  dropOldest(entries, 1);
  expect([...entries]).toStrictEqual(["new"]);
});
