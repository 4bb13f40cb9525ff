// A folder of one test, removed after it.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "clanxp-scripts-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
