// The tasks that a worker runs at intervals beside its jobs: it queues batches that lost their job, projects the
// remaining heads of crashed processes, resumes interrupted erasures, notices a restored backup, and deletes data by
// age.
import { repeat } from "#async/repeat.ts";
import { makeNewestCount } from "#redis/newest-count.ts";
import { makeScannerClaim } from "#redis/scanner-claim.ts";
import type { Config } from "#runtime/process/config.ts";
import { makeContinuityStore } from "#store/operations/continuity-store.ts";
import { makeRecoverBatches, type RecoveryReport } from "#usecases/batches/recover-batches.ts";
import { makeRecoverProjections } from "#ledger/recover-projections.ts";
import { RESTORE_NOTICE_EVERY_MS } from "#usecases/operations/bounds.ts";
import { makeNoticeRestore } from "#usecases/operations/notice-restore.ts";
import type { Clock, Log } from "#runtime/ports.ts";
import type { Meter } from "#usecases/ports.ts";
import type { Connections } from "./connections.ts";
import { makeRetention } from "./retention.ts";
import { scheduleRetention } from "./schedule-retention.ts";
import { scheduleBatchRecovery } from "./recover-batches.ts";
import { scheduleProjectionRecovery } from "./recover-projections.ts";
import { scheduleErasureResumption } from "./resume-erasures.ts";

/** `workerId`: unique to this process. */
export function startUpkeep(world: {
  connections: Connections;
  workerId: string;
  config: Config;
  clock: Clock;
  meter: Meter;
  log: Log;
}) {
  const { connections, workerId, config, clock, meter, log } = world;
  const {
    database,
    batches,
    reversals,
    ledgerStore: store,
    ledgerReader: reader,
    epochs,
    processes,
    clans,
    queue,
  } = connections;
  const scans = scheduleBatchRecovery({
    recover: recoverAll({ batches, reversals, queue, clock, log }),
    claim: makeScannerClaim({ redis: connections.queueRedis, namespace: connections.namespace, workerId }),
    clock,
    meter,
    log,
  });
  const recovering = { processes, workerId, store, epochs, reader, clans, clock, log };
  const recoverProjections = makeRecoverProjections(recovering);
  const recovery = scheduleProjectionRecovery({ recoverProjections, log });
  const erasures = scheduleErasureResumption({ ...connections, clock, log });
  const applyRetention = makeRetention({ batches, reversals, config, log });
  const noticeRestore = makeNoticeRestore({
    continuity: makeContinuityStore(database),
    newestCount: makeNewestCount({ redis: connections.queueRedis, namespace: connections.namespace }),
    log,
  });
  const watching = repeat(RESTORE_NOTICE_EVERY_MS, noticeRestore, (error) =>
    log.debug({ err: error }, "restore_check.failed"),
  );
  const retention = scheduleRetention({ applyRetention, ready: database.ready, log });
  return {
    unfinishedErasures: erasures.unfinished,
    async stop(): Promise<void> {
      await Promise.all([scans.stop(), recovery.stop(), erasures.stop(), retention.stop(), watching.stop()]);
    },
  };
}

/** Scans for batches, then for reversals, and adds their reports. */
function recoverAll(
  world: Pick<Connections, "batches" | "reversals" | "queue"> & { clock: Clock; log: Log },
): () => Promise<RecoveryReport> {
  const { batches, reversals, queue } = world;
  const recoverBatches = makeRecoverBatches({ ...world, batches, queue });
  const recoverReversals = makeRecoverBatches({ ...world, batches: reversals, queue: queue.reversals });
  return async () => {
    const [ofBatches, ofReversals] = [await recoverBatches(), await recoverReversals()];
    return {
      unfinished: ofBatches.unfinished + ofReversals.unfinished,
      revived: ofBatches.revived + ofReversals.revived,
    };
  };
}
