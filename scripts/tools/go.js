// Go's own client, with caches of its own that are gone afterwards: nothing outside the folder is touched.

import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "../system/run.js";

/** Two cores need up to four minutes for the largest. */
const GO_TIMEOUT_MS = 12 * 60_000;
/** Not optimized, without what debuggers read: building takes a fifth less CPU, and each program runs for a second. */
const UNOPTIMIZED = ["-gcflags=all=-N -l", "-ldflags=-s -w"];

/**
 * Builds a program, named with its exact version, into a folder.
 * @param {string} program
 * @param {string} dir
 * @returns {Promise<{ reason: string } | undefined>}
 */
export function goInstall(program, dir) {
  return withGo(dir, async (go) => {
    const ended = await go(["install", ...UNOPTIMIZED, program], { GOBIN: dir });
    return ended.ok ? undefined : { reason: ended.reason };
  });
}

/**
 * Fetches the source of a module and hands its folder over.
 * @param {string} module with its exact version
 * @param {string} dir
 * @param {(source: string) => void} take
 * @returns {Promise<{ reason: string } | undefined>}
 */
export function goModule(module, dir, take) {
  return withGo(dir, async (go) => {
    const ended = await go(["mod", "download", "-json", module], {});
    if (!ended.ok) return { reason: ended.reason };
    const source = /"Dir": "(.+)"/.exec(ended.output)?.[1];
    if (!source) return { reason: `go does not say where it put ${module}` };
    take(source);
    return undefined;
  });
}

/**
 * @param {string} dir
 * @param {(go: (args: string[], env: Record<string, string>) => Promise<import("../system/run.js").Ended>) => Promise<{ reason: string } | undefined>} use
 */
async function withGo(dir, use) {
  const caches = mkdtempSync(join(dir, "go-"));
  const own = { GOPATH: join(caches, "path"), GOCACHE: join(caches, "build"), GOMODCACHE: join(caches, "modules") };
  // A program may ask for a newer Go than is here: Go fetches that by itself.
  const settings = { ...own, GOFLAGS: "-modcacherw -buildvcs=false", GOTOOLCHAIN: "auto", CGO_ENABLED: "0" };
  try {
    return await use((args, env) =>
      run("go", args, { cwd: caches, env: { ...settings, ...env }, timeoutMs: GO_TIMEOUT_MS }),
    );
  } finally {
    rmSync(caches, { recursive: true, force: true });
  }
}
