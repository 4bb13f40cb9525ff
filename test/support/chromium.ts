// Chromium for the tests of the dashboard: the machine's, or one that is downloaded into the cache like the servers.
import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { cacheDir } from "../../scripts/paths.js";
import { findServer } from "../../scripts/servers/find-server.ts";
import { servers } from "../../scripts/servers/providers.ts";

type FoundChromium = { command: string; env?: Record<string, string> | undefined };

/** Rejects with every way that was tried. */
export function findChromium(): Promise<FoundChromium> {
  return findServer(servers.chromium, { cacheDir, log: () => {} });
}

export function launchChromium({ command, env }: FoundChromium): Promise<Browser> {
  return chromium.launch({
    executablePath: wholePath(command),
    env: { ...process.env, ...env },
    // Containers and CI run as root, where Chromium's sandbox does not work; it opens only the dashboard.
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
}

function wholePath(command: string): string {
  const folders = isAbsolute(command) ? [""] : (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path)) ?? command;
}
