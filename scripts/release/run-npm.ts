// Runs the npm of the set-up in a folder of the checkout, with the settings of that folder and of the user.

import { run } from "../system/run.js";

const TIMEOUT_MS = 10 * 60_000;

/** `npm run` passes this repository's own setting on, which would override that of the folder. */
export const npmEnv: NodeJS.ProcessEnv = { npm_config_ignore_scripts: undefined };

/** `cli`: the script that this process's Node runs. Throws with npm's own code and message if it fails. */
export async function runNpm(cli: string, args: string[], cwd: string): Promise<string> {
  const ended = await run(process.execPath, [cli, ...args], { cwd, env: npmEnv, timeoutMs: TIMEOUT_MS });
  if (ended.ok) return ended.output;
  const code = /^npm error code (\w+)$/m.exec(ended.output)?.[1];
  throw new Error([`npm ${args[0]}`, code, ended.reason].filter(Boolean).join(": "));
}
