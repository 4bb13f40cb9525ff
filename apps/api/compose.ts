// Assembles the API process from all of its parts.
import { logFailures } from "#async/failures.ts";
import { retry } from "#async/retry.ts";
import { startLedger, type JoinedLedger } from "#composition/start-ledger.ts";
import { makeConnectionCap, type ConnectionCap } from "#http/connection-cap.ts";
import { makeHookOpener, publicHookKey } from "#delivery/couriers/hook-sealer.ts";
import { makeRejectionLog } from "#http/rejection-log.ts";
import { startServer, type Deadlines, type Listening } from "#http/server.ts";
import { systemClock } from "#process/clock.ts";
import type { ClockSkew } from "#process/clock-skew.ts";
import type { Config } from "#process/config.ts";
import { makeFailureLog } from "#process/failure-log.ts";
import type { Health } from "#process/health.ts";
import { makeIds, makeRequestIds } from "#process/ids.ts";
import { makeMetrics } from "#telemetry/metrics/metrics.ts";
import { startOpsServer, type OpsServer } from "#process/ops-server.ts";
import { watchDependencies } from "#process/watch-dependencies.ts";
import { crc32, digest, hmac, sameText } from "#process/secrets.ts";
import { makeCounters, type Counters } from "#telemetry/metrics/counters.ts";
import type { Tracing } from "#telemetry/tracing/tracing.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { KEY_USES_FLUSH_MS } from "#keys/bounds.ts";
import { makeCheckKey } from "#keys/check-key.ts";
import { makeKeyUses } from "#keys/key-uses.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import type { Meter } from "#telemetry/meter.ts";
import type { MemberLock } from "#ledger/ports.ts";
import { makeAdmission } from "./http/admission.ts";
import { makeApp } from "./app.ts";
import { CONNECTIONS_MAX, REQUESTS_PER_KEY_MAX, REQUESTS_UNDER_WAY_MAX } from "./http/bounds.ts";
import { openConnections, type Connections } from "./connections.ts";
import { makeDocsSite } from "./docs-site.ts";
import { makeHandlers } from "./handlers.ts";
import { makeReceiveNotification, type ReceiveNotification } from "./receive-notification.ts";
import { makeUnsignedLimit } from "./unsigned-limit.ts";
import { makeRateLimits } from "./rate-limits.ts";
import { makeRequestLog } from "./request-log.ts";

/**
 * Replacements of the defaults, for tests; except for `siteFolder`, the built documentation site, without which pages are
 * plain.
 */
export type ApiLimits = {
  siteFolder?: string;
  deadlines?: Partial<Deadlines>;
  connectionsMax?: number;
  requestsMax?: number;
};
export type ApiDeps = {
  config: Config;
  log: Log;
  tracing?: Tracing | null;
  /** Replacements of the defaults, for tests. */
  lock?: MemberLock;
  committer?: (ledger: Ledger) => Pick<Ledger, "submit" | "waiting" | "drained">;
} & ApiLimits;
export type Api = {
  port: number;
  opsPort: number;
  /** MongoDB was reached. */ ready: Promise<void>;
  close(): Promise<void>;
};

/** Starts to listen immediately, even while MongoDB or Redis is unavailable. */
export async function startApi({ config, log, tracing = null, ...deps }: ApiDeps): Promise<Api> {
  const { connectionsMax = CONNECTIONS_MAX, requestsMax = REQUESTS_UNDER_WAY_MAX } = deps;
  const tracer = tracing?.tracer ?? null;
  const clock = systemClock;
  const ids = makeIds(clock);
  const counters = makeCounters();
  const processId = ids.award();
  const edges = { clock, meter: counters, tracing, log };
  const connections = openConnections({ ...edges, config, processName: processId });
  const ledger = startLedger({ ...edges, connections, processId, lock: deps.lock });
  const { rules, catchUp } = ledger;
  const common = { rules, clock, meter: counters, log };
  const committer = deps.committer?.(ledger) ?? ledger;
  const stopping = new AbortController();
  const [failureLog, rejectionLog] = [makeFailureLog({ clock, log }), makeRejectionLog(log)];
  const own = { connections, committer, catchUp, ids, failureLog, stopping: stopping.signal };
  const handlers = makeHandlers({ ...deps, ...common, ...own });
  const keys = startKeys({ ...edges, connections });
  const { health, clockSkew } = watchDependencies({ connections, needsRedis: false, clock, log });

  /** Closes what was started by then. */
  async function close(server?: Listening, ops?: OpsServer): Promise<void> {
    // A caller who waits receives the present state; awards in progress are completed.
    stopping.abort();
    connections.wakeAll();
    await server?.close();
    rejectionLog.flush();
    await committer.drained();
    await ledger.close();
    await ops?.close();
    health.stop();
    await keys.close();
    await connections.close();
  }

  let server: Listening | undefined;
  try {
    const callers = makeConnectionCap(connectionsMax);
    const app = makeApp({
      checkKey: keys.checkKey,
      ratesOf: makeRateLimits(connections.limiter),
      handlers,
      receiveNotification: receivingOf({ config, connections, callers, stopping: stopping.signal, clock, log }),
      admission: makeAdmission({ requestsMax }),
      readers: makeAdmission({ requestsMax: Math.min(requestsMax, REQUESTS_PER_KEY_MAX) }),
      connections: callers,
      requestIds: makeRequestIds(),
      failureLog,
      rejectionLog,
      clock,
      meter: counters,
      tracer,
      requestLog: makeRequestLog({ share: config.requestLogSample, random: Math.random, log }),
      log,
      site: deps.siteFolder === undefined ? null : makeDocsSite(deps.siteFolder),
      docsUrl: config.docsUrl ?? "",
    });
    server = await startServer(app, config, { ...deps.deadlines, connections: callers });
    const metrics = metricsOf({ config, connections, ledger, committer, clock, clockSkew, health, counters });
    const ops = await startOpsServer({ host: config.opsHost ?? config.host, port: config.opsPort, health, metrics });
    return { port: server.port, opsPort: ops.port, ready: connections.database.ready, close: () => close(server, ops) };
  } catch (error) {
    await close(server);
    throw error;
  }
}

const PUBLISH_PAUSE_MS = 1_000;

/** Receives what Roblox sends, and lets others encrypt secrets for it. */
function receivingOf({
  config: { hookKey },
  connections,
  callers,
  stopping,
  ...deps
}: {
  config: Pick<Config, "hookKey">;
  connections: Connections;
  callers: ConnectionCap;
  stopping: AbortSignal;
  clock: Clock;
  log: Log;
}): ReceiveNotification {
  const { database, erasureHooks } = connections;
  const publish = (): Promise<void> => erasureHooks.hooks.publishKey(publicHookKey(hookKey ?? ""));
  const failed = logFailures(deps.log, "hook.key_not_published");
  const retrying = { pauseMs: PUBLISH_PAUSE_MS, mayGoOn: () => !stopping.aborted, failed, signal: stopping };
  // If MongoDB cannot be used, another part of the process reports it and exits.
  if (hookKey !== undefined) void database.ready.then(() => retry(publish, retrying)).catch(failed);
  return makeReceiveNotification({
    ...deps,
    ...erasureHooks,
    opener: hookKey === undefined ? null : makeHookOpener(hookKey),
    hmac,
    sameText,
    isWithinLimit: makeUnsignedLimit(deps.clock),
    connections: callers,
  });
}

/** Checks keys, and writes when they were used at intervals. */
function startKeys({
  connections: { keys },
  clock,
  meter,
  log,
}: {
  connections: Connections;
  clock: Clock;
  meter: Meter;
  log: Log;
}) {
  const uses = makeKeyUses({ keys, log });
  const flushing = setInterval(() => void uses.flush(), KEY_USES_FLUSH_MS);
  return {
    checkKey: makeCheckKey({ keys, clock, digest, crc32, sameText, noteUse: uses.note, meter }),
    close(): Promise<void> {
      clearInterval(flushing);
      return uses.flush();
    },
  };
}

function metricsOf({
  config,
  connections,
  ledger,
  committer,
  clockSkew,
  ...deps
}: {
  config: Pick<Config, "buildCommit">;
  connections: Connections;
  ledger: JoinedLedger;
  committer: Pick<Ledger, "waiting">;
  clock: Clock;
  clockSkew: ClockSkew;
  health: Health;
  counters: Counters;
}) {
  return makeMetrics({
    ...deps,
    name: "api",
    commit: config.buildCommit,
    clockAheadMs: clockSkew.aheadMs,
    awardsWaiting: committer.waiting,
    projection: ledger.projection,
    worker: null,
    queued: connections,
    callsWaitingForEvents: connections.eventSignal.waiting,
    readErasures: connections.erasures.unfinished,
  });
}
