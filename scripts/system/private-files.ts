// Files and folders that only their owner can access, because they hold data, logs, and URLs with passwords.
import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs";

/** Creates it. An existing folder is restricted, too. */
export function privateFolder(path: string) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  return path;
}

/** Atomically. */
export function writeWhole(path: string, content: string) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, path);
}
