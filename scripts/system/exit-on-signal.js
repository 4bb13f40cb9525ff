// A command that is told to stop exits at once, with the code a shell expects. Its exit takes what it is running along,
// which the signal's default would leave behind.

import { constants } from "node:os";

export function exitOnSignal() {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
