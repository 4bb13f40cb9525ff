// Logs failures that can occur thousands of times: the first of each kind immediately, then one line per second with
// the number of further ones.
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

/** `requestId`: of the request that failed, where there is one. */
export type FailureLog = { note(error: Error & { code: string }, requestId?: string): void };

const LINE_EVERY_MS = 1_000;

export function makeFailureLog({ clock, log }: { clock: Clock; log: Log }): FailureLog {
  const kinds = new Map<string, { loggedAtMs: number; unlogged: number }>();
  return {
    note(error, requestId) {
      const kind = kinds.get(error.code) ?? { loggedAtMs: -LINE_EVERY_MS, unlogged: 0 };
      kinds.set(error.code, kind);
      const nowMs = clock.monotonicMs();
      if (nowMs - kind.loggedAtMs < LINE_EVERY_MS) {
        kind.unlogged += 1;
        return;
      }
      const facts = { code: error.code, requestId, alsoSinceLastLine: kind.unlogged, err: error };
      log.warn(facts, "request.unavailable");
      kind.loggedAtMs = nowMs;
      kind.unlogged = 0;
    },
  };
}
