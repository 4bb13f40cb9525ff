// A tool that the cache has, tried out; fetching one takes minutes and is only done when asked for.

import { join } from "node:path";
import { land, landed } from "../system/land.js";
import { withProgress } from "../system/progress.js";
import { run } from "../system/run.js";

/** @typedef {{ path: string, env: Record<string, string> }} Found */

/**
 * @param {import("./list.js").Tool} tool
 * @param {{ cacheDir: string, mayFetch: boolean, log: (line: string) => void }} context
 * @returns {Promise<{ value: Found } | { reason: string }>}
 */
export async function findTool(tool, { cacheDir, mayFetch, log }) {
  const landing = {
    dest: join(cacheDir, "tools", tool.folder),
    program: tool.program,
    tryOut: (/** @type {string} */ dir) => tryOut(tool, dir),
    fill: (/** @type {string} */ dir) => withProgress(log, `fetching ${tool.folder}`, tool.fill(dir)),
    log,
  };
  return mayFetch ? land(landing) : landed(landing);
}

/**
 * @param {import("./list.js").Tool} tool
 * @param {string} dir
 * @returns {Promise<{ value: Found } | { reason: string }>}
 */
async function tryOut(tool, dir) {
  const found = { path: tool.program(dir), env: tool.env?.(dir) ?? {} };
  if (!tool.check) return { value: found };
  const ended = await run(found.path, tool.check, { env: found.env });
  return ended.ok ? { value: found } : { reason: ended.reason };
}
