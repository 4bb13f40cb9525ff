// Ends a process: once, in order, in bounded time.
import type { Log } from "#kernel/log.ts";

/** Shorter than the grace periods of the supervisor and of orchestrators. */
const SHUTDOWN_MS_MAX = 8_000;

/**
 * Runs `close` at the first SIGTERM or SIGINT, or when the parent of an IPC channel has exited, and exits with code 0;
 * after 8 s, or if it throws, with code 1. Later signals have no effect. An uncaught error is logged, and ends the
 * process in the same way with code 1.
 */
export function onShutdown(close: () => Promise<void>, log: Log): void {
  let closing = false;
  async function shutdown(reason: string, exitCode: number): Promise<void> {
    if (closing) return;
    closing = true;
    log.info({ reason }, "process.stopping");
    const timer = setTimeout(() => {
      log.error({ afterMs: SHUTDOWN_MS_MAX }, "process.stop_timed_out");
      process.exit(1);
    }, SHUTDOWN_MS_MAX);
    try {
      await close();
      clearTimeout(timer);
      log.info({ reason }, "process.stopped");
      process.exit(exitCode);
    } catch (error) {
      log.error({ err: error }, "process.stop_failed");
      process.exit(1);
    }
  }
  process.on("SIGTERM", () => void shutdown("SIGTERM", 0));
  process.on("SIGINT", () => void shutdown("SIGINT", 0));
  if ("connected" in process) {
    process.on("disconnect", () => void shutdown("parent is gone", 0));
    // The parent may have exited before the listener was added.
    if (!process.connected) void shutdown("parent is gone", 0);
  }
  const fatal = (error: unknown): void => {
    log.error({ err: error }, "process.uncaught_exception");
    void shutdown("uncaught error", 1);
  };
  process.on("uncaughtException", fatal);
  process.on("unhandledRejection", fatal);
}
