// A started program as the rest sees it: its pid, how it ended, and a way to stop it.

import { stopProcess } from "./processes.js";

/**
 * @typedef {object} Running
 * @property {number} pid
 * @property {Promise<string>} exited how it ended
 * @property {(graceMs: number) => Promise<void>} stop
 */

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Running}
 */
export function watchChild(child) {
  const { pid } = child;
  /** @type {Promise<string>} */
  const exited = new Promise((resolve) => {
    child.once("error", (error) => {
      resolve(error.message);
    });
    child.once("exit", (code, signal) => {
      resolve(signal ? `killed by ${signal}` : `exit code ${code}`);
    });
  });
  return {
    pid: pid ?? 0,
    exited,
    async stop(graceMs) {
      if (pid !== undefined) await stopProcess(pid, graceMs);
      await exited;
    },
  };
}
