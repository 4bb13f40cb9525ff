// Deletes data whose retention has ended, immediately and then every minute, until the process stops.
import { RETENTION_EVERY_MS } from "#usecases/batches/bounds.ts";
import type { Log } from "#runtime/ports.ts";

export function scheduleRetention(world: {
  applyRetention: (stopping: AbortSignal) => Promise<void>;
  ready: Promise<void>;
  log: Log;
}): {
  /** Resolves when no step is in progress. */
  stop(): Promise<void>;
} {
  const { applyRetention, ready, log } = world;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    try {
      await applyRetention(stopping.signal);
    } catch (error) {
      log.debug({ err: error }, "retention.failed");
    }
    if (!stopping.signal.aborted) timer = setTimeout(start, RETENTION_EVERY_MS);
  }
  function start(): void {
    if (!stopping.signal.aborted) running = run();
  }
  // If MongoDB cannot be used, another part of the process reports it and exits.
  ready.then(start, () => {});

  return {
    stop() {
      stopping.abort();
      clearTimeout(timer);
      return running;
    },
  };
}
