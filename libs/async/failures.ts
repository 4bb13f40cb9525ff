// What differs between a server that is unavailable and a bug, wherever work is repeated until it succeeds.
import { AppError } from "#kernel/app-error.ts";

/** A bug is logged once a minute at most, however often the work is repeated. */
const BUG_LOGGED_EVERY_MS = 60_000;

type Log = Record<"debug" | "error", (fields: object, event: string) => void>;

/** Everything else that is thrown is a bug, which would fail for ever. */
export function isOutage(error: unknown): error is AppError {
  return error instanceof AppError && error.code !== "internal";
}

/** For `repeat` and `retry`: of an outage, another part of the process reports more; a bug is an error. */
export function logFailures(log: Log, event: string, fields: object = {}): (error: unknown, more?: object) => void {
  let nextMs = -Infinity;
  return (error, more) => {
    const line = { ...fields, ...more, err: error };
    if (isOutage(error)) return log.debug(line, event);
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + BUG_LOGGED_EVERY_MS;
    log.error(line, event);
  };
}
