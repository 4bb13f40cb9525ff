// Assembles the notifier process: it sends events to the clans' destinations, and makes roles elsewhere follow ranks.
import { makeNotifierCounters } from "#telemetry/metrics/notifier-counters.ts";
import { makeNotifierMetrics } from "#telemetry/metrics/notifier-metrics.ts";
import { systemClock } from "#process/clock.ts";
import type { NotifierConfig } from "#process/config.ts";
import { makeIds } from "#process/ids.ts";
import { startOpsServer, type OpsServer } from "#process/ops-server.ts";
import { watchDependencies } from "#process/watch-dependencies.ts";
import type { Log } from "#kernel/log.ts";
import { openConnections } from "./connections.ts";
import { startEngine } from "./engine.ts";

export type NotifierApp = { opsPort: number; /** MongoDB was reached. */ ready: Promise<void>; close(): Promise<void> };

/** Starts to work as soon as MongoDB is available. Without Redis it works, later, and is not ready. */
export async function startNotifier({ config, log }: { config: NotifierConfig; log: Log }): Promise<NotifierApp> {
  const clock = systemClock;
  const counters = makeNotifierCounters();
  const connections = openConnections({ config, clock, log });
  const { database } = connections;
  const notifierId = makeIds(clock).award();
  const engine = startEngine({ connections, notifierId, config, clock, meter: counters, log });
  const { health, clockSkew } = watchDependencies({ connections, needsRedis: true, clock, log });
  const metrics = makeNotifierMetrics({
    name: "notifier",
    commit: config.buildCommit,
    counters,
    clock,
    clockAheadMs: clockSkew.aheadMs,
    readState: engine.readState,
  });

  /** Closes what was started by then. */
  async function close(ops?: OpsServer): Promise<void> {
    await engine.stop();
    await ops?.close();
    health.stop();
    await connections.close();
  }
  try {
    const ops = await startOpsServer({ host: config.opsHost ?? config.host, port: config.opsPort, health, metrics });
    return { opsPort: ops.port, ready: database.ready, close: () => close(ops) };
  } catch (error) {
    await close();
    throw error;
  }
}
