// Keeps one child running: after a crash it is restarted, immediately the first time, and with growing delays if it
// continues to crash. After `stop` it is never restarted, even if a start was in progress.

import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "../system/watch-child.ts";

const FIRST_DELAY_MS = 200;
const DELAY_MS_MAX = 10_000;
const STEADY_MS = 10_000; // after running for this long, the next crash counts as the first one

export type SupervisedProcess = {
  /** Rejects if the first start fails. */
  started: Promise<unknown>;
  stop: (graceMs: number) => Promise<void>;
};

export function keepAlive({
  name,
  start,
  onPid,
  log,
  gaveUp,
}: {
  name: string;
  /** Resolves when the child is ready. */
  start: (onLaunch: (running: Running) => void) => Promise<unknown>;
  onPid: (pid: number) => void;
  log: (line: string) => void;
  /** Called when the child has exited with this reason. True: it is not restarted. */
  gaveUp?: (how: string) => boolean;
}): SupervisedProcess {
  const stopping = new AbortController();
  let running: Running | undefined;
  let graceMsAtStop = 0;
  let starting = startOnce();

  function startOnce(): Promise<unknown> {
    return start((launched) => {
      running = launched;
      if (stopping.signal.aborted) void launched.stop(graceMsAtStop);
      else onPid(launched.pid);
    });
  }

  async function watch() {
    let crashesInARow = 0;
    for (;;) {
      const upSince = performance.now();
      const how = await running?.exited;
      if (stopping.signal.aborted || (how !== undefined && gaveUp?.(how))) return;
      crashesInARow = performance.now() - upSince > STEADY_MS ? 1 : crashesInARow + 1;
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (crashesInARow - 1), DELAY_MS_MAX);
      log(`${name} exited (${how}) and is restarted in ${delayMs / 1000} s`);
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      starting = startOnce();
      await starting.catch((error) => {
        if (!stopping.signal.aborted) log(`${name} did not start: ${error.message}`);
      });
    }
  }

  const started = starting;
  started.then(watch, () => {}); // the caller reports a failed first start
  return {
    started,
    async stop(graceMs) {
      graceMsAtStop = graceMs;
      stopping.abort();
      await running?.stop(graceMs);
      await starting.catch(() => {});
    },
  };
}
