// Everything of the API process that reaches out: MongoDB with its stores, Redis with what is built on it.
import { makeMemberLock } from "#lock/member-lock.ts";
import { makeBatchQueue } from "#queue/batch-queue.ts";
import { makeBatchSignal } from "#queue/batch-signal.ts";
import { openFailFastRedis, openPatientRedis, requireNoEviction } from "#redis/connection.ts";
import { makeClaimPriority } from "#redis/priority-claim.ts";
import { joinProjectionRequests } from "#redis/projection-requests.ts";
import { RATE_COMMAND_MS } from "#redis/bounds.ts";
import { joinPeers } from "#rate-limit/peers.ts";
import { makeRateLimiter } from "#rate-limit/rate-limiter.ts";
import { makeSharedBuckets } from "#rate-limit/shared-buckets.ts";
import type { Config } from "#runtime/process/config.ts";
import type { Tracing } from "#runtime/tracing/tracing.ts";
import { makeAwardSelection } from "#store/award-selection.ts";
import { makeBudgetStore } from "#store/budget-store.ts";
import { makeAwardStore } from "#store/award-store.ts";
import { makeBatchStore } from "#store/batch-store.ts";
import { makeClanStore } from "#store/clan-store.ts";
import { openDatabase } from "#store/database.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { makeEpochStore } from "#store/epoch-store.ts";
import { makeErasureStore } from "#store/erasure-store.ts";
import { makeKeyStore } from "#store/key-store.ts";
import { makeLedgerStore } from "#store/ledger-store.ts";
import { makeMemberStore } from "#store/member-store.ts";
import { makeProcessStore } from "#store/process-store.ts";
import { makeReversalStore } from "#store/reversal-store.ts";
import { ENTRIES_PER_STEP, REVERSALS_PER_TURN } from "#usecases/bounds.ts";
import type { Clock, Log, Meter } from "#usecases/ports.ts";

export type Connections = ReturnType<typeof openConnections>;

/** Opens them in the background: nothing here waits for MongoDB or Redis. `processName` must be this process's alone. */
export function openConnections(world: {
  config: Config;
  clock: Clock;
  meter: Meter;
  tracing: Tracing | null;
  log: Log;
  processName: string;
}) {
  const { config, clock, meter, tracing, log, processName } = world;
  const database = openDatabase({ url: config.mongoUrl, name: "clanxp-api", log });
  const namespace = redisNamespace(config.mongoUrl);
  const url = config.redisUrl;
  // One connection each: a command that waits must not hold up those of another kind.
  const lockRedis = openFailFastRedis({ url, log, commandMs: null });
  const limitRedis = openFailFastRedis({ url, log, commandMs: RATE_COMMAND_MS });
  const queueRedis = openFailFastRedis({ url, log });
  const eventsRedis = openPatientRedis({ url, log });
  const requestsRedis = openPatientRedis({ url, log });

  const queue = makeBatchQueue({ redis: queueRedis, namespace, tracing: tracing?.jobs, log });
  const signal = makeBatchSignal({ redis: eventsRedis, namespace, log });
  const peers = joinPeers({ redis: limitRedis, namespace, name: processName, log });
  const buckets = makeSharedBuckets({ redis: limitRedis, namespace, peers: peers.count, clock, log });

  return {
    database,
    clans: makeClanStore(database),
    keys: makeKeyStore(database),
    budgets: makeBudgetStore(database),
    members: makeMemberStore(database),
    ledger: makeLedgerStore(database),
    awards: makeAwardStore(database),
    epochs: makeEpochStore(database),
    processes: makeProcessStore(database),
    batches: makeBatchStore(database),
    erasures: makeErasureStore(database),
    reversals: makeReversalStore(database, REVERSALS_PER_TURN),
    selection: makeAwardSelection(database, ENTRIES_PER_STEP),
    lock: makeMemberLock({ redis: lockRedis, namespace, clock, meter, log }),
    limiter: makeRateLimiter({ buckets, clock }),
    queue,
    signal,
    claimPriority: makeClaimPriority({ redis: queueRedis, namespace, clock, log }),
    joinProjectionRequests: (flush: (clanId: string) => Promise<void>) =>
      joinProjectionRequests({ publisher: queueRedis, subscriber: requestsRedis, namespace, processId: processName, flush, clock, log }),
    checkRedis: () => requireNoEviction(queueRedis),
    async close(): Promise<void> {
      await Promise.all([signal.close(), queue.close(), peers.leave()]);
      for (const redis of [lockRedis, limitRedis, queueRedis, eventsRedis]) redis.disconnect();
      await database.close();
    },
  };
}
