// The API process, wired: everything it is made of, from the top.
import { makeMemberLock } from "#lock/member-lock.ts";
import { makeBatchQueue } from "#queue/batch-queue.ts";
import { makeBatchSignal } from "#queue/batch-signal.ts";
import { openFailFastRedis, openPatientRedis, requireNoEviction } from "#queue/redis-connection.ts";
import { systemClock } from "#runtime/clock.ts";
import type { Config } from "#runtime/config.ts";
import { makeFailureLog } from "#runtime/failure-log.ts";
import { watchHealth } from "#runtime/health.ts";
import { makeIds, makeRequestIds } from "#runtime/ids.ts";
import { makeMetrics } from "#runtime/metrics.ts";
import { startOpsServer } from "#runtime/ops-server.ts";
import { crc32, digest, sameText } from "#runtime/secrets.ts";
import { makeAwardStore } from "#store/award-store.ts";
import { makeBatchStore } from "#store/batch-store.ts";
import { makeClanStore } from "#store/clan-store.ts";
import { openDatabase, redisNamespace } from "#store/database.ts";
import { makeKeyStore } from "#store/key-store.ts";
import { makeLedgerStore } from "#store/ledger-store.ts";
import { makeMemberStore } from "#store/member-store.ts";
import { makeApplyAward } from "#usecases/apply-award.ts";
import { makeAwaitBatch } from "#usecases/await-batch.ts";
import { makeAwardCommitter } from "#usecases/award-committer.ts";
import { KEY_USES_FLUSH_MS } from "#usecases/bounds.ts";
import { makeCheckKey } from "#usecases/check-key.ts";
import { makeClanRules } from "#usecases/clan-rules.ts";
import { makeKeyUses } from "#usecases/key-uses.ts";
import type { Log, MemberLock } from "#usecases/ports.ts";
import { makeSubmitBatch } from "#usecases/submit-batch.ts";
import { makeApp } from "./app.ts";
import type { Routes } from "./endpoint.ts";
import { makeApplyAwardRoute } from "./routes/apply-award.ts";
import { makeListMembersRoute } from "./routes/list-members.ts";
import { makeReadBatchRoute } from "./routes/read-batch.ts";
import { makeReadClanRoute } from "./routes/read-clan.ts";
import { makeReadLedgerRoute } from "./routes/read-ledger.ts";
import { makeReadMemberRoute } from "./routes/read-member.ts";
import { makeSubmitBatchRoute } from "./routes/submit-batch.ts";
import { startServer, type Deadlines } from "./server.ts";

export type ApiWorld = { config: Config; log: Log; lock?: MemberLock; deadlines?: Deadlines };
export type Api = { port: number; opsPort: number; /** MongoDB was reached. */ ready: Promise<void>; close(): Promise<void> };

/** Starts to listen at once, also while MongoDB or Redis is away. `lock` and `deadlines`: others than the usual, for tests. */
export async function startApi({ config, log, lock, deadlines }: ApiWorld): Promise<Api> {
  const clock = systemClock;
  const ids = makeIds(clock);
  const stopping = new AbortController();

  const database = openDatabase({ url: config.mongoUrl, name: "clanxp-api", log });
  const clans = makeClanStore(database);
  const keys = makeKeyStore(database);
  const members = makeMemberStore(database);
  const awards = makeAwardStore(database);
  const batches = makeBatchStore(database);

  const namespace = redisNamespace(config.mongoUrl);
  const lockRedis = openFailFastRedis({ url: config.redisUrl, log, commandMs: null });
  const queueRedis = openFailFastRedis({ url: config.redisUrl, log });
  const eventsRedis = openPatientRedis({ url: config.redisUrl, log });
  const queue = makeBatchQueue({ redis: queueRedis, namespace, log });
  const signal = makeBatchSignal({ redis: eventsRedis, namespace, log });

  const rules = makeClanRules({ store: clans, clock });
  const committer = makeAwardCommitter({
    store: awards,
    lock: lock ?? makeMemberLock({ redis: lockRedis, namespace, clock, log }),
    rules,
    clock,
    random: Math.random,
    log,
  });
  const keyUses = makeKeyUses({ keys, log });
  const flushing = setInterval(() => void keyUses.flush(), KEY_USES_FLUSH_MS);

  const routes: Routes = {
    "apply-award": makeApplyAwardRoute(makeApplyAward({ committer, rules, digest, ids })),
    "submit-batch": makeSubmitBatchRoute({
      submitBatch: makeSubmitBatch({ batches, members: awards, queue, rules, clock, digest, ids, log }),
      awaitBatch: makeAwaitBatch({ batches, signal, clock, stopping: stopping.signal }),
    }),
    "read-batch": makeReadBatchRoute(batches),
    "read-clan": makeReadClanRoute(rules),
    "read-member": makeReadMemberRoute({ members, rules }),
    "list-members": makeListMembersRoute({ members, rules }),
    "read-ledger": makeReadLedgerRoute({ members, ledger: makeLedgerStore(database) }),
  };
  const checkKey = makeCheckKey({ keys, clock, digest, crc32, sameText, noteUse: keyUses.note });
  const health = watchHealth({
    checks: {
      mongo: { check: database.ping, required: true },
      // Without Redis awards go on without locks, and batches wait in MongoDB.
      redis: { check: () => requireNoEviction(queueRedis), required: false },
    },
    clock,
    log,
  });

  async function closeConnections(): Promise<void> {
    clearInterval(flushing);
    health.stop();
    await keyUses.flush();
    await Promise.all([signal.close(), queue.close()]);
    for (const redis of [lockRedis, queueRedis, eventsRedis]) redis.disconnect();
    await database.close();
  }

  try {
    const server = await startServer(
      makeApp({ checkKey, routes, requestIds: makeRequestIds(), failureLog: makeFailureLog({ clock, log }), log }),
      config,
      deadlines,
    );
    const ops = await startOpsServer({ host: config.host, port: config.opsPort, health, metrics: makeMetrics("api") });
    return {
      port: server.port,
      opsPort: ops.port,
      ready: database.ready,
      async close() {
        // Whoever waits for a batch is told where it stands; awards under way are finished.
        stopping.abort();
        signal.wakeAll();
        await server.close();
        await committer.drained();
        await ops.close();
        await closeConnections();
      },
    };
  } catch (error) {
    await closeConnections();
    throw error;
  }
}
