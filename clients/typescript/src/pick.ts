// Selects the waiting awards of the next call: the oldest that may be sent, and none before an earlier one of its
// member.
import type { ClanXpError } from "./error.ts";
import type { AwardResult, DroppedAward } from "./types.ts";

/** A body that is well below the API's limit of 256 KiB. */
export const CALL_BYTES_MAX = 200 * 1024;
/** `{"awards":[` and `]}`. */
export const FRAME_BYTES = 13;

export type Call = { controller: AbortController; unsettled: number };
export type Item = {
  award: DroppedAward;
  json: string;
  /** Including the comma after it. */
  bytes: number;
  deadlineAt: number;
  /** Waits for others until then. */
  flushAt: number;
  /** Is not sent earlier, because an attempt failed. */
  notBefore: number;
  tries: number;
  /** The error of its last attempt. */
  error: ClanXpError | null;
  call: Call | null;
  settled: Promise<unknown>;
  deliver(result: AwardResult): void;
  drop(error: ClanXpError): void;
};

/** The content of the next call; if it is empty, `wakeAt` is the time to check again. */
export type Picked = { items: Item[]; wakeAt: number };

/**
 * The next call: the oldest awards that may be sent now, once they fill a call or one of them has waited long enough.
 */
export function pick(items: Iterable<Item>, entriesMax: number, now: number): Picked {
  const blocked = new Set<string>();
  const picked: Item[] = [];
  let bytes = FRAME_BYTES;
  let wakeAt = Infinity;
  let isFull = false;
  for (const item of items) {
    const { platformId } = item.award;
    if (blocked.has(platformId)) continue;
    if (item.call !== null || item.notBefore > now) {
      blocked.add(platformId);
      if (item.call === null) wakeAt = Math.min(wakeAt, item.notBefore);
      continue;
    }
    isFull = bytes + item.bytes > CALL_BYTES_MAX;
    if (isFull) break;
    picked.push(item);
    bytes += item.bytes;
    wakeAt = Math.min(wakeAt, item.flushAt);
    isFull = picked.length >= entriesMax;
    if (isFull) break;
  }
  return isFull || picked.some(({ flushAt }) => flushAt <= now)
    ? { items: picked, wakeAt: now }
    : { items: [], wakeAt };
}
