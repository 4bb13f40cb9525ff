// A disk that can be full: a file system in memory, mounted where a server is about to keep its data.
import { execFileSync } from "node:child_process";
import { mkdirSync, statfsSync } from "node:fs";

/** Room for any run of these tests; memory is taken as data comes. */
const ROOM = "4g";
/** A server that still writes may outrun the limit that is set. */
const TRIES_MAX = 50;

export type Disk = {
  /** From now on there is no room at all. */
  fill(): void;
  makeRoom(): void;
};

/** Ended with whatever else is mounted in the test's folder; the reason where this machine cannot. */
export function mountDisk(folder: string): Disk | { reason: string } {
  if (process.getuid?.() !== 0) return { reason: "only root may mount a disk of limited size" };
  mkdirSync(folder, { recursive: true });
  const mount = (...args: readonly string[]): void => void execFileSync("mount", [...args, folder], { stdio: "pipe" });
  try {
    mount("-t", "tmpfs", "-o", `size=${ROOM}`, "tmpfs");
  } catch (error) {
    return { reason: `no disk of limited size can be mounted: ${String(error).replaceAll("\n", " ")}` };
  }
  return {
    fill() {
      for (let tries = 1; ; tries += 1) {
        const { blocks, bfree, bsize } = statfsSync(folder);
        try {
          return mount("-o", `remount,size=${(blocks - bfree) * bsize}`);
        } catch (error) {
          if (tries === TRIES_MAX) throw error;
        }
      }
    },
    makeRoom: () => mount("-o", `remount,size=${ROOM}`),
  };
}
