// A log that nobody reads.
import type { Log } from "#runtime/ports.ts";

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
