// Runs Go's own client with temporary caches, so that nothing outside the folder is changed.

import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run, type Ended } from "../system/run.js";

/** Two cores need up to four minutes for the largest. */
const GO_TIMEOUT_MS = 12 * 60_000;
/** Not optimized, without what debuggers read: building takes a fifth less CPU, and each program runs for a second. */
const UNOPTIMIZED = ["-gcflags=all=-N -l", "-ldflags=-s -w"];

/** Builds a program, named with its exact version, into a folder. */
export function goInstall(program: string, dir: string): Promise<{ reason: string } | undefined> {
  return withGo(dir, async (go) => {
    const ended = await go(["install", ...UNOPTIMIZED, program], { GOBIN: dir });
    return ended.ok ? undefined : { reason: ended.reason };
  });
}

/** Downloads the source of a module, named with its exact version, and hands its folder over. */
export function goModule(
  module: string,
  dir: string,
  take: (source: string) => void,
): Promise<{ reason: string } | undefined> {
  return withGo(dir, async (go) => {
    const ended = await go(["mod", "download", "-json", module], {});
    if (!ended.ok) return { reason: ended.reason };
    const source = /"Dir": "(.+)"/.exec(ended.output)?.[1];
    if (!source) return { reason: `go does not report the folder of ${module}` };
    take(source);
    return undefined;
  });
}

async function withGo(
  dir: string,
  use: (go: (args: string[], env: Record<string, string>) => Promise<Ended>) => Promise<{ reason: string } | undefined>,
) {
  const caches = mkdtempSync(join(dir, "go-"));
  const own = { GOPATH: join(caches, "path"), GOCACHE: join(caches, "build"), GOMODCACHE: join(caches, "modules") };
  // A program may require a newer Go than the installed one, which Go downloads itself.
  const settings = { ...own, GOFLAGS: "-modcacherw -buildvcs=false", GOTOOLCHAIN: "auto", CGO_ENABLED: "0" };
  try {
    return await use((args, env) =>
      run("go", args, { cwd: caches, env: { ...settings, ...env }, timeoutMs: GO_TIMEOUT_MS }),
    );
  } finally {
    rmSync(caches, { recursive: true, force: true });
  }
}
