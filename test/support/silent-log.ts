// A log that nobody reads.
import type { Log } from "#usecases/ports.ts";

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
