// npm, as a user of the package runs it: the toolchain's own version where there is one, and never for longer than the
// bound.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../../../scripts/paths.js";
import { run } from "../../../scripts/system/run.js";

const NPM_TIMEOUT_MS = 120_000;
const toolchainNpm = join(cacheDir, "toolchain", "node_modules", "npm", "bin", "npm-cli.js");

/** Throws with npm's own words when it fails. */
export async function npm(args: string[], cwd: string, timeoutMs = NPM_TIMEOUT_MS): Promise<string> {
  const [command, ...before] = existsSync(toolchainNpm) ? [process.execPath, toolchainNpm] : ["npm"];
  const ended = await run(command, [...before, ...args], { cwd, env: withoutNpmSettings(), timeoutMs });
  if (!ended.ok) throw new Error(`npm ${args.join(" ")}: ${ended.reason}\n${ended.output}`);
  return ended.output;
}

/**
 * `npm test` hands this repository's settings on in its environment, where they would win over the package's own
 * (ignore-scripts).
 */
function withoutNpmSettings(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) => /^npm_config_/i.test(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}
