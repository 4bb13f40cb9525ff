// Places for requests: a destination whose requests take long leaves room for the others of its clan.
import { expect, test } from "vitest";
import { makePlaces } from "#delivery/places.ts";

function placing() {
  const at = { ms: 0, woken: 0 };
  const places = makePlaces({ monotonicMs: () => at.ms });
  const take = (clanId = "rovers", atOnceMax = 8) => places({ clanId, atOnceMax, wake: () => (at.woken += 1) });
  return { at, take };
}

/** As many as there are now. */
function takeAll(take: ReturnType<ReturnType<typeof placing>["take"]>): (() => void)[] {
  const taken = [];
  for (let leave = take(); leave !== null; leave = take()) taken.push(leave);
  return taken;
}

test.each([
  [0, 8],
  [100, 8],
  [2_500, 4],
  [4_900, 1],
  [5_000, 1],
  [60_000, 1],
])("a destination whose requests take %d ms has %d places", (tookMs, expected) => {
  const { at, take } = placing();
  const one = take();
  // Nothing is known of it at first.
  const first = takeAll(one);
  expect(first).toHaveLength(2);
  for (const leave of first) leave();
  for (let count = 0; count < 6; count += 1) {
    const leave = one();
    at.ms += tookMs;
    leave?.();
  }
  expect(takeAll(one)).toHaveLength(expected);
});

test("one request that takes long is enough, even before it ends, and quick ones afterwards give the places back", () => {
  const { at, take } = placing();
  const one = take();
  const [leave, ...others] = takeAll(one);
  for (const other of others) other();
  at.ms += 5_000;
  expect(one()).toBeNull();
  leave?.();
  for (let count = 0; count < 6; count += 1) one()?.();
  expect(takeAll(one)).toHaveLength(8);
});

test("a clan has 16 places: of slow destinations few, and who had to wait is woken", () => {
  const { at, take } = placing();
  const quick = [take(), take(), take()];
  for (const one of quick) for (let count = 0; count < 6; count += 1) one()?.();
  const taken = quick.map((one) => takeAll(one));
  expect(taken.map(({ length }) => length)).toEqual([8, 8, 0]);
  taken[0]?.[0]?.();
  expect(at.woken).toBe(1);
  expect(takeAll(quick[2] ?? (() => null))).toHaveLength(1);
  expect(takeAll(take("owls"))).toHaveLength(2);
});
