#!/usr/bin/env node
// `npx clanxp`: the command line on Node 24, whichever Node it was started with. Standard output belongs to the
// command.

import { spawn } from "node:child_process";
import module from "node:module";
import { join } from "node:path";
import { cacheDir, compiledDir, root } from "./paths.js";
import { isInstalled } from "./setup/dependencies.js";
import { setUp } from "./setup/set-up.js";
import { isNewEnough } from "./setup/toolchain.js";
import { exitOnSignal } from "./system/exit-on-signal.js";
import { messageOf } from "./system/message-of.js";

const main = join(root, "apps", "cli", "main.ts");

if (isNewEnough() && isInstalled(root)) {
  module.enableCompileCache?.(process.env["NODE_COMPILE_CACHE"] ?? compiledDir);
  await import(main);
} else {
  await runOnNode24().catch((error) => {
    console.error(messageOf(error));
    process.exitCode = 1;
  });
}

async function runOnNode24() {
  exitOnSignal();
  const { node } = await setUp({ root, cacheDir, log: (line) => console.error(line) });
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.removeAllListeners(signal).on(signal, () => child.kill(signal));
  }
  child.on("exit", (code, signal) => {
    if (signal) endBy(signal);
    else process.exitCode = code ?? 1;
  });
}

/**
 * The shell must see the signal that ended the command.
 * @param {NodeJS.Signals} signal
 */
function endBy(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
