// Positions against a plain count, for random leaderboards with many ties and outdated fences.
import fc from "fast-check";
import { expect, test } from "vitest";
import { EXACT_POSITIONS_MAX, positionsOf, type Fence, type XpOrder } from "#domain/position.ts";
import { chanceOf } from "../../support/chance.ts";
import { seedOfRun } from "../../support/seed.ts";

const orderOf = (xps: readonly bigint[]): XpOrder => ({ first: BigInt64Array.from(xps), fences: [] });
const descending = (xps: readonly bigint[]): bigint[] => xps.toSorted((a, b) => Number(b - a));
const membersOf = (xps: readonly bigint[]) => xps.map((xp, index) => ({ platformId: String(index), xp }));

test("a position is 1 plus the number of members with more XP", () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: -5n, max: 20n }), { maxLength: 60 }), (xps) => {
      const positions = positionsOf(orderOf(descending(xps)), membersOf(xps));
      for (const { platformId, xp } of membersOf(xps)) {
        const value = 1 + xps.filter((other) => other > xp).length;
        expect(positions.get(platformId)).toStrictEqual({ value, of: xps.length, approximate: false });
      }
    }),
    { seed: seedOfRun() },
  );
});

test("whatever is cached, members of one response are in the order of their XP", () => {
  const xp = fc.bigInt({ min: 0n, max: 30n });
  fc.assert(
    fc.property(fc.array(xp, { maxLength: 40 }), fc.array(xp, { maxLength: 40 }), (cached, shown) => {
      const positions = positionsOf(orderOf(descending(cached)), membersOf(shown));
      for (const one of membersOf(shown)) {
        const position = positions.get(one.platformId);
        expect(position?.of).toBeGreaterThanOrEqual(position?.value ?? Infinity);
        for (const other of membersOf(shown)) {
          const difference = (position?.value ?? 0) - (positions.get(other.platformId)?.value ?? 0);
          expect(Math.sign(difference)).toBe(Math.sign(Number(other.xp - one.xp)));
        }
      }
    }),
    { seed: seedOfRun() },
  );
});

test("beyond the exact ones, a position lies between those of its fences, also among many ties", () => {
  const chance = chanceOf(seedOfRun());
  const xps = descending(Array.from({ length: 30_000 }, () => BigInt(Math.floor(500 * chance.next() ** 2))));
  const fences: Fence[] = [];
  for (let at = EXACT_POSITIONS_MAX; at < xps.length; at += Math.ceil(at / 250))
    fences.push({ at, xp: xps[at - 1] ?? 0n });
  fences.push({ at: xps.length, xp: xps.at(-1) ?? 0n });
  const order = { first: BigInt64Array.from(xps.slice(0, EXACT_POSITIONS_MAX)), fences };
  for (const xp of [...new Set(xps), -1n]) {
    const position = positionsOf(order, [{ platformId: "m", xp }]).get("m");
    const value = 1 + xps.filter((other) => other > xp).length;
    expect(position?.approximate).toBe(value > EXACT_POSITIONS_MAX);
    const tolerance = value > EXACT_POSITIONS_MAX ? xps.length * 0.005 : 0;
    expect(Math.abs((position?.value ?? NaN) - value)).toBeLessThanOrEqual(tolerance);
  }
});

test("a removed member has no position and takes none", () => {
  const members = [
    { platformId: "a", xp: 9n, removed: true as const },
    { platformId: "b", xp: 5n },
  ];
  expect([...positionsOf(orderOf([5n]), members)]).toStrictEqual([
    ["a", null],
    ["b", { value: 1, of: 1, approximate: false }],
  ]);
});
