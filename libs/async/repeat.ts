// Repeats work with a pause in between.

export type Repeated = {
  /** Runs it without the rest of the pause, unless it is running. */
  now(): void;
  /** Resolves when it is not running. */
  stop(): Promise<void>;
};

/**
 * Runs it this long after it last ended (a function is called then), until it is stopped. A failure is retried at the
 * next run, once `failed` has ended.
 */
export function repeat(
  pauseMs: number | (() => number),
  run: () => Promise<unknown>,
  failed: (error: unknown) => unknown,
): Repeated {
  let stopped = false;
  let running: Promise<unknown> | null = null;
  let timer: NodeJS.Timeout | undefined;
  function pause(): void {
    running = null;
    if (!stopped) timer = setTimeout(now, typeof pauseMs === "number" ? pauseMs : pauseMs());
  }
  function now(): void {
    clearTimeout(timer);
    if (stopped) return;
    running ??= run()
      .then(() => {}, failed)
      .finally(pause);
  }
  pause();
  return {
    now,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
