// A progress bar, only on a terminal: on standard error, removed when the result is printed.
import { load } from "../open/load.ts";

export type Terminal = NodeJS.WriteStream;
export type Progress = { show(done: number): void; close(): void };

/** `total` is computed only if the bar is shown; it may be an estimate. */
export async function openProgress(terminal: Terminal | null, total: () => Promise<number>): Promise<Progress> {
  if (!terminal) return { show() {}, close() {} };
  const [{ default: cliProgress }, size] = await Promise.all([load.progressBar(), total()]);
  const format = "{bar} {percentage}%  {value} of {total}  {eta_formatted} left";
  const bar = new cliProgress.SingleBar(
    { stream: terminal, format, clearOnComplete: true, hideCursor: null },
    cliProgress.Presets.shades_classic,
  );
  bar.start(size, 0);
  return {
    show(done) {
      // The stored data may grow while it is read.
      if (done > bar.getTotal()) bar.setTotal(done);
      bar.update(done);
    },
    close: () => bar.stop(),
  };
}
