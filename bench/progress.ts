// One line that says what is being measured: it moves on a terminal, and elsewhere comes once a round.
import type { WriteStream } from "node:tty";

export type ProgressLine = { show(now: string, share: number): void; log(line: string): void; close(): void };

export function openProgress(stream: Pick<WriteStream, "write"> & { isTTY?: boolean }): ProgressLine {
  let lastPhase = "";
  const clear = (): void => void (stream.isTTY && stream.write("\r\u001B[K"));
  return {
    show(now, share) {
      const line = `${String(Math.round(share * 100)).padStart(3)} %  ${now}`;
      if (stream.isTTY) return void stream.write(`\r\u001B[K${line}`);
      const phase = now.split(":")[0] ?? now;
      if (phase !== lastPhase) stream.write(`${phase}\n`);
      lastPhase = phase;
    },
    log(line) {
      clear();
      stream.write(`${line}\n`);
    },
    close: clear,
  };
}
