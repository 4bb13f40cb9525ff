// Who gets the next award: a seeded choice among the members, uniform, by Zipf's law, or always the same one.
import type { Spread } from "./plan.ts";

const ZIPF_EXPONENT = 1.1;

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Answers the index of a member. */
export function makePickMember(spread: Spread, membersTotal: number, random: () => number): () => number {
  if (spread === "hot") return () => 0;
  if (spread === "uniform") return () => Math.floor(random() * membersTotal);
  const upTo = cumulativeZipf(membersTotal);
  return () => firstAtLeast(upTo, random());
}

function cumulativeZipf(count: number): Float64Array {
  const upTo = new Float64Array(count);
  let sum = 0;
  for (let rank = 1; rank <= count; rank += 1) {
    sum += rank ** -ZIPF_EXPONENT;
    upTo[rank - 1] = sum;
  }
  return upTo.map((value) => value / sum);
}

function firstAtLeast(sorted: Float64Array, requested: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 1) < requested) low = middle + 1;
    else high = middle;
  }
  return low;
}
