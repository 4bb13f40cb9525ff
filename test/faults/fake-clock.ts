// A wall clock that jumps: libfaketime, of Debian's package, lies to one process about the time. What runs steadily is
// left alone, since no system sets CLOCK_MONOTONIC back, and Node aborts where it does.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheDir } from "../../scripts/paths.js";
import { unpackDebianPackage } from "../../scripts/servers/debian.ts";
import { installFolder } from "../../scripts/system/install-folder.js";
import { withLock } from "../../scripts/system/lock.js";
import { run } from "../../scripts/system/run.js";
import { writeWhole } from "../../scripts/system/private-files.ts";

/** How far the clock is off: `+1h`, `-1h`, `+0`. */
export type Offset = `${"+" | "-"}${number}${"h" | ""}`;
export type FakeClock = {
  /** For the process that is to live by this clock. */
  env: Record<string, string>;
  /** Takes effect immediately. */
  set(offset: Offset): void;
};

/** Makes clocks, each set by its own file; returns the reason if this machine cannot. */
export async function findFakeClocks(): Promise<{ make(file: string): FakeClock } | { reason: string }> {
  const found = await withLock(`${cacheDir}/libfaketime.lock`, () => {}, fetchLibrary);
  if ("reason" in found) return { reason: `libfaketime: ${found.reason}` };
  return {
    make(file) {
      mkdirSync(dirname(file), { recursive: true });
      writeWhole(file, "+0\n");
      return {
        // Without its cache a jump acts at the next look at the clock.
        env: {
          LD_PRELOAD: found.value,
          FAKETIME_TIMESTAMP_FILE: file,
          FAKETIME_NO_CACHE: "1",
          DONT_FAKE_MONOTONIC: "1",
        },
        set: (offset) => writeWhole(file, `${offset}\n`),
      };
    },
  };
}

function fetchLibrary(): Promise<{ value: string } | { reason: string }> {
  return installFolder({
    dest: join(cacheDir, "libfaketime"),
    program: libraryIn,
    fill: (dir) => unpackDebianPackage("libfaketime", dir),
    async tryOut(dir) {
      const library = libraryIn(dir);
      const env = { LD_PRELOAD: library, FAKETIME: "+1h", DONT_FAKE_MONOTONIC: "1" };
      const ended = await run(process.execPath, ["--print", "Date.now()"], { env });
      if (!ended.ok) return { reason: ended.reason };
      const isAhead = Number(ended.output) > Date.now() + 3_000_000;
      return isAhead ? { value: library } : { reason: `Node does not heed it: ${ended.output.trim()}` };
    },
    log: () => {},
  });
}

/** Its folder is named after the machine's architecture. */
function libraryIn(dir: string): string {
  const libs = join(dir, "usr", "lib");
  const folders = existsSync(libs) ? readdirSync(libs) : [];
  const files = folders.map((folder) => join(libs, folder, "faketime", "libfaketime.so.1"));
  return files.find((file) => existsSync(file)) ?? join(libs, "libfaketime.so.1");
}
