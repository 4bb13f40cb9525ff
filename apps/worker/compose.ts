// Assembles the worker process: it runs batches and reversals, and scans for those that lost their job.
import { startLedger } from "#composition/start-ledger.ts";
import { awardIdOf } from "#contract/award-id.ts";
import { makeHasAllUntil } from "#ledger/has-all-until.ts";
import { startJobWorker } from "#queue/job-worker.ts";
import { BATCHES_AT_ONCE } from "#queue/bounds.ts";
import { makeUtilization } from "#telemetry/metrics/utilization.ts";
import { systemClock } from "#process/clock.ts";
import type { Config } from "#process/config.ts";
import { makeIds } from "#process/ids.ts";
import { makeMetrics } from "#telemetry/metrics/metrics.ts";
import { startOpsServer, type OpsServer } from "#process/ops-server.ts";
import { watchDependencies } from "#process/watch-dependencies.ts";
import { makeCounters } from "#telemetry/metrics/counters.ts";
import type { Tracing } from "#telemetry/tracing/tracing.ts";
import type { Log } from "#kernel/log.ts";
import type { MemberLock } from "#ledger/ports.ts";
import { makeRunBatch } from "#batches/run-batch.ts";
import { makeRunReversal } from "#reversals/run-reversal.ts";
import { openConnections } from "./connections.ts";
import { startUpkeep } from "./upkeep.ts";

export type WorkerApp = { opsPort: number; /** MongoDB was reached. */ ready: Promise<void>; close(): Promise<void> };

/** Starts to work as soon as MongoDB and Redis are available. `lock` replaces that of Redis, for tests. */
export async function startWorker(deps: {
  config: Config;
  log: Log;
  tracing?: Tracing | null;
  lock?: MemberLock;
}): Promise<WorkerApp> {
  const { config, log, tracing = null, lock } = deps;
  const clock = systemClock;
  const counters = makeCounters();
  const processId = makeIds(clock).award();
  const edges = { clock, meter: counters, tracing, log };
  const connections = openConnections({ ...edges, config });
  const { database, batches, isThrottled } = connections;
  const ledger = startLedger({ ...edges, connections, processId, lock, isThrottled });
  const runBatch = makeRunBatch({ batches, committer: ledger, clock, meter: counters, log });
  const hasAllUntil = makeHasAllUntil({ processes: connections.processes, clock });
  const reverse = makeRunReversal({ ...edges, ...connections, committer: ledger, hasAllUntil, awardIdOf });
  const busy = makeUtilization({ slots: BATCHES_AT_ONCE, clock });
  const worker = startJobWorker({
    redis: connections.jobsRedis,
    namespace: connections.namespace,
    process: (batchId) => busy.during(() => runBatch(batchId)),
    reverse: (reversalId) => busy.during(() => reverse(reversalId)),
    ready: database.ready,
    checkRedis: connections.checkRedis,
    tracing: tracing?.jobs,
    clock,
    log,
  });
  const upkeep = startUpkeep({ ...edges, connections, project: ledger.catchUp, workerId: processId, config });
  const { health, clockSkew } = watchDependencies({ connections, needsRedis: true, clock, log });
  const metrics = makeMetrics({
    name: "worker",
    commit: config.buildCommit,
    counters,
    clock,
    clockAheadMs: clockSkew.aheadMs,
    awardsWaiting: ledger.waiting,
    projection: ledger.projection,
    worker: { utilization: busy.share, isThrottled, eventsBehindMs: upkeep.eventsBehindMs },
    queued: connections,
    readErasures: upkeep.unfinishedErasures,
    stored: connections,
    health,
  });

  /** Closes what was started by then. */
  async function close(ops?: OpsServer): Promise<void> {
    await upkeep.stop();
    await worker.close();
    await ledger.close();
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
