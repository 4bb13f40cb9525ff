// Runs a TypeScript entry point on Node 24, whichever Node the command was started with: in this process if everything
// is installed, otherwise after set-up in a new process. Standard output belongs to the entry point.

import { spawn } from "node:child_process";
import module from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cacheDir, compiledDir, root } from "../paths.js";
import { exitOnSignal } from "../system/exit-on-signal.js";
import { messageOf } from "../system/message-of.js";
import { isInstalled } from "./dependencies.js";
import { setUp } from "./set-up.js";
import { isNewEnough } from "./toolchain.js";

/**
 * @param {string} entry relative to the root
 * @param {object} [options]
 * @param {string} [options.lastWords] what standard output ends with when set-up fails
 * @param {number} [options.stopCode] the exit code after a signal, for an entry point that runs until it gets one
 * @param {string} [options.meanwhile] see setUp
 */
export async function onNode24(entry, { lastWords, stopCode, meanwhile } = {}) {
  const main = join(root, entry);
  process.env["CLANXP_START_MS"] = String(Math.round(performance.timeOrigin));
  if (isNewEnough() && isInstalled(root)) {
    // Needed until the entry point is loaded and handles signals itself.
    if (stopCode !== undefined) exitOnSignal(stopCode);
    module.enableCompileCache?.(process.env["NODE_COMPILE_CACHE"] ?? compiledDir);
    await import(pathToFileURL(main).href);
    return;
  }
  exitOnSignal(stopCode);
  try {
    const { node } = await setUp({ root, cacheDir, log: (line) => console.error(line), meanwhile });
    // The IPC channel carries no messages: it breaks when this process is killed, so that the entry point can exit,
    // too.
    const stdio = /** @type {const} */ (["inherit", "inherit", "inherit", "ipc"]);
    const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: [...stdio] });
    child.on("error", fail);
    follow(child, stopCode);
  } catch (error) {
    fail(error);
  }

  /** @param {unknown} error */
  function fail(error) {
    console.error(messageOf(error));
    if (lastWords !== undefined) console.log(lastWords);
    process.exitCode = 1;
  }
}

/**
 * Passes signals on and ends as the child does: the shell must see the signal that ended it, unless it was stopped
 * before it could answer one with `stopCode`.
 * @param {import("node:child_process").ChildProcess} child
 * @param {number | undefined} stopCode
 */
function follow(child, stopCode) {
  /** @type {string | undefined} */
  let passedOn;
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.removeAllListeners(signal).on(signal, () => {
      passedOn = signal;
      child.kill(signal);
    });
  }
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === passedOn ? stopCode : undefined);
    if (process.exitCode === undefined && signal) process.removeAllListeners(signal).kill(process.pid, signal);
  });
}
