// Writes a file atomically. Only its owner can read it, because URLs may contain passwords.

import { renameSync, writeFileSync } from "node:fs";

export function writeWhole(path: string, content: string) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, path);
}
