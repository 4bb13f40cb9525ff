// A command that is told to stop exits at once, with the code a shell expects or the given one. Its exit takes what it
// is running along, which the signal's default would leave behind.

import { constants } from "node:os";

/** @param {number} [exitCode] */
export function exitOnSignal(exitCode) {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.once(signal, () => process.exit(exitCode ?? 128 + constants.signals[signal]));
  }
}
