// The data folder holds the database, queued jobs and an API key: no other user of the machine reads it.
import { chmodSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDataFolder } from "../../scripts/supervise/data-folder.ts";
import { privateFolder } from "../../scripts/system/private-files.ts";
import { tempDir } from "../support/temp-dir.ts";

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test("a new data folder is accessible by its owner only, and an existing one keeps its mode", () => {
  const [fresh, shared] = [join(tempDir(), "new"), join(tempDir(), "shared")];
  mkdirSync(shared);
  chmodSync(shared, 0o750);
  for (const dir of [fresh, shared]) openDataFolder(dir).close();
  expect([modeOf(fresh), modeOf(shared)]).toStrictEqual([0o700, 0o750]);
});

test("a readable subfolder of an earlier version is made private", () => {
  const dir = join(tempDir(), "logs");
  mkdirSync(dir);
  chmodSync(dir, 0o755);
  expect(modeOf(privateFolder(dir))).toBe(0o700);
});
