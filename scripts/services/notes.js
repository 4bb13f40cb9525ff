// What the data folder remembers of its servers: pid (to stop an orphan), port (to be found again at the same place) and
// who wrote the data (another version may not read it).

import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeWhole } from "../system/write-whole.js";

/** @typedef {{ pid: number, startTime: string | undefined, port: number, version: string, from: string }} Note */

/**
 * @param {string} dataDir
 * @param {string} name
 * @returns {Partial<Note>}
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
 * @param {Note} note
 */
export function writeNote(dataDir, name, note) {
  const file = noteFile(dataDir, name);
  mkdirSync(dirname(file), { recursive: true });
  writeWhole(file, `${JSON.stringify(note)}\n`);
}

/**
 * @param {string} dataDir
 * @param {string} name
 */
function noteFile(dataDir, name) {
  return join(dataDir, "services", `${name}.json`);
}
