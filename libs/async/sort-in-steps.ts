// Sorts a long list in steps of some milliseconds: the process does other work in between.
import { pause } from "#async/pause.ts";

const STEP = 4_096;

/** A new list. Equal items keep their order. */
export async function sortInSteps<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  step = STEP,
): Promise<Item[]> {
  let runs: Item[][] = [];
  for (let from = 0; from < items.length; from += step) {
    runs.push(items.slice(from, from + step).toSorted(compare));
    await pause(0);
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], compare, step));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Item>(
  a: readonly Item[],
  b: readonly Item[],
  compare: (a: Item, b: Item) => number,
  step: number,
): Promise<Item[]> {
  const merged: Item[] = [];
  for (let [first, second] = [0, 0]; first < a.length || second < b.length;) {
    const [one, other] = [a[first], b[second]];
    if (one !== undefined && (other === undefined || compare(one, other) <= 0)) {
      merged.push(one);
      first += 1;
    } else if (other !== undefined) {
      merged.push(other);
      second += 1;
    }
    if (merged.length % step === 0) await pause(0);
  }
  return merged;
}
