// Assembles the dashboard process: sessions, the endpoints of its pages, the ledger, and the built pages.
import { startLedger } from "#composition/start-ledger.ts";
import { makeConnectionCap } from "#http/connection-cap.ts";
import { makeRejectionLog } from "#http/rejection-log.ts";
import { startServer, type Listening } from "#http/server.ts";
import { makeAnnounceEvents, UNNUMBERED } from "#redis/event-signal.ts";
import { makeMetrics } from "#telemetry/metrics/metrics.ts";
import { makeCounters } from "#telemetry/metrics/counters.ts";
import { systemClock } from "#process/clock.ts";
import type { DashboardConfig } from "#process/config.ts";
import { makeFailureLog } from "#process/failure-log.ts";
import { makeIds, makeRequestIds } from "#process/ids.ts";
import { startOpsServer, type OpsServer } from "#process/ops-server.ts";
import { watchDependencies } from "#process/watch-dependencies.ts";
import { digest } from "#process/secrets.ts";
import type { Tracing } from "#telemetry/tracing/tracing.ts";
import { makeSignInLimit, type SignInRates } from "#accounts/store/sign-in-limit.ts";
import { CHALLENGE_MS, DEVICE_LIFE_MS, SESSION_LIFE_MS, SIGN_IN_RATES } from "#accounts/bounds.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import { makeApp } from "./app.ts";
import { openConnections, type Connections } from "./connections.ts";
import { serveBuiltApp } from "./http/serve-built-app.ts";
import { makeCookie } from "./http/cookie.ts";
import { makePublicPages } from "./public/public-pages.ts";
import { makeReading } from "./reading.ts";
import { makeRoutes } from "./routes.ts";
import { makeSignInMethods } from "./sign-in-methods.ts";

export type DashboardDeps = {
  config: DashboardConfig;
  /** The folder of the built pages. */
  pagesFolder: string;
  log: Log;
  tracing?: Tracing | null;
  /** Replacements of the defaults, for tests. */
  signInRates?: SignInRates;
};
export type Dashboard = {
  port: number;
  opsPort: number;
  /** MongoDB was reached. */ ready: Promise<void>;
  close(): Promise<void>;
};

/** Each browser opens a few connections. */
const CONNECTIONS_MAX = 1_000;
/** A download may take longer than a process has to end. */
const TIMES = { keepAliveS: 30, drainMs: 3_000 };

/** Starts to listen immediately, even while MongoDB or Redis is unavailable. */
export async function startDashboard({
  config,
  pagesFolder,
  log,
  tracing = null,
  ...deps
}: DashboardDeps): Promise<Dashboard> {
  const [clock, counters] = [systemClock, makeCounters()];
  const ids = makeIds(clock);
  const pages = serveBuiltApp(pagesFolder);
  const edges = { clock, meter: counters, tracing, log };
  const connections = openConnections({ ...edges, config });
  const ledger = startLedger({ ...edges, connections, processId: ids.award() });
  const limit = makeSignInLimit({ ...connections, rates: deps.signInRates ?? SIGN_IN_RATES, clock, digest });
  const { sessions, ...signInMethods } = makeSignInMethods({ oidc: config.oidc, connections, limit, clock, log });
  const reading = makeReading({ connections, ledger, clock, ids, log });
  const [rejectionLog, callers] = [makeRejectionLog(log), makeConnectionCap(CONNECTIONS_MAX)];
  const app = makeApp({
    routes: makeRoutes({ config, connections, ledger, reading, ...signInMethods, clock, ids, log }),
    sessions,
    hasClan: async (clanId) => (await ledger.rules.get(clanId)) !== undefined,
    forgetRules: ledger.rules.forget,
    ...makeCookies(config.dashboardUrl),
    ownOrigin: config.dashboardUrl,
    connections: callers,
    proxies: config.dashboardProxies,
    publicPages: publicPagesOf({ config, connections, reading, clock }),
    pages,
    requestIds: makeRequestIds(),
    changed: announcing(connections, log),
    failureLog: makeFailureLog({ clock, log }),
    clock,
    meter: counters,
    rejectionLog,
    log,
  });
  const { health, clockSkew } = watchDependencies({ connections, needsRedis: false, clock, log });
  const metrics = makeMetrics({
    name: "dashboard",
    commit: config.buildCommit,
    counters,
    clock,
    clockAheadMs: clockSkew.aheadMs,
    awardsWaiting: ledger.waiting,
    projection: ledger.projection,
    worker: null,
    queued: connections,
    health,
  });

  /** Closes what was started by then. */
  async function close(server?: Listening, ops?: OpsServer): Promise<void> {
    await server?.close();
    reading.stop();
    rejectionLog.flush();
    await ops?.close();
    await ledger.close();
    health.stop();
    await connections.close();
  }
  let server: Listening | undefined;
  try {
    server = await startServer(app, { ...config, port: config.dashboardPort, ...TIMES }, { connections: callers });
    const ops = await startOpsServer({ host: config.opsHost ?? config.host, port: config.opsPort, health, metrics });
    return { port: server.port, opsPort: ops.port, ready: connections.database.ready, close: () => close(server, ops) };
  } catch (error) {
    await close(server);
    throw error;
  }
}

function announcing({ queueRedis: redis, namespace }: Connections, log: Log): () => void {
  const announce = makeAnnounceEvents({ redis, namespace, log });
  return () => void announce(UNNUMBERED);
}

function publicPagesOf({
  config: { publicPages, dashboardUrl },
  connections,
  reading,
  clock,
}: {
  config: DashboardDeps["config"];
  connections: Connections;
  reading: ReturnType<typeof makeReading>;
  clock: Clock;
}) {
  return makePublicPages({
    isOn: publicPages,
    isSecure: dashboardUrl?.startsWith("https:") ?? false,
    store: connections.publicPages,
    readPage: reading.readPage,
    clock,
  });
}

function makeCookies(ownOrigin: DashboardDeps["config"]["dashboardUrl"]) {
  return {
    cookie: makeCookie({ name: "clanxp", lifeMs: SESSION_LIFE_MS, ownOrigin }),
    challengeCookie: makeCookie({ name: "clanxp-challenge", lifeMs: CHALLENGE_MS, ownOrigin }),
    deviceCookie: makeCookie({ name: "clanxp-device", lifeMs: DEVICE_LIFE_MS, ownOrigin }),
  };
}
