// Everything of the worker process that reaches out: MongoDB with its stores, Redis with what is built on it.
import { makeForgetLocks } from "#lock/forget-locks.ts";
import { makeMemberLock } from "#lock/member-lock.ts";
import { makeBatchQueue } from "#queue/batch-queue.ts";
import { openFailFastRedis, openPatientRedis, requireNoEviction } from "#redis/connection.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { watchPriority } from "#redis/priority-claim.ts";
import { joinProjectionRequests } from "#redis/projection-requests.ts";
import type { Config } from "#runtime/process/config.ts";
import type { Tracing } from "#runtime/tracing/tracing.ts";
import { makeAwardSelection } from "#store/award-selection.ts";
import { makeAwardStore } from "#store/award-store.ts";
import { makeBatchStore } from "#store/batch-store.ts";
import { makeClanStore } from "#store/clan-store.ts";
import { openDatabase } from "#store/database.ts";
import { makeEpochStore } from "#store/epoch-store.ts";
import { makeLedgerStore } from "#store/ledger-store.ts";
import { makeProcessStore } from "#store/process-store.ts";
import { makeReversalStore } from "#store/reversal-store.ts";
import { ENTRIES_PER_STEP, REVERSALS_PER_TURN } from "#usecases/bounds.ts";
import type { Clock, Log, Meter } from "#usecases/ports.ts";

export type Connections = ReturnType<typeof openConnections>;

/** Opens them in the background: nothing here waits for MongoDB or Redis. `processId` must be this process's alone. */
export function openConnections(world: {
  config: Config;
  clock: Clock;
  meter: Meter;
  tracing: Tracing | null;
  log: Log;
  processId: string;
}) {
  const { config, clock, meter, tracing, log, processId } = world;
  const database = openDatabase({ url: config.mongoUrl, name: "clanxp-worker", log });
  const namespace = redisNamespace(config.mongoUrl);
  const url = config.redisUrl;
  // One connection each: a command that waits must not hold up those of another kind.
  const lockRedis = openFailFastRedis({ url, log, commandMs: null });
  const queueRedis = openFailFastRedis({ url, log });
  const jobsRedis = openPatientRedis({ url, log });
  const requestsRedis = openPatientRedis({ url, log });
  const queue = makeBatchQueue({ redis: queueRedis, namespace, tracing: tracing?.jobs, log });
  const priority = watchPriority({ redis: queueRedis, namespace, log });

  return {
    database,
    namespace,
    clans: makeClanStore(database),
    ledger: makeLedgerStore(database),
    awards: makeAwardStore(database),
    epochs: makeEpochStore(database),
    processes: makeProcessStore(database),
    batches: makeBatchStore(database),
    forgetLocks: makeForgetLocks({ redis: queueRedis, namespace }),
    reversals: makeReversalStore(database, REVERSALS_PER_TURN),
    selection: makeAwardSelection(database, ENTRIES_PER_STEP),
    lock: makeMemberLock({ redis: lockRedis, namespace, clock, meter, log }),
    queue,
    jobsRedis,
    priority,
    joinProjectionRequests: (flush: (clanId: string) => Promise<void>) =>
      joinProjectionRequests({ publisher: queueRedis, subscriber: requestsRedis, namespace, processId, flush, clock, log }),
    checkRedis: () => requireNoEviction(queueRedis),
    async close(): Promise<void> {
      priority.stop();
      await queue.close();
      for (const redis of [lockRedis, queueRedis, jobsRedis]) redis.disconnect();
      await database.close();
    },
  };
}
