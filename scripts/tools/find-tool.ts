// Finds and tests a tool in the cache. Downloading one takes minutes and is done only on request.

import { join } from "node:path";
import { installFolder, findInstalled } from "../system/install-folder.js";
import { withProgress } from "../system/progress.js";
import { run } from "../system/run.js";
import type { Tool } from "./list.ts";

export type Found = { path: string; env: Record<string, string> };

export async function findTool(
  tool: Tool,
  { cacheDir, mayFetch, log }: { cacheDir: string; mayFetch: boolean; log: (line: string) => void },
): Promise<{ value: Found } | { reason: string }> {
  const installation = {
    dest: join(cacheDir, "tools", tool.folder),
    program: tool.program,
    tryOut: (dir: string) => tryOut(tool, dir),
    fill: (dir: string) => withProgress(log, `fetching ${tool.folder}`, tool.fill(dir)),
    log,
  };
  return mayFetch ? installFolder(installation) : findInstalled(installation);
}

async function tryOut(tool: Tool, dir: string): Promise<{ value: Found } | { reason: string }> {
  const found = { path: tool.program(dir), env: tool.env?.(dir) ?? {} };
  if (!tool.check) return { value: found };
  const ended = await run(found.path, tool.check, { env: found.env });
  return ended.ok ? { value: found } : { reason: ended.reason };
}
