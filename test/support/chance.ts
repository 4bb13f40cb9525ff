// Chance that can be repeated: the same seed makes the same history.

export type Chance = {
  /** 0 ≤ x < 1. */
  next(): number;
  /** An integer, both ends included. */
  int(min: number, max: number): number;
  /** True in `share` of all cases. */
  hits(share: number): boolean;
  pick<T>(items: readonly T[]): T;
};

/** mulberry32: 32 bits of state are plenty for a test, and the whole of it is three lines. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    hits: (share) => next() < share,
    pick(items) {
      const item = items[int(0, items.length - 1)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
  };
}
