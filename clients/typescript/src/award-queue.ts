// The queue. Every award that add() takes ends exactly once: delivered, or dropped and reported. Awards of one member
// are sent in order: one is sent only when those before it are settled, or stand before it in the same call.
//
//   waiting ──(its call begins)──> sent ──(applied, replayed)──> delivered
//      ^                            │├───(rejected, refused, named by a 400)──> dropped
//      └──(failed, call to repeat)──┘└───(deadline, also from waiting)──> dropped
import { attempt, type Config, type Outcome } from "./attempt.ts";
import { backoffMs } from "./backoff-ms.ts";
import { check, checkNumber, checkObject } from "./check.ts";
import { ClanXpError, type ErrorDetails } from "./error.ts";
import { makePace } from "./pace.ts";
import { CALL_BYTES_MAX, FRAME_BYTES, pick, type Call, type Item, type Picked } from "./pick.ts";
import { checkAward, describeAward } from "./prepare-award.ts";
import { readQueueOptions } from "./read-queue-options.ts";
import { reportDrop } from "./report-drop.ts";
import { restate } from "./restate.ts";
import { timerMs } from "./timer-ms.ts";
import type { AwardOptions, AwardQueue, AwardResult, QueueOptions } from "./types.ts";
import { verdictsOf } from "./verdicts.ts";

const CLOSE_DEADLINE_MS = 25_000;

/** Long: awards, calls, pauses and the timer decide together when the next call begins; apart, each needs all. */
export function makeAwardQueue(config: Config, options: QueueOptions): AwardQueue {
  const { flushMs, maxEntries, maxPending, deadlineMs, onDropped } = readQueueOptions(options);

  /** Unsettled awards in the order of add(), which is also that of their deadlines. */
  const items = new Set<Item>();
  /** How many of them are in no call. */
  let waiting = 0;
  let calls = 0;
  const pace = makePace(maxEntries);
  let closed = false;
  let [delivered, dropped] = [0, 0];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wakesAt = Infinity;

  function add(platformId: string, amount: number, given: AwardOptions = {}): Promise<AwardResult> {
    const isObject = typeof given === "object" && given !== null;
    const award = describeAward(platformId, amount, isObject ? given : {});
    let resolve = (_result: AwardResult): void => {};
    let reject = (_error: ClanXpError): void => {};
    const promise = new Promise<AwardResult>((...both) => ([resolve, reject] = both));
    // Who does not want to know need not handle it: onDropped is told.
    const settled = promise.catch(() => {});
    const drop = (error: ClanXpError, details: ErrorDetails = {}): void => {
      const own = restate(error, { ...details, idempotencyKey: award.idempotencyKey });
      dropped += 1;
      reject(own);
      reportDrop(onDropped, award, own);
    };
    try {
      checkObject("options", given);
      checkAward(award, given);
      const json = JSON.stringify(award);
      const bytes = new TextEncoder().encode(json).length + 1;
      check(bytes + FRAME_BYTES <= CALL_BYTES_MAX, `an award must not take more than ${CALL_BYTES_MAX} bytes`);
      if (closed) throw new ClanXpError("queue_closed", "The queue was closed before this award was added.");
      if (items.size >= maxPending) {
        throw new ClanXpError("queue_full", `${maxPending} awards are unsettled already.`, { retryable: true });
      }
      const now = performance.now();
      const item: Item = {
        award,
        json,
        bytes,
        deadlineAt: now + deadlineMs,
        flushAt: now + flushMs,
        notBefore: 0,
        tries: 0,
        error: null,
        call: null,
        settled,
        deliver(result) {
          remove(item);
          delivered += 1;
          resolve(result);
        },
        drop(error) {
          remove(item);
          drop(error, { attempts: item.tries });
        },
      };
      items.add(item);
      waiting += 1;
      if (waiting % maxEntries === 0) pump();
      else if (item.flushAt < wakesAt) wakeAt(item.flushAt);
    } catch (error) {
      drop(error as ClanXpError);
    }
    return promise;
  }

  /** Takes a settled award out. A call that nobody waits for any more is ended. */
  function remove(item: Item): void {
    items.delete(item);
    if (item.call === null) waiting -= 1;
    else if ((item.call.unsettled -= 1) === 0) item.call.controller.abort();
  }

  /** Drops what is due to be dropped, sends what is due to be sent, and sets the timer for what comes next. */
  function pump(): void {
    const now = performance.now();
    let next = Infinity;
    for (const item of items) {
      if (item.deadlineAt > now) {
        next = item.deadlineAt;
        break;
      }
      item.drop(item.error ?? new ClanXpError("timeout", "The award was not settled in time.", { retryable: true }));
    }
    while (calls < pace.callsMax()) {
      const pausedUntil = pace.pausedUntil();
      const picked: Picked =
        pausedUntil > now ? { items: [], wakeAt: pausedUntil } : pick(items, pace.entriesMax(), now);
      if (picked.items.length === 0) {
        next = Math.min(next, picked.wakeAt);
        break;
      }
      void send(picked.items);
    }
    wakeAt(next);
  }

  function wakeAt(at: number): void {
    clearTimeout(timer);
    wakesAt = at;
    // Without an unsettled award there is no timer: the process may end.
    if (items.size > 0) timer = setTimeout(pump, timerMs(at - performance.now()));
    else wakesAt = Infinity;
  }

  async function send(batch: Item[]): Promise<void> {
    const own: Call = { controller: new AbortController(), unsettled: batch.length };
    for (const item of batch) {
      item.call = own;
      item.tries += 1;
    }
    calls += 1;
    waiting -= batch.length;
    const body = `{"awards":[${batch.map(({ json }) => json).join()}]}`;
    const request = { method: "POST", path: "/awards?include=change", body } as const;
    const outcome = await attempt(config, request, config.timeoutMs, own.controller.signal);
    calls -= 1;
    const left = batch.map((item) => (items.has(item) ? item : null));
    for (const item of left) {
      if (!item) continue;
      item.call = null;
      waiting += 1;
    }
    settle(left, outcome);
    pump();
  }

  /** `batch`: what was sent, null where it was dropped since. */
  function settle(batch: readonly (Item | null)[], outcome: Outcome): void {
    const first = batch.find((item) => item !== null);
    if (!first) return;
    const waitMs = "error" in outcome && outcome.again ? Math.max(backoffMs(first.tries), outcome.afterMs) : null;
    pace.note(outcome, batch.length, waitMs);
    for (const [index, verdict] of verdictsOf(batch, outcome, waitMs).entries()) {
      const item = batch[index];
      if (!item || !verdict) continue;
      if ("deliver" in verdict) item.deliver(verdict.deliver);
      else if ("drop" in verdict) item.drop(verdict.drop);
      else later(item, verdict.retry, verdict.waitMs);
    }
  }

  /** A wait that would end after the deadline is not begun. */
  function later(item: Item, error: ClanXpError, waitMs: number): void {
    item.error = error;
    item.notBefore = performance.now() + waitMs;
    if (item.notBefore >= item.deadlineAt) item.drop(error);
  }

  /** Everything that is unsettled now is sent as soon as it may be. */
  async function flush(): Promise<void> {
    const unsettled = [...items];
    for (const item of unsettled) item.flushAt = 0;
    pump();
    await Promise.all(unsettled.map(({ settled }) => settled));
  }

  async function close(
    given: { deadlineMs?: number | undefined } = {},
  ): Promise<{ delivered: number; dropped: number }> {
    checkObject("options", given);
    const { deadlineMs: closeMs = CLOSE_DEADLINE_MS } = given;
    checkNumber("deadlineMs", closeMs, 0);
    closed = true;
    const closeAt = performance.now() + closeMs;
    for (const item of items) {
      item.deadlineAt = Math.min(item.deadlineAt, closeAt);
      if (item.call === null && item.error && item.notBefore >= item.deadlineAt) item.drop(item.error);
    }
    await flush();
    return { delivered, dropped };
  }

  return {
    add,
    flush,
    close,
    get pending() {
      return items.size;
    },
  };
}
