// What the data folder remembers of its processes: which one it was (to stop an orphan), and of a server its port (to
// be found again at the same place) and who wrote the data (another version may not read it).

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { privateFolder } from "../system/private-folder.ts";
import { startTimeOf } from "../system/processes.js";
import { writeWhole } from "../system/write-whole.ts";

export type Note = {
  pid?: number;
  /** With the pid: the process. */
  startTime?: string | undefined;
  /** It runs in. */
  container?: string | undefined;
  port?: number;
  version?: string;
  from?: string;
};

export function readNote(dataDir: string, name: string): Note {
  try {
    return JSON.parse(readFileSync(noteFile(dataDir, name), "utf8"));
  } catch {
    return {}; // none yet, or torn by a power cut
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
