// File systems that tests have mounted: found again by their place, so that none stays behind a run that was killed.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Ends every mount in this folder, whatever still uses it. */
export function unmountAllIn(folder: string): void {
  for (const place of mountsIn(folder)) execFileSync("umount", ["--lazy", place]);
}

function mountsIn(folder: string): string[] {
  if (!existsSync("/proc/self/mounts")) return [];
  const places = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    // A space in a path is written \040.
    .map((line) =>
      (line.split(" ")[1] ?? "").replace(/\\(\d{3})/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 8)),
      ),
    );
  return places.filter((place) => place.startsWith(`${folder}/`));
}
