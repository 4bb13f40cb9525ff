// Creates a folder that only its owner can access, for data, logs and notes. An existing folder is restricted, too.

import { chmodSync, mkdirSync } from "node:fs";

export function privateFolder(path: string) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  return path;
}
