// The queue. Every award that add() takes ends exactly once: delivered, or dropped and reported. Awards of one member
// are sent in order: one is sent only when those before it are settled, or precede it in the same call.
//
//   waiting ──(its call begins)──> sent ──(applied, replayed)──> delivered
//      ^                            │├───(rejected, refused, named by a 400)──> dropped
//      └──(failed, call to repeat)──┘└───(deadline, also from waiting)──> dropped
import { attempt, type Body, type Config } from "./attempt.ts";
import { check, checkInteger, checkNumber, checkObject } from "./check.ts";
import { ClanXpError, type ErrorDetails } from "./error.ts";
import { awardOptions, queueOptions } from "./option-names.ts";
import { CALL_BYTES_MAX, FRAME_BYTES, pick, type Call, type Item, type Picked } from "./pick.ts";
import { checkAward, describeAward } from "./prepare-award.ts";
import { hasResults } from "./read-results.ts";
import { logDropped, reportDrop } from "./report-drop.ts";
import { restate } from "./restate.ts";
import { settleCall, type Pace } from "./settle-call.ts";
import { timerMs } from "./timer-ms.ts";
import type { AwardOptions, AwardQueue, AwardResult, QueueOptions } from "./types.ts";

/** The API's limit for one call. */
const ENTRIES_MAX = 100;
/** Enough that one hanging call delays no other; few enough not to overload a slow service. */
const CALLS_MAX = 10;
const CLOSE_DEADLINE_MS = 25_000;

// oxlint-disable-next-line eslint/max-lines-per-function -- the calls and the timer decide together
export function makeAwardQueue(config: Config, options: QueueOptions): AwardQueue {
  checkObject("options", options, queueOptions);
  const {
    flushMs = 250,
    maxEntries = ENTRIES_MAX,
    maxPending = 10_000,
    deadlineMs = 300_000,
    onDropped = logDropped,
  } = options;
  checkNumber("flushMs", flushMs, 0);
  checkInteger("maxEntries", maxEntries, 1, ENTRIES_MAX);
  checkInteger("maxPending", maxPending, 1, Number.MAX_SAFE_INTEGER);
  checkNumber("deadlineMs", deadlineMs, 0);
  check(typeof onDropped === "function", "onDropped must be a function");

  /** Unsettled awards in the order of add(), which is also the order of their deadlines. */
  const items = new Set<Item>();
  /** How many of them are in no call. */
  let waiting = 0;
  /** And how many of those were never sent. */
  let fresh = 0;
  let calls = 0;
  /** While true, no call begins: onDropped may add and flush before all awards of an answer have their wait. */
  let settling = false;
  const pace: Pace = { pausedUntil: 0, rateLimited: 0, entriesMax: maxEntries };
  let closed = false;
  let [delivered, dropped] = [0, 0];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wakesAt = Infinity;

  function add(platformId: string, amount: number, given: AwardOptions = {}): Promise<AwardResult> {
    // A value that is not an object has no options: it is rejected below, like every invalid argument.
    const award = describeAward(platformId, amount, Object(given) as AwardOptions);
    let resolve = (_result: AwardResult): void => {};
    let reject = (_error: ClanXpError): void => {};
    const promise = new Promise<AwardResult>((...both) => ([resolve, reject] = both));
    // A caller who ignores the promise need not handle its rejection: onDropped is called.
    const settled = promise.catch(() => {});
    const drop = (error: ClanXpError, details: ErrorDetails = {}): void => {
      const own = restate(error, { ...details, idempotencyKey: award.idempotencyKey });
      dropped += 1;
      reject(own);
      reportDrop(onDropped, award, own);
    };
    try {
      checkObject("options", given, awardOptions);
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
      const dueAt = Math.min(item.flushAt, item.deadlineAt);
      items.add(item);
      waiting += 1;
      fresh += 1;
      // Others may have to wait for their next try.
      if (waiting % maxEntries === 0 || fresh % maxEntries === 0) pump();
      else if (dueAt < wakesAt) wakeAt(dueAt);
    } catch (error) {
      drop(error as ClanXpError);
    }
    return promise;
  }

  /** Removes a settled award. A call that nobody waits for is ended. */
  function remove(item: Item): void {
    items.delete(item);
    if (item.call === null) {
      waiting -= 1;
      if (item.tries === 0) fresh -= 1;
    } else if ((item.call.unsettled -= 1) === 0) item.call.controller.abort();
  }

  /**
   * Drops awards that are due to be dropped, sends those that are due to be sent, and sets the timer for the next step.
   */
  function pump(): void {
    if (settling) return;
    const now = performance.now();
    let next = Infinity;
    for (const item of items) {
      if (item.deadlineAt > now) {
        next = item.deadlineAt;
        break;
      }
      item.drop(item.error ?? new ClanXpError("timeout", "The award was not settled in time.", { retryable: true }));
    }
    const { pausedUntil, entriesMax } = pace;
    // Until the service accepts a call again, calls are sent one at a time.
    while (calls < (pausedUntil > 0 ? 1 : CALLS_MAX)) {
      const picked: Picked = pausedUntil > now ? { items: [], wakeAt: pausedUntil } : pick(items, entriesMax, now);
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
    // Without an unsettled award there is no timer, so the process may exit.
    if (items.size > 0) timer = setTimeout(pump, timerMs(at - performance.now()));
    else wakesAt = Infinity;
  }

  async function send(batch: Item[]): Promise<void> {
    const own: Call = { controller: new AbortController(), unsettled: batch.length };
    for (const item of batch) {
      item.call = own;
      if (item.tries === 0) fresh -= 1;
      item.tries += 1;
    }
    calls += 1;
    waiting -= batch.length;
    const body = `{"awards":[${batch.map(({ json }) => json).join()}]}`;
    const accepts = (answer: Body): boolean => hasResults(answer, batch.length);
    const request = { method: "POST", path: "/awards?include=change", body, accepts } as const;
    const outcome = await attempt(config, request, config.timeoutMs, own.controller.signal);
    calls -= 1;
    const left = batch.map((item) => (items.has(item) ? item : null));
    for (const item of left) {
      if (!item) continue;
      item.call = null;
      waiting += 1;
    }
    settling = true;
    try {
      settleCall(left, outcome, pace, maxEntries);
    } finally {
      settling = false;
      pump();
    }
  }

  /** Sends everything that is unsettled now as soon as possible. */
  async function flush(): Promise<void> {
    const unsettled = [...items];
    for (const item of unsettled) item.flushAt = 0;
    pump();
    await Promise.all(unsettled.map(({ settled }) => settled));
  }

  async function close(
    given: { deadlineMs?: number | undefined } = {},
  ): Promise<{ delivered: number; dropped: number }> {
    checkObject("options", given, "deadlineMs");
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
