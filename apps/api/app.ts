// The steps of a request, in the order in which errors take precedence (docs/reference/errors.md, Order of errors).
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { AppError } from "#domain/app-error.ts";
import { endpoints, type Endpoint } from "#contract/endpoints.ts";
import { isClanId } from "#domain/bounds.ts";
import type { ErrorCode } from "#domain/error-code.ts";
import type { FailureLog } from "#runtime/process/failure-log.ts";
import { problems } from "#contract/problem.ts";
import type { RequestTrace, RequestTracer } from "#runtime/tracing/tracing.ts";
import type { CheckKey } from "#usecases/keys/check-key.ts";
import type { Principal } from "#domain/key.ts";
import type { Clock, Log } from "#runtime/ports.ts";
import type { Meter } from "#usecases/ports.ts";
import type { Admission } from "./http/admission.ts";
import { makeTakeTurn, type TakeTurn } from "./http/take-turn.ts";
import type { HttpResponse } from "./http/response.ts";
import { authenticate, keyIdShownBy } from "./authenticate.ts";
import type { ConnectionCap } from "./http/connection-cap.ts";
import { deprecationHeaders } from "./deprecation.ts";
import { makeDocsPageResponse, type DocsPageResponse } from "./docs-pages.ts";
import type { Handlers } from "./endpoint.ts";
import { makeExpressApp, type ServedApp } from "./http/express-app.ts";
import { decode, matchEndpoint, nearestPath, parseTarget, type Match, type Target } from "./http/match-endpoint.ts";
import { MethodNotAllowed, problemResponse } from "./problem.ts";
import { RateLimited, type Rates, type RateLimits } from "./rate-limits.ts";
import type { Rejection, RejectionLog } from "./rejection-log.ts";
import type { RequestLog } from "./request-log.ts";
import { makeSend, type Send } from "./http/send.ts";

export type AppWorld = {
  checkKey: CheckKey;
  ratesOf: RateLimits;
  handlers: Handlers;
  admission: Admission;
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
};

type Serving = AppWorld & { docsPage: DocsPageResponse; takeTurn: TakeTurn; send: Send };

export function makeApp(given: AppWorld): ServedApp {
  const world: Serving = { ...given, docsPage: makeDocsPageResponse(), takeTurn: makeTakeTurn(), send: makeSend() };
  const answer: RequestListener = (req, res) => {
    if (!world.tracer) return void serve(world, null, req, res);
    const { method = "", headers } = req;
    void world.tracer.request({ method, headers }, (trace) => serve(world, trace, req, res));
  };
  const { app, served } = makeExpressApp();
  app.use(answer);
  return served;
}

/** Added to the 500 ms for which a key is cached, a change still takes effect within 1 s. */
const KEY_CHECK_GOOD_FOR_MS = 100;

/**
 * The data of a request that its response needs: the caller and their rates, once the key is checked. `arrivedAtMs`: of
 * `agingMs`.
 */
type RequestState = { arrivedAtMs: number; principal: Principal | null; rates: Rates | null };

/** Answers every request exactly once; never throws. */
async function serve(
  world: Serving,
  trace: RequestTrace | null,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const beganAtMs = world.clock.monotonicMs();
  const requestId = world.requestIds();
  const target = parseTarget(req.url ?? "");
  const match = target && matchEndpoint(target.path);
  const state: RequestState = { arrivedAtMs: world.clock.agingMs(), principal: null, rates: null };
  let answer: HttpResponse;
  try {
    answer =
      target && match
        ? await answerOf(world, { target, match, state }, req, res)
        : docsPageResponse(world, req, target);
  } catch (error) {
    const problem = publicError(error, world, requestId);
    world.meter.problem(problem.code);
    if (problem instanceof RateLimited) world.meter.rateLimit(problem.kind);
    if (isForKey(problem)) {
      world.rejectionLog.note({ code: problem.code, requestId, ...callerOf(req, state.principal, match) });
    }
    answer = problemResponse(problem, requestId);
  }
  const name = match?.names.get(req.method ?? "");
  const endpoint: Endpoint | null = name ? endpoints[name] : null;
  const deprecated = match && endpoint?.deprecation ? deprecationHeaders(endpoint.deprecation, match.params) : [];
  const more = ["request-id", requestId, ...(state.rates?.headers() ?? []), ...deprecated];
  world.send({ req, res, answer, more });
  const seconds = (world.clock.monotonicMs() - beganAtMs) / 1_000;
  const [method, route, status] = [req.method ?? "", name ?? "none", answer.status];
  world.meter.request(route, method, status, seconds);
  world.requestLog?.({ requestId, method, route, status, seconds });
  trace?.answered({ requestId, route: name ?? null, status });
}

/** Paths that are not endpoints: only the pages that answers link to. */
function docsPageResponse({ docsPage }: Serving, req: IncomingMessage, target: Target | null): HttpResponse {
  const page = target && docsPage(target.path, req.headers.accept ?? "");
  if (!page) throw new AppError("not_found", `No endpoint exists at this path. ${hintFor(target?.path ?? "")}`);
  if (req.method !== "GET" && req.method !== "HEAD") throw new MethodNotAllowed(["GET", "HEAD"]);
  return page;
}

/** Longer ones are no mistyped paths. */
const HINT_CHARS_MAX = 500;

function hintFor(path: string): string {
  const nearest = path.length <= HINT_CHARS_MAX ? nearestPath(path) : null;
  if (nearest === null) return "Paths begin with /v0/clans/{clanId}.";
  return `Did you mean ${nearest}?${path.endsWith("/") ? " Paths do not end in a slash." : ""}`;
}

async function answerOf(
  world: Serving,
  { target, match, state }: { target: Target; match: Match; state: RequestState },
  req: IncomingMessage,
  res: ServerResponse,
): Promise<HttpResponse> {
  const ticket = world.admission.enter();
  try {
    const principal = await authenticate(req, world.checkKey);
    state.principal = principal;
    world.connections.markAuthenticated(req.socket);
    const rates = world.ratesOf(principal);
    state.rates = rates;
    // The same for a clan that does not exist or cannot exist: a key reveals nothing about other clans.
    if (decode(match.params["clanId"] ?? "") !== principal.clanId) {
      throw new AppError(
        "key_clan_mismatch",
        "This API key belongs to a clan other than the one in the path. Nothing was applied to either clan.",
      );
    }
    const name = match.names.get(req.method ?? "");
    if (!name) throw new MethodNotAllowed([...match.names.keys()]);
    await rates.spend("requests", 1);
    ticket.chargeTo(principal.keyId);
    return await world.handlers[name].handle(
      {
        params: match.params,
        query: target.query,
        principal,
        principalNow: () => stillAllowed(world, principal, state, req),
        rates,
        holdBytes: ticket.holdBytes,
        holdAwards: ticket.holdAwards,
        takeTurn: world.takeTurn,
      },
      req,
      res,
    );
  } finally {
    ticket.leave();
  }
}

/**
 * A body may have been held back until its key was revoked, so the key is checked again. A body that arrived
 * immediately needs no second check.
 */
async function stillAllowed(
  world: AppWorld,
  principal: Principal,
  state: RequestState,
  req: IncomingMessage,
): Promise<Principal> {
  if (world.clock.agingMs() - state.arrivedAtMs < KEY_CHECK_GOOD_FOR_MS) return principal;
  const now = await authenticate(req, world.checkKey);
  state.rates?.follow(now.limits);
  return now;
}

/** The error as the caller may see it; everything else is logged under the request's id. */
function publicError(error: unknown, world: AppWorld, requestId: string): AppError {
  if (error instanceof AppError && error.code !== "internal") {
    if (unavailabilities.has(error.code)) world.failureLog.note(error, requestId);
    return error;
  }
  world.log.error({ requestId, err: error }, "request.failed");
  return new AppError(
    "internal",
    `An unexpected internal error occurred. It is not known whether the request took effect: retry with the same Idempotency-Key. If the error persists, give the operator this request id: ${requestId}.`,
  );
}

function isForKey({ code }: AppError): boolean {
  return [401, 403, 429].includes(problems[code].status);
}

/** What may be logged: ids of known forms, never the key's secret or the caller's own text. */
function callerOf(
  req: IncomingMessage,
  principal: Principal | null,
  match: Match | null,
): Omit<Rejection, "code" | "requestId"> {
  const inPath = decode(match?.params["clanId"] ?? "") ?? "";
  return {
    keyId: principal?.keyId ?? keyIdShownBy(req),
    clanId: principal?.clanId ?? (isClanId(inPath) ? inPath : null),
    address: req.socket.remoteAddress ?? null,
  };
}

const unavailabilities: ReadonlySet<string> = new Set(["unavailable", "busy", "outcome_unknown"] satisfies ErrorCode[]);
