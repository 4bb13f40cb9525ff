// Repeats work with a pause in between.

/** Runs it this long after it last ended, until it is stopped. A failure is retried at the next turn. */
export function repeat(
  pauseMs: number,
  run: () => Promise<unknown>,
  failed: (error: unknown) => void,
): { stop(): Promise<void> } {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;
  function next(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = run()
        .then(() => {}, failed)
        .finally(next);
    }, pauseMs);
  }
  next();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
