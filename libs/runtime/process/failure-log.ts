// Logs failures that occur in thousands: the first of each kind immediately, then one line per second with the number
// of those since.
import type { AppError } from "#domain/app-error.ts";
import type { Clock, Log } from "#usecases/ports.ts";

export type FailureLog = { note(error: AppError): void };

const LINE_EVERY_MS = 1_000;

export function makeFailureLog({ clock, log }: { clock: Clock; log: Log }): FailureLog {
  const kinds = new Map<string, { loggedAtMs: number; unlogged: number }>();
  return {
    note(error) {
      const kind = kinds.get(error.code) ?? { loggedAtMs: -LINE_EVERY_MS, unlogged: 0 };
      kinds.set(error.code, kind);
      const nowMs = clock.monotonicMs();
      if (nowMs - kind.loggedAtMs < LINE_EVERY_MS) {
        kind.unlogged += 1;
        return;
      }
      log.warn({ code: error.code, alsoSinceLastLine: kind.unlogged, err: error }, "request.unavailable");
      kind.loggedAtMs = nowMs;
      kind.unlogged = 0;
    },
  };
}
