// Coalesces reads: requests that arrive while a read is in progress share the next one. However many callers ask, and
// however slow the store is, one read is in progress and a bounded number of callers waits.
import { AppError } from "#kernel/app-error.ts";

export type CoalescedRead<Value> = (id: string) => Promise<Value | undefined>;

type PendingRead<Value> = { id: string; resolve: (value: Value | undefined) => void; reject: (error: unknown) => void };

/** Throws AppError `busy` beyond `waitingMax`, otherwise what `read` throws. */
export function coalesceReads<Value>(options: {
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  idsPerReadMax: number;
  waitingMax: number;
}): CoalescedRead<Value> {
  let waiting: PendingRead<Value>[] = [];
  let reading = false;

  async function readOn(): Promise<void> {
    reading = true;
    while (waiting.length > 0) {
      const pending = waiting.slice(0, options.idsPerReadMax);
      waiting = waiting.slice(options.idsPerReadMax);
      try {
        const values = await options.read([...new Set(pending.map((read) => read.id))]);
        for (const read of pending) read.resolve(values.get(read.id));
      } catch (error) {
        for (const read of pending) read.reject(error);
      }
    }
    reading = false;
  }

  return (id) => {
    if (waiting.length >= options.waitingMax) {
      return Promise.reject(
        new AppError("busy", "Too many requests are waiting. Nothing was applied: try again shortly."),
      );
    }
    return new Promise((resolve, reject) => {
      waiting.push({ id, resolve, reject });
      if (!reading) void readOn();
    });
  };
}
