// Chromium for whoever drives the pages of the dashboard: the one that `npm run setup:tools` fetches, else the machine's
// own, else one fetched into the cache as the servers are.
import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { cacheDir } from "../../scripts/paths.js";
import { findServer } from "../../scripts/servers/find-server.js";
import { servers } from "../../scripts/servers/list.js";
import { findTool } from "../../scripts/tools/find-tool.js";
import { tools } from "../../scripts/tools/list.js";

type FoundChromium = { command: string; env?: Record<string, string> | undefined };

/** Rejects with every way that was tried. */
export async function findChromium(): Promise<FoundChromium> {
  const shell = await findTool(tools.chromium, { cacheDir, mayFetch: false, log: () => {} });
  if ("value" in shell) return { command: shell.value.path, env: shell.value.env };
  return findServer(servers.chromium, { cacheDir, node: process.execPath, log: () => {} });
}

export function launchChromium({ command, env }: FoundChromium): Promise<Browser> {
  return chromium.launch({
    executablePath: wholePath(command),
    env: { ...process.env, ...env },
    args: [
      // Containers and CI run as root, where Chromium refuses its sandbox; it opens nothing but the dashboard.
      "--no-sandbox",
      "--disable-dev-shm-usage",
      // No process to stand in for a graphics card, and none for each site: they take a tenth of the CPU.
      "--disable-gpu",
      "--disable-software-rasterizer",
      "--disable-site-isolation-trials",
      "--renderer-process-limit=1",
    ],
  });
}

function wholePath(command: string): string {
  const folders = isAbsolute(command) ? [""] : (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path)) ?? command;
}
