// A command that receives a signal exits immediately, with the code that a shell expects or the given one. On exit it
// also stops its child processes, which would continue to run after the signal's default action. A signal often arrives
// twice, because npm forwards signals that the whole process group receives.

import { constants } from "node:os";

/** @param {number} [exitCode] */
export function exitOnSignal(exitCode) {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => process.exit(exitCode ?? 128 + constants.signals[signal]));
  }
}
