// Removes what a test run leaves: its folders with what is mounted in them, and every process that works in them. It
// acts when its standard input closes, so also after a run that was killed and could not tidy up itself.
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stopOrphan } from "../../scripts/services/stop-orphan.ts";
import { startTimeOf, stopProcess } from "../../scripts/system/processes.js";
import { unmountAllIn } from "./mounts.ts";

const SUPERVISOR_GRACE_MS = 15_000;
const MEMORY_DISK = "/dev/shm";

const runDirs = process.argv.slice(2);
await once(process.stdin.resume(), "close");
await Promise.all(runDirs.flatMap((dir) => dataFoldersIn(dir, 2)).map(stopEverythingOn));
for (const dir of runDirs) {
  unmountAllIn(dir);
  rmSync(dir, { recursive: true, force: true });
}
if (existsSync(MEMORY_DISK)) removeFakeClocks();

/** Folders in which `npm start` or the run's own servers keep their notes. */
function dataFoldersIn(dir: string, depth: number): string[] {
  if (existsSync(join(dir, "services"))) return [dir];
  if (depth === 0) return [];
  const folders = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => dataFoldersIn(join(dir, name), depth - 1));
}

async function stopEverythingOn(dataDir: string): Promise<void> {
  const supervisor = holderOf(join(dataDir, "lock"));
  if (supervisor) await stopProcess(supervisor, SUPERVISOR_GRACE_MS);
  for (const name of ["api", "worker", "redis", "mongod"]) await stopOrphan(dataDir, name, () => {});
}

function holderOf(lockFile: string): number | undefined {
  if (!existsSync(lockFile)) return undefined;
  const { pid, startTime } = JSON.parse(readFileSync(lockFile, "utf8"));
  return startTimeOf(pid) === startTime ? pid : undefined;
}

/** libfaketime leaves two files for each process that was killed, named after its pid. */
function removeFakeClocks(): void {
  for (const file of readdirSync(MEMORY_DISK)) {
    const [, pid] = /^(?:sem\.faketime_sem|faketime_shm)_(\d+)$/.exec(file) ?? [];
    if (pid !== undefined && !existsSync(join("/proc", pid))) rmSync(join(MEMORY_DISK, file), { force: true });
  }
}
