// Tests a server program: it is available if it prints its version.

import { run } from "../system/run.js";

const VERSION_TIMEOUT_MS = 10_000;

export async function versionOf(
  command: string,
  env?: Record<string, string>,
): Promise<{ value: string } | { reason: string }> {
  const ended = await run(command, ["--version"], { env, timeoutMs: VERSION_TIMEOUT_MS });
  if (!ended.ok) return { reason: ended.reason };
  return versionIn(ended.output);
}

/** "db version v8.0.4", "Redis server v=7.0.15 sha=...", "Valkey server v=8.0.1 ...", "Chromium 156.0.8078.79 ..." */
export function versionIn(output: string): { value: string } | { reason: string } {
  const version = /\b(?:v=?|Chrom(?:e|ium) )(\d+\.\d+\.\d+)/.exec(output)?.[1];
  return version
    ? { value: version }
    : { reason: `it does not print its version, but "${output.trim().slice(0, 100)}"` };
}
