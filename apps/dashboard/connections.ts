// Everything of the dashboard that reaches out: MongoDB with its stores, Redis with the locks and the queue.
import { makeMemberLock } from "#lock/member-lock.ts";
import { makeBatchQueue } from "#queue/batch-queue.ts";
import { openFailFastRedis, openPatientRedis, requireNoEviction } from "#redis/connection.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { joinProjectionRequests } from "#redis/projection-requests.ts";
import type { DashboardConfig } from "#runtime/process/config.ts";
import type { Tracing } from "#runtime/tracing/tracing.ts";
import { makeAccountStore } from "#store/account-store.ts";
import { makeActivityStore } from "#store/activity-store.ts";
import { makeAuditStore } from "#store/audit-store.ts";
import { makeAwardSelection } from "#store/award-selection.ts";
import { makeAwardStore } from "#store/award-store.ts";
import { makeBatchStore } from "#store/batch-store.ts";
import { makeClanStore } from "#store/clan-store.ts";
import { openDatabase } from "#store/database.ts";
import { makeEpochStore } from "#store/epoch-store.ts";
import { makeKeyStore } from "#store/key-store.ts";
import { makeLedgerStore } from "#store/ledger-store.ts";
import { makeMemberStore } from "#store/member-store.ts";
import { makeProcessStore } from "#store/process-store.ts";
import { makeReversalStore } from "#store/reversal-store.ts";
import { makeSessionStore } from "#store/session-store.ts";
import { ENTRIES_PER_STEP, REVERSALS_PER_TURN } from "#usecases/bounds.ts";
import type { Clock, Log, Meter } from "#usecases/ports.ts";

export type Connections = ReturnType<typeof openConnections>;

/** Opens them in the background: nothing here waits for MongoDB or Redis. */
export function openConnections(world: {
  config: DashboardConfig;
  clock: Clock;
  meter: Meter;
  tracing: Tracing | null;
  log: Log;
  processId: string;
}) {
  const { config, clock, meter, tracing, log, processId } = world;
  const database = openDatabase({ url: config.mongoUrl, name: "clanxp-dashboard", log });
  const namespace = redisNamespace(config.mongoUrl);
  const url = config.redisUrl;
  const lockRedis = openFailFastRedis({ url, log, commandMs: null });
  const queueRedis = openFailFastRedis({ url, log });
  const requestsRedis = openPatientRedis({ url, log });
  const queue = makeBatchQueue({ redis: queueRedis, namespace, tracing: tracing?.jobs, log });
  return {
    database,
    activity: makeActivityStore(database),
    accounts: makeAccountStore(database),
    sessions: makeSessionStore(database),
    clans: makeClanStore(database),
    keys: makeKeyStore(database),
    members: makeMemberStore(database),
    ledger: makeLedgerStore(database),
    awards: makeAwardStore(database),
    epochs: makeEpochStore(database),
    processes: makeProcessStore(database),
    batches: makeBatchStore(database),
    reversals: makeReversalStore(database, REVERSALS_PER_TURN),
    selection: makeAwardSelection(database, ENTRIES_PER_STEP),
    audit: makeAuditStore(database),
    lock: makeMemberLock({ redis: lockRedis, namespace, clock, meter, log }),
    queue,
    joinProjectionRequests: (flush: (clanId: string) => Promise<void>) =>
      joinProjectionRequests({ publisher: queueRedis, subscriber: requestsRedis, namespace, processId, flush, clock, log }),
    checkRedis: () => requireNoEviction(queueRedis),
    async close(): Promise<void> {
      await queue.close();
      for (const redis of [lockRedis, queueRedis]) redis.disconnect();
      await database.close();
    },
  };
}
