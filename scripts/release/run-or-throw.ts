// Runs a command that a release cannot do without.

import { run } from "../system/run.js";

/** Returns its output. Throws "<what>: <reason>" if it fails. */
export async function runOrThrow(
  what: string,
  command: string,
  args: string[],
  options?: Parameters<typeof run>[2],
): Promise<string> {
  const ended = await run(command, args, options);
  if (!ended.ok) throw new Error(`${what}: ${ended.reason}`);
  return ended.output;
}
