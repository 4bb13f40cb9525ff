// The options of a queue, checked, with every default filled in.
import { check, checkInteger, checkNumber, checkObject } from "./check.ts";
import { logDropped } from "./report-drop.ts";
import type { QueueOptions } from "./types.ts";

/** What the API accepts in one call. */
const ENTRIES_MAX = 100;

export function readQueueOptions(options: QueueOptions) {
  checkObject("options", options);
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
  return { flushMs, maxEntries, maxPending, deadlineMs, onDropped };
}
