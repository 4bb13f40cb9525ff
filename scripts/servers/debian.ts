// Debian and Ubuntu packages, unpacked into a folder and not installed: this needs no root and does not change the
// machine.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "../system/run.js";

const APT_TIMEOUT_MS = 3 * 60_000;

/** Unpacks a package with all dependencies that the machine lacks. */
export async function unpackDebianPackage(name: string, dir: string): Promise<{ reason: string } | undefined> {
  const debs = mkdtempSync(join(dir, "debs-"));
  try {
    const failure = (await fetchDebs(name, debs, [])) && (await fetchDebs(name, debs, await freshLists(debs)));
    if (failure) return failure;
    for (const deb of readdirSync(debs).filter((file) => file.endsWith(".deb"))) {
      const unpacked = await run("dpkg-deb", ["--extract", join(debs, deb), dir]);
      if (!unpacked.ok) return { reason: unpacked.reason };
    }
    return undefined;
  } finally {
    rmSync(debs, { recursive: true, force: true });
  }
}

/** The folders in which the loader finds the libraries that were unpacked into a folder. */
export function librariesIn(dir: string): Record<string, string> {
  const folders = ["usr/lib", "lib"].flatMap((lib) => {
    const path = join(dir, lib);
    if (!existsSync(path)) return [];
    const inner = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    // One of PulseAudio's libraries searches for another in a system folder.
    return [
      path,
      ...inner.map((entry) => join(path, entry.name)),
      ...inner.map((entry) => join(path, entry.name, "pulseaudio")),
    ];
  });
  if (folders.length === 0) return {};
  const inherited = process.env.LD_LIBRARY_PATH;
  return { LD_LIBRARY_PATH: [...folders, ...(inherited ? [inherited] : [])].join(":") };
}

async function fetchDebs(name: string, debs: string, options: string[]): Promise<{ reason: string } | undefined> {
  // Only a simulation, because only apt knows which dependencies are missing on this machine.
  const simulate = ["install", "--simulate", "--no-install-recommends", "--reinstall", name];
  const plan = await run("apt-get", [...options, ...simulate], {
    timeoutMs: APT_TIMEOUT_MS,
    env: { LC_ALL: "C" },
  });
  if (!plan.ok) return { reason: plan.reason };
  const missing = [...plan.output.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? "");
  const fetched = await run("apt-get", [...options, "download", ...missing], {
    cwd: debs,
    timeoutMs: APT_TIMEOUT_MS,
  });
  return fetched.ok ? undefined : { reason: fetched.reason };
}

/**
 * A new machine has no package lists, or old ones. They are fetched into a folder of the project, which needs no root.
 * If one source does not respond, another may have the package.
 */
async function freshLists(debs: string) {
  const lists = join(debs, "lists");
  const cache = join(debs, "cache");
  mkdirSync(join(lists, "partial"), { recursive: true });
  mkdirSync(join(cache, "archives", "partial"), { recursive: true });
  const settings = [
    `Dir::State::lists=${lists}`,
    `Dir::Cache=${cache}`,
    "APT::Sandbox::User=",
    "Acquire::Retries=1",
    "Acquire::http::Timeout=20",
    "Acquire::https::Timeout=20",
  ];
  const options = settings.flatMap((setting) => ["-o", setting]);
  await run("apt-get", [...options, "update"], { timeoutMs: APT_TIMEOUT_MS });
  return options;
}
