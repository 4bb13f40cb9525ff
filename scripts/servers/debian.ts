// Debian and Ubuntu packages, unpacked into a folder and not installed: no root, and nothing of the machine is changed.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "../system/run.js";

const APT_TIMEOUT_MS = 3 * 60_000;

/** Unpacks a package with whatever it needs that the machine lacks. */
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

/** Where the loader finds the libraries that were unpacked into a folder. */
export function librariesIn(dir: string): Record<string, string> {
  const folders = ["usr/lib", "lib"].flatMap((lib) => {
    const path = join(dir, lib);
    if (!existsSync(path)) return [];
    const inner = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    // Of PulseAudio's libraries one looks for the other in a folder of the system.
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
  // Only simulated: apt alone knows which of the packages that this one needs are missing here.
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
 * A bare machine has no package lists, or old ones. They are fetched into a folder of ours, which needs no root; a
 * source that does not answer is no reason to give up, since another may have the package.
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
