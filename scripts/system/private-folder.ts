// A folder that its owner alone can read: data, logs with what servers say, notes. Also one that an earlier version
// left open.

import { chmodSync, mkdirSync } from "node:fs";

export function privateFolder(path: string) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  return path;
}
