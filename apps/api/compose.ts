// The API process, wired: everything it is made of, from the top.
import { startCommitting } from "#composition/start-committing.ts";
import { awardIdOf } from "#contract/award-id.ts";
import { endpoints } from "#contract/endpoints.ts";
import type { AppError } from "#domain/app-error.ts";
import { systemClock } from "#runtime/process/clock.ts";
import type { Config } from "#runtime/process/config.ts";
import { makeFailureLog, type FailureLog } from "#runtime/process/failure-log.ts";
import { watchHealth, type Health } from "#runtime/process/health.ts";
import { makeIds, makeRequestIds } from "#runtime/process/ids.ts";
import type { ProjectionRequests } from "#redis/projection-requests.ts";
import { makeMetrics } from "#runtime/metrics/metrics.ts";
import { startOpsServer, type OpsServer } from "#runtime/process/ops-server.ts";
import { crc32, digest, sameText } from "#runtime/process/secrets.ts";
import { makeTally } from "#runtime/metrics/tally.ts";
import type { Tracing } from "#runtime/tracing/tracing.ts";
import { makeApplyAward } from "#usecases/awards/apply-award.ts";
import { makeApplyAwards } from "#usecases/awards/apply-awards.ts";
import { makeAwaitBatch } from "#usecases/batches/await-batch.ts";
import type { AwardCommitter } from "#usecases/awards/award-committer.ts";
import { BATCHES_AWAITED_MAX, KEY_USES_FLUSH_MS } from "#usecases/bounds.ts";
import { makeReadCallerAward } from "#usecases/awards/caller-award.ts";
import { makeCheckKey } from "#usecases/keys/check-key.ts";
import type { ClanRules } from "#usecases/clans/clan-rules.ts";
import { makeFindReplays } from "#usecases/awards/find-replays.ts";
import { makeClaimBudget } from "#usecases/keys/key-budget.ts";
import { makeKeyUses } from "#usecases/keys/key-uses.ts";
import type { Clock, Ids, Log, Meter } from "#usecases/ports.ts";
import type { MemberLock } from "#usecases/awards/ports.ts";
import { makeMemberLists } from "#usecases/members/member-lists.ts";
import { makeSubmitBatch } from "#usecases/batches/submit-batch.ts";
import { makePreviewReversal } from "#usecases/reversals/preview-reversal.ts";
import { makeSelectAwards } from "#usecases/reversals/select-awards.ts";
import { makeSubmitReversal } from "#usecases/reversals/submit-reversal.ts";
import { makeAdmission } from "./http/admission.ts";
import { makeApp } from "./app.ts";
import { CONNECTIONS_MAX, REQUESTS_UNDER_WAY_MAX } from "./http/bounds.ts";
import { makeConnectionCap } from "./http/connection-cap.ts";
import { openConnections, type Connections } from "./connections.ts";
import { makeHandler, type Handlers } from "./endpoint.ts";
import { makeRatesOf } from "./rates.ts";
import { makeRejectionLog } from "./rejection-log.ts";
import { makeRequestLog } from "./request-log.ts";
import { makeApplyAwardRoute } from "./routes/apply-award.ts";
import { makeApplyAwardsRoute } from "./routes/apply-awards.ts";
import { makeListMembersRoute } from "./routes/list-members.ts";
import { makeReadBatchRoute } from "./routes/read-batch.ts";
import { makeReadClanRoute } from "./routes/read-clan.ts";
import { makeReadLedgerRoute } from "./routes/read-ledger.ts";
import { makeReadMemberRoute } from "./routes/read-member.ts";
import { makeReadReversalRoute } from "./routes/read-reversal.ts";
import { makeSubmitBatchRoute } from "./routes/submit-batch.ts";
import { makeSubmitReversalRoute } from "./routes/submit-reversal.ts";
import { startServer, type ApiServer, type Deadlines } from "./http/server.ts";

/** Others than the usual, for tests. */
export type ApiLimits = {
  deadlines?: Partial<Deadlines>;
  connectionsMax?: number;
  requestsMax?: number;
  batchesAwaitedMax?: number;
};
export type ApiWorld = {
  config: Config;
  log: Log;
  tracing?: Tracing | null;
  /** Others than the usual, for tests. */
  lock?: MemberLock;
  committer?: AwardCommitter;
} & ApiLimits;
export type Api = {
  port: number;
  opsPort: number;
  /** MongoDB was reached. */ ready: Promise<void>;
  close(): Promise<void>;
};

/** Starts to listen at once, also while MongoDB or Redis is away. */
export async function startApi({ config, log, tracing = null, ...world }: ApiWorld): Promise<Api> {
  const { connectionsMax = CONNECTIONS_MAX, requestsMax = REQUESTS_UNDER_WAY_MAX } = world;
  const tracer = tracing?.tracer ?? null;
  const clock = systemClock;
  const ids = makeIds(clock);
  const tally = makeTally();
  const processId = ids.award();
  const edges = { clock, meter: tally, tracing, log };
  const connections = openConnections({ ...edges, config, processName: processId });
  const committing = startCommitting({ ...edges, connections, processId, lock: world.lock });
  const { rules, catchUp } = committing;
  const common = { rules, clock, meter: tally, log };
  const committer = world.committer ?? committing.committer;
  const stopping = new AbortController();
  const [failureLog, rejectionLog] = [makeFailureLog({ clock, log }), makeRejectionLog(log)];
  const handlers = makeHandlers({
    ...world,
    ...common,
    connections,
    committer,
    catchUp,
    ids,
    failureLog,
    stopping: stopping.signal,
  });

  const keyUses = makeKeyUses({ keys: connections.keys, log });
  const flushing = setInterval(() => void keyUses.flush(), KEY_USES_FLUSH_MS);
  const checkKey = makeCheckKey({
    keys: connections.keys,
    clock,
    digest,
    crc32,
    sameText,
    noteUse: keyUses.note,
    meter: tally,
  });
  const health = watch(connections, clock, log);

  /** Ends what was started by then. */
  async function close(server?: ApiServer, ops?: OpsServer): Promise<void> {
    // Whoever waits for a batch is told where it stands; awards under way are finished.
    stopping.abort();
    connections.signal.wakeAll();
    await server?.close();
    rejectionLog.flush();
    await committer.drained();
    await committing.close();
    await ops?.close();
    clearInterval(flushing);
    health.stop();
    await keyUses.flush();
    await connections.close();
  }

  let server: ApiServer | undefined;
  try {
    const callers = makeConnectionCap(connectionsMax);
    const app = makeApp({
      checkKey,
      ratesOf: makeRatesOf(connections.limiter),
      handlers,
      admission: makeAdmission({ requestsMax }),
      connections: callers,
      requestIds: makeRequestIds(),
      failureLog,
      rejectionLog,
      clock,
      meter: tally,
      tracer,
      requestLog: makeRequestLog({ share: config.requestLogSample, random: Math.random, log }),
      log,
    });
    server = await startServer(app, config, { ...world.deadlines, connections: callers });
    const metrics = makeMetrics({
      name: "api",
      commit: config.buildCommit,
      tally,
      clock,
      awardsWaiting: committer.waiting,
      projection: committing.projector,
      worker: null,
      readQueueDepth: connections.batches.queueDepth,
      readErasures: connections.erasures.unfinished,
      isPaused: connections.queue.isPaused,
    });
    const ops = await startOpsServer({ host: config.opsHost ?? config.host, port: config.opsPort, health, metrics });
    return { port: server.port, opsPort: ops.port, ready: connections.database.ready, close: () => close(server, ops) };
  } catch (error) {
    await close(server);
    throw error;
  }
}

function makeHandlers(world: {
  connections: Connections;
  committer: AwardCommitter;
  catchUp: ProjectionRequests["catchUp"];
  rules: ClanRules;
  clock: Clock;
  ids: Ids;
  meter: Meter;
  failureLog: FailureLog;
  log: Log;
  batchesAwaitedMax?: number;
  stopping: AbortSignal;
}): Handlers {
  const {
    connections,
    rules,
    clock,
    ids,
    meter,
    failureLog,
    log,
    batchesAwaitedMax = BATCHES_AWAITED_MAX,
    stopping,
  } = world;
  const { awards, batches, ledger, members, queue, signal, claimPriority } = connections;
  const lists = makeMemberLists({ members, catchUp: world.catchUp });
  const findReplays = makeFindReplays(awards);
  const readCallerAward = makeReadCallerAward({ digest, ids });
  const noteFailure = (error: AppError): void => {
    meter.problem(error.code);
    failureLog.note(error);
  };
  const claimBudget = makeClaimBudget({ budgets: connections.budgets, clock });
  const applying = {
    committer: world.committer,
    findReplays,
    claimPriority,
    rules,
    readCallerAward,
    claimBudget,
    meter,
  };
  const submitBatch = makeSubmitBatch({
    batches,
    members: awards,
    queue,
    rules,
    claimBudget,
    clock,
    digest,
    ids,
    meter,
    log,
  });
  const awaitBatch = makeAwaitBatch({ batches, signal, clock, log, awaitedMax: batchesAwaitedMax, stopping });
  return {
    "apply-award": makeHandler(endpoints["apply-award"], makeApplyAwardRoute(makeApplyAward(applying))),
    "apply-awards": makeHandler(
      endpoints["apply-awards"],
      makeApplyAwardsRoute({ applyAwards: makeApplyAwards(applying), noteFailure }),
    ),
    "submit-batch": makeHandler(endpoints["submit-batch"], makeSubmitBatchRoute({ submitBatch, awaitBatch })),
    "read-batch": makeHandler(endpoints["read-batch"], makeReadBatchRoute(batches)),
    "read-clan": makeHandler(endpoints["read-clan"], makeReadClanRoute(rules)),
    "read-member": makeHandler(endpoints["read-member"], makeReadMemberRoute({ members, rules })),
    "list-members": makeHandler(endpoints["list-members"], makeListMembersRoute({ lists, rules })),
    "read-ledger": makeHandler(endpoints["read-ledger"], makeReadLedgerRoute({ members, ledger })),
    "submit-reversal": makeHandler(endpoints["submit-reversal"], makeSubmitReversalRoute(makeReversing(world))),
    "read-reversal": makeHandler(endpoints["read-reversal"], makeReadReversalRoute(connections.reversals)),
  };
}

function makeReversing({
  connections,
  clock,
  ids,
  log,
}: {
  connections: Connections;
  clock: Clock;
  ids: Ids;
  log: Log;
}) {
  const { awards: store, queue, reversals, selection } = connections;
  const selectAwards = makeSelectAwards({ selection, clock, awardIdOf });
  return {
    previewReversal: makePreviewReversal({ selectAwards, selection, store, clock, awardIdOf }),
    submitReversal: makeSubmitReversal({ reversals, selectAwards, queue: queue.reversals, clock, digest, ids, log }),
  };
}

function watch(connections: Connections, clock: Clock, log: Log): Health {
  const checks = {
    mongo: { check: connections.database.ping, required: true },
    // Without Redis awards go on without locks, and batches wait in MongoDB.
    redis: { check: connections.checkRedis, required: false },
  };
  return watchHealth({ checks, clock, log });
}
