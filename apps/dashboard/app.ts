// The steps of a request to the dashboard: public pages, which share none of the others, then headers, the endpoints of
// the table, and the built pages.
import type { NextFunction, Request, RequestHandler, Response } from "express";
import { plainAddress } from "#domain/ip-address.ts";
import { dashboardEndpoints } from "#contract/dashboard/endpoints.ts";
import type { DashboardEndpoint } from "#contract/dashboard/endpoint.ts";
import { dashboardProblems } from "#contract/dashboard/problem.ts";
import { makeExpressApp, type ServedApp } from "#http/express-app.ts";
import type { RejectionLog } from "#http/rejection-log.ts";
import { methodOf, pathOf } from "#http/table-row.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import type { Meter } from "#telemetry/meter.ts";
import { makeBodyLimits } from "./http/body-limits.ts";
import { DashboardError } from "./http/dashboard-error.ts";
import { requireOwnHost } from "./http/require-own-host.ts";
import { dashboardErrorOf, sendProblem } from "./http/problem.ts";
import { makeRouteHandler, type Caller, type Route, type Routes, type RouteDeps } from "./http/route.ts";
import { requireSameOrigin } from "./http/require-same-origin.ts";
import { makeShares } from "./http/shares.ts";
import { securityHeaders } from "./http/security-headers.ts";

export type AppDeps = Omit<RouteDeps, "limitsOf" | "shares"> & {
  routes: Routes;
  /** The number of reverse proxies in front of the dashboard. */
  proxies: number;
  /** The pages of clans that anybody may read. */
  publicPages: RequestHandler;
  pages: RequestHandler;
  requestIds: () => string;
  /** A request has made changes, which may have events. */
  changed: () => void;
  clock: Clock;
  meter: Pick<Meter, "request">;
  rejectionLog: RejectionLog;
  log: Log;
};

/** Errors that are caused by the session, the account or the address. */
const OF_SENDER: ReadonlySet<number> = new Set([401, 403, 429]);

export function makeApp(deps: AppDeps): ServedApp {
  const { app, served } = makeExpressApp();
  const shared = { ...deps, limitsOf: makeBodyLimits(), shares: makeShares() };
  app.set("trust proxy", deps.proxies);
  app.use(deps.publicPages);
  app.use(securityHeaders(deps.ownOrigin?.startsWith("https:") ?? false));
  app.use(requireOwnHost(deps.ownOrigin));
  app.use("/api", begin(deps), requireSameOrigin(deps.ownOrigin));
  for (const [name, row] of Object.entries<DashboardEndpoint>(dashboardEndpoints)) {
    const route = Reflect.get(deps.routes, name) as Route<DashboardEndpoint>;
    const handler = makeRouteHandler(row, route, shared);
    app[methodOf(row)](pathOf(row), named(name), handler);
  }
  app.use("/api", () => {
    throw new DashboardError("not_found", "There is nothing at this path.");
  });
  app.use(deps.pages);
  app.use((_req, res) => void res.status(404).type("text").send("Not found\n"));
  app.use(onError(deps));
  return served;
}

/** Assigns the request its id, and counts the request when its response is sent. */
function begin({ requestIds, changed, clock, meter }: AppDeps): RequestHandler {
  return (req, res, next) => {
    const beganMs = clock.monotonicMs();
    res.set("Request-Id", requestIds());
    res.once("finish", () => {
      if (req.method !== "GET") changed();
      const route: unknown = res.locals["route"] ?? "none";
      meter.request(String(route), req.method, res.statusCode, (clock.monotonicMs() - beganMs) / 1_000);
    });
    next();
  };
}

function named(name: string): RequestHandler {
  return (_req, res, next) => {
    res.locals["route"] = name;
    next();
  };
}

function onError({ failureLog, rejectionLog, requestIds, log }: AppDeps) {
  return (error: unknown, req: Request, res: Response, _next: NextFunction): void => {
    const requestId = res.get("Request-Id") ?? requestIds();
    const failure = dashboardErrorOf(error);
    const { status } = dashboardProblems[failure.code];
    if (failure.code === "internal") log.error({ requestId, method: req.method, err: error }, "request.failed");
    else if (status === 503) failureLog.note(failure, requestId);
    else if (OF_SENDER.has(status)) {
      const { account = null, clanId = null } = (res.locals["caller"] ?? {}) as Partial<Caller>;
      const route = res.locals["route"] === undefined ? null : String(res.locals["route"]);
      const [{ method }, address] = [req, plainAddress(req.ip ?? "") || null];
      const sender = { name: account ?? address, isAuthenticated: account !== null };
      rejectionLog.note({ code: failure.code, method, route, clanId, account, address, requestId }, sender);
    }
    if (res.headersSent) res.destroy();
    else sendProblem(res, failure, requestId);
  };
}
