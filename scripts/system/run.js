// Runs an external command and returns its result. A failure is a value, never an exception, and no command outlives
// this process, even if the set-up is killed.

import { spawn } from "node:child_process";
import { sendSignal } from "./processes.js";

const OUTPUT_KEPT_CHARS = 20_000; // enough for the final messages of any package client

/**
 * @typedef {{ ok: true, output: string } | { ok: false, output: string, reason: string }} Ended
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv | undefined} [env] added to this process's own; undefined removes a variable
 * @property {number} [timeoutMs]
 * @property {(cutOff: (reason: string) => void) => () => void} [watch] may cut the command off; answers how to end the watch
 */

/**
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Ended>}
 */
export function run(command, args, { cwd, env, timeoutMs, watch } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      detached: true, // a separate process group, so that its child processes end with it
      stdio: ["ignore", "pipe", "pipe"],
    });
    const kill = () => {
      if (child.pid !== undefined) sendSignal(-child.pid, "SIGKILL");
    };
    let output = "";
    let cutOffReason = "";
    /** @param {string} reason */
    const cutOff = (reason) => {
      cutOffReason = reason;
      kill();
      // A process that left the group may keep the pipes open: the result must not wait for it.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = timeoutMs && setTimeout(() => cutOff(`it did not finish within ${timeoutMs / 1000} s`), timeoutMs);
    const endWatch = watch?.(cutOff);
    process.once("exit", kill);

    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output = (output + text).slice(-OUTPUT_KEPT_CHARS);
      });
    }
    /** @param {string | undefined} failure */
    const end = (failure) => {
      if (timer) clearTimeout(timer);
      endWatch?.();
      process.off("exit", kill);
      resolve(failure === undefined ? { ok: true, output } : { ok: false, output, reason: failure });
    };
    child.once("error", (error) => end(notStarted(command, error)));
    child.once("close", (code, signal) => {
      if (cutOffReason) end(cutOffReason);
      else if (code === 0) end(undefined);
      else {
        const words = lastWords(output);
        if (words === undefined) end(`${command} ended with ${signal ?? code} and no output`);
        else end(signal ? `${words} (${signal})` : words);
      }
    });
  });
}

/**
 * @param {string} command
 * @param {Error & { code?: string }} error
 */
function notStarted(command, error) {
  if (error.code === "ENOENT") return `${command} is not installed`;
  return `${command} cannot be started: ${error.message}`;
}

/**
 * The line that most likely contains the error, because package clients print advice at the end.
 * @param {string} output
 */
function lastWords(output) {
  const lines = output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/complete log|npm help/.test(line));
  const errorLines = lines.filter(
    (line) => /error|cannot|failed|unable|denied|only install/i.test(line) && line.length > "npm error".length,
  );
  return (
    errorLines.find((line) => /\bE[A-Z0-9]{4,}\b|^E: |^ERROR/.test(line)) ??
    errorLines.at(-1) ??
    lines.at(-1)
  )?.slice(0, 300);
}
