// The steps of a request, in the order in which errors take precedence (docs/reference/errors.md, Order of errors).
import type { Request, RequestHandler, Response } from "express";
import { AppError } from "#kernel/app-error.ts";
import { endpointNames, endpoints, type Endpoint, type EndpointName } from "#contract/endpoints.ts";
import { HOOK_PATH, HOOK_ROUTE } from "#contract/hook.ts";
import { isClanId } from "#domain/bounds.ts";
import { plainAddress } from "#domain/ip-address.ts";
import type { ConnectionCap } from "#http/connection-cap.ts";
import { encodedForm, makeExpressApp, sentPathOf, type ServedApp } from "#http/express-app.ts";
import type { RejectionLog } from "#http/rejection-log.ts";
import { methodOf, pathOf } from "#http/table-row.ts";
import type { ErrorCode } from "#kernel/error-code.ts";
import type { FailureLog } from "#process/failure-log.ts";
import { problems } from "#contract/problem.ts";
import type { RequestTrace, RequestTracer } from "#telemetry/tracing/tracing.ts";
import type { CheckKey } from "#keys/check-key.ts";
import type { Principal } from "#domain/key.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import type { Meter } from "#telemetry/meter.ts";
import type { Admission, Ticket } from "./http/admission.ts";
import { makeTakeTurn } from "#async/take-turn.ts";
import { REST_MS_MAX, RESTS_PER_TURN } from "./http/bounds.ts";
import type { HttpResponse } from "./http/response.ts";
import { authenticate, keyIdShownBy } from "./authenticate.ts";
import { deprecationHeaders } from "./deprecation.ts";
import { makeDocsPageResponse, type DocsPageResponse } from "./docs-pages.ts";
import type { DocsSite } from "./docs-site.ts";
import type { ReceiveNotification } from "./receive-notification.ts";
import { decode, type Handlers, type PathParams, type Turns } from "./endpoint.ts";
import { nearestPath } from "./nearest-path.ts";
import { MethodNotAllowed, problemResponse } from "./problem.ts";
import { RateLimited, type Rates, type RateLimits } from "./rate-limits.ts";
import type { RequestLog } from "./request-log.ts";
import { makeSend, type Send } from "./http/send.ts";

export type AppDeps = {
  checkKey: CheckKey;
  ratesOf: RateLimits;
  handlers: Handlers;
  receiveNotification: ReceiveNotification;
  admission: Admission;
  /** Of requests without a key: apart, so that neither takes the room of the other. */
  readers: Admission;
  connections: Pick<ConnectionCap, "markAuthenticated">;
  requestIds: () => string;
  failureLog: FailureLog;
  rejectionLog: RejectionLog;
  clock: Clock;
  meter: Meter;
  /** Null if neither traces nor log lines are wanted. */
  tracer: RequestTracer | null;
  requestLog: RequestLog | null;
  log: Log;
  /** Null: the documentation is served as plain pages. */
  site: DocsSite | null;
  /** The origin at which callers reach the documentation, empty if it is the API's own. */
  docsUrl: string;
};

type Serving = AppDeps & { docsPage: DocsPageResponse; turns: Turns; send: Send };
type ApiRequest = Request<PathParams, unknown, unknown, URLSearchParams>;
type ApiHandler = RequestHandler<PathParams, unknown, unknown, URLSearchParams>;
/** What responds to the requests of one route. Throws AppError for every error. */
type Respond = (state: RequestState, req: ApiRequest, res: Response) => HttpResponse | Promise<HttpResponse>;

const NO_QUERY = new URLSearchParams();

/** Each row of the endpoint table is a route, and each of its paths rejects other methods (docs/decisions/0044). */
export function makeApp(given: AppDeps): ServedApp {
  const rests = { restsPerTurn: RESTS_PER_TURN, restMsMax: REST_MS_MAX };
  const turns = { bodies: makeTakeTurn(rests), lists: makeTakeTurn(rests) };
  const deps: Serving = { ...given, docsPage: makeDocsPageResponse(given), turns, send: makeSend() };
  // A path that cannot be decoded must find its endpoint, too, so that the key is checked first (docs/reference/errors.md,
  // Order of errors).
  const { app, served } = makeExpressApp(encodedForm);
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.set("query parser", (text: string | null) => (text ? new URLSearchParams(text) : NO_QUERY));
  for (const [path, names] of Map.groupBy(endpointNames, (name) => endpoints[name].path)) {
    const route = app.route(pathOf({ path }));
    for (const name of names) route[methodOf(endpoints[name])](handlerOf(deps, name, respondTo(deps, name)));
    const allowed = names.flatMap((name) =>
      endpoints[name].method === "GET" ? ["GET", "HEAD"] : endpoints[name].method,
    );
    route.all(handlerOf(deps, null, rejectMethod(deps, allowed)));
  }
  app
    .route(pathOf({ path: HOOK_PATH }))
    .post(handlerOf(deps, HOOK_ROUTE, (_state, req, res) => deps.receiveNotification(req.params["hookId"], req, res)))
    .all(handlerOf(deps, null, rejectHookMethod));
  app.use(handlerOf(deps, null, (_state, req, res) => admittedReader(deps, req, res)));
  return served;
}

type RouteName = EndpointName | typeof HOOK_ROUTE;

/** `name`: the endpoint, if the route belongs to one. */
function handlerOf(deps: Serving, name: RouteName | null, respond: Respond): ApiHandler {
  return (req, res) => {
    if (!deps.tracer) return void serve(deps, { name, respond, trace: null }, req, res);
    const { method, headers } = req;
    void deps.tracer.request({ method, headers }, (trace) => serve(deps, { name, respond, trace }, req, res));
  };
}

/** Added to the 500 ms for which a key is cached, a change still takes effect within 1 s. */
const KEY_CHECK_GOOD_FOR_MS = 100;

/**
 * The data of a request that its response needs: the caller and their rates, once the key is checked. `arrivedAtMs`: of
 * `agingMs`.
 */
type RequestState = { arrivedAtMs: number; principal: Principal | null; rates: Rates | null };

/** Responds to every request exactly once; never throws. */
async function serve(
  deps: Serving,
  { name, respond, trace }: { name: RouteName | null; respond: Respond; trace: RequestTrace | null },
  req: ApiRequest,
  res: Response,
): Promise<void> {
  const beganAtMs = deps.clock.monotonicMs();
  const requestId = deps.requestIds();
  const state: RequestState = { arrivedAtMs: deps.clock.agingMs(), principal: null, rates: null };
  let response: HttpResponse;
  try {
    response = await respond(state, req, res);
  } catch (error) {
    const problem = publicError(error, deps, requestId);
    deps.meter.problem(problem.code);
    if (problem instanceof RateLimited) deps.meter.rateLimit(problem.kind);
    if (isForKey(problem)) {
      const caller = callerOf(req, state.principal);
      const sender = { name: caller.keyId ?? caller.address, isAuthenticated: !hasNoKey.has(problem.code) };
      deps.rejectionLog.note({ code: problem.code, requestId, ...caller }, sender);
    }
    response = problemResponse(problem, { requestId, docsUrl: deps.docsUrl });
  }
  const { deprecation }: Partial<Endpoint> = name && name !== HOOK_ROUTE ? endpoints[name] : {};
  const deprecated = deprecation ? deprecationHeaders(deprecation, { params: req.params, docsUrl: deps.docsUrl }) : [];
  const more = ["request-id", requestId, ...(state.rates?.headers() ?? []), ...deprecated];
  deps.send({ req, res, response, more });
  const seconds = (deps.clock.monotonicMs() - beganAtMs) / 1_000;
  const [{ method }, route, { status }] = [req, name ?? "none", response];
  deps.meter.request(route, method, status, seconds);
  deps.requestLog?.({ requestId, method, route, status, seconds });
  trace?.answered({ requestId, route: name, status });
}

/** Of anybody, without a key: until the response is sent, which a slow reader can delay. */
function admittedReader(deps: Serving, req: ApiRequest, res: Response): HttpResponse {
  res.once("close", deps.readers.enter().leave);
  return docsPageResponse(deps, req, res);
}

/** Paths that are not endpoints: only the pages that responses link to. */
function docsPageResponse({ docsPage }: Serving, req: ApiRequest, res: Response): HttpResponse {
  const page = docsPage(req);
  if (!page) throw new AppError("not_found", `No endpoint exists at this path. ${hintFor(sentPathOf(req.path))}`);
  if (req.method !== "GET" && req.method !== "HEAD") throw new MethodNotAllowed(["GET", "HEAD"]);
  if (page.etag === undefined) return page;
  res.set("ETag", page.etag);
  return req.fresh ? { ...page, status: 304 } : page;
}

/** Longer ones are no mistyped paths. */
const HINT_CHARS_MAX = 500;

function hintFor(path: string): string {
  const nearest = path.length <= HINT_CHARS_MAX ? nearestPath(path) : null;
  if (nearest === null) return "Paths begin with /v0/clans/{clanId}.";
  return `Did you mean ${nearest}?${path.endsWith("/") ? " Paths do not end in a slash." : ""}`;
}

function rejectMethod(deps: Serving, allowed: readonly string[]): Respond {
  return (state, req) =>
    admitted(deps, state, req, () => {
      throw new MethodNotAllowed(allowed);
    });
}

/** Of any caller: no key is needed. */
function rejectHookMethod(): never {
  throw new MethodNotAllowed(["POST"]);
}

function respondTo(deps: Serving, name: EndpointName): Respond {
  return (state, req, res) =>
    admitted(deps, state, req, async ({ ticket, principal, rates }) => {
      await rates.spend("requests", 1);
      ticket.chargeTo(principal.keyId);
      return await deps.handlers[name].handle(
        {
          params: req.params,
          query: req.query,
          principal,
          principalNow: () => stillAllowed(deps, principal, state, req),
          rates,
          holdBytes: ticket.holdBytes,
          holdAwards: ticket.holdAwards,
          turns: deps.turns,
        },
        req,
        res,
      );
    });
}

/** Calls `respond` for a caller who may act for the clan in the path, while there is capacity. */
async function admitted(
  deps: Serving,
  state: RequestState,
  req: ApiRequest,
  respond: (admitted: { ticket: Ticket; principal: Principal; rates: Rates }) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const ticket = deps.admission.enter();
  try {
    const principal = await authenticate(req, deps.checkKey);
    state.principal = principal;
    deps.connections.markAuthenticated(req.socket);
    const rates = deps.ratesOf(principal);
    state.rates = rates;
    // The same for a clan that does not exist or cannot exist: a key reveals nothing about other clans.
    if (decode(req.params["clanId"] ?? "") !== principal.clanId) {
      throw new AppError(
        "key_clan_mismatch",
        "This API key belongs to a clan other than the one in the path. Nothing was applied to either clan.",
      );
    }
    return await respond({ ticket, principal, rates });
  } finally {
    ticket.leave();
  }
}

/**
 * A body may have been held back until its key was revoked, so the key is checked again. A body that arrived
 * immediately needs no second check.
 */
async function stillAllowed(
  deps: AppDeps,
  principal: Principal,
  state: RequestState,
  req: ApiRequest,
): Promise<Principal> {
  if (deps.clock.agingMs() - state.arrivedAtMs < KEY_CHECK_GOOD_FOR_MS) return principal;
  const now = await authenticate(req, deps.checkKey);
  state.rates?.follow(now.limits);
  return now;
}

/** The error as the caller may see it; everything else is logged under the request's id. */
function publicError(error: unknown, deps: AppDeps, requestId: string): AppError {
  if (error instanceof AppError && error.code !== "internal") {
    if (unavailabilities.has(error.code)) deps.failureLog.note(error, requestId);
    return error;
  }
  deps.log.error({ requestId, err: error }, "request.failed");
  return new AppError(
    "internal",
    `An unexpected internal error occurred. It is not known whether the request took effect: retry with the same Idempotency-Key. If the error persists, give the operator this request id: ${requestId}.`,
  );
}

function isForKey({ code }: AppError): boolean {
  return [401, 403, 429].includes(problems[code].status);
}

/**
 * The id in the key's text, and the key's clan; if the key is unknown, the clan in the path. With `key_invalid` nobody
 * has presented the secret of the key.
 */
function callerOf(req: ApiRequest, principal: Principal | null) {
  const inPath = decode(req.params["clanId"] ?? "") ?? "";
  return {
    keyId: principal?.keyId ?? keyIdShownBy(req),
    clanId: principal?.clanId ?? (isClanId(inPath) ? inPath : null),
    address: plainAddress(req.socket.remoteAddress ?? "") || null,
  };
}

const hasNoKey: ReadonlySet<string> = new Set<ErrorCode>(["key_missing", "key_invalid", "signature_invalid"]);
const unavailabilities: ReadonlySet<string> = new Set<ErrorCode>(["unavailable", "busy", "outcome_unknown"]);
