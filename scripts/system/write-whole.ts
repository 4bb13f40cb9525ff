// A file that readers see whole or not at all. Readable by its owner alone, since URLs may hold passwords.

import { renameSync, writeFileSync } from "node:fs";

export function writeWhole(path: string, content: string) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, path);
}
