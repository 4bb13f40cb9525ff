// From an HTTP request to a call of its route: session, access, then path, query and body by the row of the endpoint
// table.
import type { Request, RequestHandler, Response } from "express";
import type { z } from "zod";
import { mayAct } from "#domain/account.ts";
import { AppError } from "#kernel/app-error.ts";
import { isClanId } from "#domain/bounds.ts";
import { plainAddress } from "#domain/ip-address.ts";
import type { Actor } from "#domain/audit.ts";
import { CsvFile, type DashboardEndpoint, HtmlPage, NoBody } from "#contract/dashboard/endpoint.ts";
import type { DashboardEndpoints } from "#contract/dashboard/endpoints.ts";
import { PERSON_HEADER } from "#contract/dashboard/person-header.ts";
import { parse } from "#contract/parse.ts";
import type { ConnectionCap } from "#http/connection-cap.ts";
import { parseJson } from "#http/parse-json.ts";
import { readBody } from "#http/read-body.ts";
import { requireShallow } from "#http/require-shallow.ts";
import type { FailureLog } from "#process/failure-log.ts";
import type { Sessions, SignedIn } from "#accounts/sessions.ts";
import type { LimitsOf } from "./body-limits.ts";
import { DashboardError } from "./dashboard-error.ts";
import type { Cookie } from "./cookie.ts";
import { ownOriginOf } from "./own-origin.ts";
import { sendCsv } from "./send-csv.ts";
import type { Shares } from "./shares.ts";

export type Call<Row extends DashboardEndpoint> = {
  params: z.output<Row["params"]>;
  query: z.output<Row["query"]>;
  body: z.output<Row["body"]>;
  /** The person who is signed in; never null if the row requires more than `public`. */
  who: Row["access"] extends "public" ? SignedIn | null : SignedIn;
  /** The actor for the audit log. */
  by: Row["access"] extends "public" ? null : Actor;
  /** The caller's address, as far as it can be known. */
  address: string;
  /** The origin at which the caller's browser sees the dashboard. */
  origin: string;
  /** The text that `beginChallenge` set in the caller's browser last. */
  challengeCookie: string | null;
  /** Sets this text in the caller's browser, for the request that answers the challenge. */
  beginChallenge(text: string): void;
  /** The value of the cookie of a known device. */
  device: string | null;
  /**
   * Sets this session in the caller's browser, in place of the previous one. `device`: the cookie text by which the
   * account recognizes the device.
   */
  beginSession(session: string, device?: string | null): Promise<void>;
  endSession(): Promise<void>;
};
/** Returns a value of the row's `response` schema. Throws DashboardError or AppError for every error. */
export type Route<Row extends DashboardEndpoint> = (call: Call<Row>) => Promise<z.input<Row["response"]>>;
export type Routes<Table extends Record<string, DashboardEndpoint> = DashboardEndpoints> = {
  [Name in keyof Table]: Route<Table[Name]>;
};

/** The data of a request for the log: the signed-in account, and the clan in the path. */
export type Caller = { account: string; clanId: string | null };

export type RouteDeps = {
  sessions: Pick<Sessions, "find" | "end">;
  cookie: Cookie;
  challengeCookie: Cookie;
  deviceCookie: Cookie;
  /** The configured origin, if any. */
  ownOrigin: string | null;
  /** Throws AppError `unavailable`. */
  hasClan: (clanId: string) => Promise<boolean>;
  /** The next request reads the clan's rules again. */
  forgetRules: (clanId: string) => void;
  limitsOf: LimitsOf;
  failureLog: FailureLog;
  shares: Shares;
  connections: Pick<ConnectionCap, "markAuthenticated">;
};

export function makeRouteHandler<Row extends DashboardEndpoint>(
  row: Row,
  route: Route<Row>,
  deps: RouteDeps,
): RequestHandler {
  return async (req, res) => {
    let who = await admit(row, req, res, deps);
    await enterShare(row, who, res, deps);
    let sent: unknown;
    if (row.body !== NoBody) {
      const hasArrived = req.complete;
      sent = parseJson(await readBody(req, res, deps.limitsOf(row, res)));
      requireShallow(sent);
      // The caller's permission can end while the body arrives.
      if (!hasArrived) who = await admit(row, req, res, deps);
    }
    const call = {
      params: parsePart("path", row.params, req.params),
      query: parsePart("query", row.query, req.query),
      body: parsePart("body", row.body, sent),
      who,
      by: who && { actor: who.account.name, via: "dashboard" },
      address: plainAddress(req.ip ?? "unknown"),
      origin: ownOriginOf(req, deps.ownOrigin),
      challengeCookie: deps.challengeCookie.read(req)[0] ?? null,
      beginChallenge: (text: string) => deps.challengeCookie.write(res, text),
      device: deps.deviceCookie.read(req)[0] ?? null,
      async beginSession(session: string, device: string | null = null) {
        deps.cookie.write(res, session);
        if (device !== null) deps.deviceCookie.write(res, device);
        await replaceSession(req, deps);
      },
      async endSession() {
        await endSessions(req, deps);
        deps.cookie.clear(res);
      },
    };
    const response = await run(row, route, call, { req, deps });
    if (row.response === HtmlPage) {
      const { html, headers } = response as HtmlPage;
      return void res.set(headers).type("html").send(html);
    }
    if (row.response !== CsvFile) return void res.json(response);
    const file = response as CsvFile;
    await sendCsv(res, { ...file, text: deps.shares.paced(file.text) });
  };
}

/** The person who is signed in; throws unless they have the required access. */
async function admit(row: DashboardEndpoint, req: Request, res: Response, deps: RouteDeps): Promise<SignedIn | null> {
  const who = await findSignedIn(req, deps);
  if (who) {
    res.locals["caller"] = callerOf(who, req);
    deps.connections.markAuthenticated(req.socket);
  }
  requireAccess(row, who, req);
  await requireClan(req, deps);
  return who;
}

async function findSignedIn(req: Request, { cookie, sessions }: RouteDeps): Promise<SignedIn | null> {
  // Pages send reads automatically, but changes only on a person's action.
  const isUse = req.method !== "GET" || req.get(PERSON_HEADER) !== undefined;
  for (const text of cookie.read(req)) {
    const who = await sessions.find(text, isUse);
    if (who) return who;
  }
  return null;
}

/** People see their own changes with their next request, also if it is not known whether a change was made. */
async function run<Row extends DashboardEndpoint>(
  row: Row,
  route: Route<Row>,
  call: object,
  { req, deps }: { req: Request; deps: RouteDeps },
): Promise<z.input<Row["response"]>> {
  const { clanId } = req.params;
  try {
    // The row's schemas have just validated the parts, so they have the row's types.
    return await route(call as unknown as Call<Row>);
  } finally {
    if (row.method !== "GET" && typeof clanId === "string") deps.forgetRules(clanId);
  }
}

/** Until the response is sent, or nobody waits for it any more. */
async function enterShare(
  { response }: DashboardEndpoint,
  who: SignedIn | null,
  res: Response,
  { shares }: RouteDeps,
): Promise<void> {
  if (!who) return;
  const { name } = who.account;
  const leave = response === CsvFile ? await shares.enterExport(name) : await shares.enter(name);
  if (res.closed) leave();
  else res.once("close", leave);
}

function callerOf({ account }: SignedIn, { params: { clanId } }: Request): Caller {
  return { account: account.name, clanId: typeof clanId === "string" && isClanId(clanId) ? clanId : null };
}

function requireAccess(row: DashboardEndpoint, who: SignedIn | null, req: Request): void {
  if (row.access === "public") return;
  if (!who) throw new DashboardError("signed_out", "Your session has ended. Sign in again.");
  const clanId = req.params["clanId"];
  if (mayAct(who.account, row.access, typeof clanId === "string" ? clanId : null)) return;
  const what = req.method === "GET" ? "read this." : "do this. Nothing was changed.";
  throw new DashboardError("forbidden", `Your account ${who.account.name} may not ${what}`);
}

/** Operators may name any clan. All others must not learn which clans exist, and were rejected before. */
async function requireClan({ method, params: { clanId } }: Request, { hasClan }: RouteDeps): Promise<void> {
  if (typeof clanId !== "string" || (await hasClan(clanId))) return;
  const effect = method === "GET" ? "" : " Nothing was changed.";
  throw new DashboardError("not_found", `There is no clan ${clanId}.${effect}`);
}

function parsePart(part: string, schema: z.ZodType, sent: unknown): unknown {
  const parsed = parse(schema, sent);
  if (parsed.ok) return parsed.value;
  const [first] = parsed.faults;
  const name = first?.pointer.slice(1) || `The ${part}`;
  throw new DashboardError("invalid_request", `${name} ${first?.detail ?? "is not valid"}. Nothing was changed.`, {
    faults: parsed.faults,
  });
}

/** If the old session cannot be ended, the new one must not be lost. The old one then expires by itself. */
async function replaceSession(req: Request, { cookie, sessions, failureLog }: RouteDeps): Promise<void> {
  const [before] = cookie.read(req);
  if (before === undefined) return;
  try {
    await sessions.end(before);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    failureLog.note(error);
  }
}

/** All sessions of this browser: none of the others may take the place of the one that ends. */
async function endSessions(req: Request, { cookie, sessions }: RouteDeps): Promise<void> {
  for (const text of cookie.read(req)) await sessions.end(text);
}
