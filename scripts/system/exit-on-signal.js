// A command that is told to stop exits at once, with the code a shell expects or the given one. Its exit takes what it
// is running along, which the signal's default would leave behind. A signal often comes twice: npm passes on what the
// whole group was sent.

import { constants } from "node:os";

/** @param {number} [exitCode] */
export function exitOnSignal(exitCode) {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => process.exit(exitCode ?? 128 + constants.signals[signal]));
  }
}
