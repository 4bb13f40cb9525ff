// A supervisor that was killed with -9 leaves processes running. A process that still uses the data folder is stopped
// before the next start: two mongods must not use one folder, and its ports are needed again.

import { startTimeOf, stopProcess } from "../system/processes.js";
import { isOf, removeContainer } from "./container.ts";
import { readNote } from "./notes.ts";

const GRACE_MS = 10_000;

export async function stopOrphan(dataDir: string, name: string, log: (line: string) => void) {
  const { pid, startTime, container } = readNote(dataDir, name);
  if (pid !== undefined && startTime !== undefined && startTimeOf(pid) === startTime) {
    log(`stopping ${name}, process ${pid}, left over from an earlier start on ${dataDir}`);
    await stopProcess(pid, GRACE_MS);
  }
  if (container !== undefined && isOf(container, dataDir)) await removeContainer(container);
}
