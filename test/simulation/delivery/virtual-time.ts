// Virtual time as vitest's, at a fifth of its cost: thousands of histories have a million timers.
import { runSteps } from "../run-steps.ts";

type Timer = { atMs: number; order: number; run: () => void };

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: Date.now };
/** More than any history needs: work that never ends would be waited for for ever. */
const TIMERS_MAX = 200_000;

let nowMs = 0;
let order = 0;
/** A binary heap, the next one first. */
let heap: Timer[] = [];

const isBefore = (a: Timer, b: Timer): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

function push(timer: Timer): void {
  let index = heap.push(timer) - 1;
  while (index > 0) {
    const above = (index - 1) >> 1;
    const parent = heap[above] as Timer;
    if (!isBefore(timer, parent)) break;
    heap[index] = parent;
    index = above;
  }
  heap[index] = timer;
}

function pop(): Timer | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (!first || !last || first === last) return first;
  let index = 0;
  for (;;) {
    const [left, right] = [2 * index + 1, 2 * index + 2];
    const next = right < heap.length && isBefore(heap[right] as Timer, heap[left] as Timer) ? right : left;
    if (next >= heap.length || !isBefore(heap[next] as Timer, last)) break;
    heap[index] = heap[next] as Timer;
    index = next;
  }
  heap[index] = last;
  return first;
}

/** Timers and `Date.now` only: `new Date()` has the real time. */
export function beginVirtualTime(): void {
  [nowMs, order, heap] = [1_000_000_000_000, 0, []];
  Date.now = () => nowMs;
  globalThis.setTimeout = ((run: () => void, ms = 0) => {
    const timer: Timer = { atMs: nowMs + Math.max(1, Math.ceil(ms)), order: (order += 1), run };
    push(timer);
    return timer;
  }) as unknown as typeof setTimeout;
  globalThis.clearTimeout = ((timer?: Timer) => {
    if (timer) timer.run = () => {};
  }) as unknown as typeof clearTimeout;
}

export function endVirtualTime(): void {
  Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
  Date.now = real.now;
  heap = [];
}

/** Fires one timer after the other, with all that follows from it, until the work is done. */
export async function advanceVirtual(work: Promise<unknown>): Promise<void> {
  let [isDone, timers] = [false, 0];
  const end = (): void => void (isDone = true);
  work.then(end, end);
  await runSteps(() => {
    if (isDone) return true;
    const timer = pop();
    if (!timer) throw new Error("nothing is waited for, and the work is not done");
    if ((timers += 1) > TIMERS_MAX) throw new Error(`not done after ${TIMERS_MAX} timers`);
    nowMs = Math.max(nowMs, timer.atMs);
    timer.run();
    return false;
  });
  await work;
}
