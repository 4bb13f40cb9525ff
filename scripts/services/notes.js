// What the data folder remembers of its processes: which one it was (to stop an orphan), and of a server its port (to
// be found again at the same place) and who wrote the data (another version may not read it).

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { privateFolder } from "../system/private-folder.js";
import { startTimeOf } from "../system/processes.js";
import { writeWhole } from "../system/write-whole.js";

/**
 * @typedef {object} Note
 * @property {number} [pid]
 * @property {string | undefined} [startTime] with the pid: the process
 * @property {string | undefined} [container] it runs in
 * @property {number} [port]
 * @property {string} [version]
 * @property {string} [from]
 */

/**
 * @param {string} dataDir
 * @param {string} name
 * @returns {Note}
 */
export function readNote(dataDir, name) {
  try {
    return JSON.parse(readFileSync(noteFile(dataDir, name), "utf8"));
  } catch {
    return {}; // none yet, or torn by a power cut
  }
}

/**
 * @param {string} dataDir
 * @param {string} name
 * @param {Note & { pid: number }} note
 */
export function writeNote(dataDir, name, note) {
  const file = noteFile(dataDir, name);
  privateFolder(dirname(file));
  writeWhole(file, `${JSON.stringify({ ...note, startTime: startTimeOf(note.pid) })}\n`);
}

/**
 * @param {string} dataDir
 * @param {string} name
 */
function noteFile(dataDir, name) {
  return join(dataDir, "services", `${name}.json`);
}
