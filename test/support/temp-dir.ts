// Folders of one test or of one test file, removed after it.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** Of the running test. */
export function tempDir(): string {
  const dir = makeDir();
  onTestFinished(() => remove(dir));
  return dir;
}

/** Of a file or a `describe`: call it where that begins. */
export function useTempDir(): string {
  const dir = makeDir();
  afterAll(() => remove(dir));
  return dir;
}

/** As `useTempDir`: what it returns writes a file into the folder, and returns its path. */
export function useFiles(): (name: string, text: string) => string {
  const dir = useTempDir();
  return (name, text) => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
}

function makeDir(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "clanxp-test-")));
}

function remove(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
}
