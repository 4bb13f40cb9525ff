// A supervisor killed with -9 leaves processes behind. One that still works on a data folder is asked to go before the
// next start: two mongods must not meet on one folder, and its ports are wanted again.

import { startTimeOf, stopProcess } from "../system/processes.js";
import { isOf, removeContainer } from "./container.js";
import { readNote } from "./notes.js";

const GRACE_MS = 10_000;

/**
 * @param {string} dataDir
 * @param {string} name
 * @param {(line: string) => void} log
 */
export async function stopOrphan(dataDir, name, log) {
  const { pid, startTime, container } = readNote(dataDir, name);
  if (pid !== undefined && startTime !== undefined && startTimeOf(pid) === startTime) {
    log(`stopping ${name}, process ${pid}, left over from an earlier start on ${dataDir}`);
    await stopProcess(pid, GRACE_MS);
  }
  if (container !== undefined && isOf(container, dataDir)) await removeContainer(container);
}
