// Notes in the data folder about its processes: the process itself (to stop an orphan), and for a server its port (to
// reuse it) and the version that wrote the data (another one may not be able to read it).

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { privateFolder, writeWhole } from "../system/private-files.ts";
import { startTimeOf } from "../system/processes.js";

export type Note = {
  pid?: number;
  /** Identifies the process, together with the pid. */
  startTime?: string | undefined;
  /** The container in which it runs. */
  container?: string | undefined;
  port?: number;
  version?: string;
  from?: string;
};

export function readNote(dataDir: string, name: string): Note {
  try {
    return JSON.parse(readFileSync(noteFile(dataDir, name), "utf8"));
  } catch {
    return {}; // none yet, or incomplete after a power failure
  }
}

export function writeNote(dataDir: string, name: string, note: Note & { pid: number }) {
  const file = noteFile(dataDir, name);
  privateFolder(dirname(file));
  writeWhole(file, `${JSON.stringify({ ...note, startTime: startTimeOf(note.pid) })}\n`);
}

function noteFile(dataDir: string, name: string) {
  return join(dataDir, "services", `${name}.json`);
}
