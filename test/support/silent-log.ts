// A log that nobody reads.
import type { Log } from "#kernel/log.ts";

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
