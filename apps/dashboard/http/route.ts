// From an HTTP request to a call of its route: session, access, then path, query and body by the row of the endpoint
// table.
import type { Request, RequestHandler, Response } from "express";
import type { z } from "zod";
import { mayAct } from "#domain/account.ts";
import { AppError } from "#domain/app-error.ts";
import { isClanId } from "#domain/bounds.ts";
import type { Actor } from "#domain/audit.ts";
import { type DashboardEndpoint, NoBody } from "#contract/dashboard/endpoint.ts";
import type { DashboardEndpoints } from "#contract/dashboard/endpoints.ts";
import { PERSON_HEADER } from "#contract/dashboard/person-header.ts";
import { parse } from "#contract/parse.ts";
import type { FailureLog } from "#runtime/process/failure-log.ts";
import type { Sessions, SignedIn } from "#usecases/accounts/sessions.ts";
import { DashboardError } from "./dashboard-error.ts";
import type { Cookie } from "./cookie.ts";
import { readJsonBody } from "./json-body.ts";
import { ownOriginOf } from "./own-origin.ts";

export type Call<Row extends DashboardEndpoint> = {
  params: z.output<Row["params"]>;
  query: z.output<Row["query"]>;
  body: z.output<Row["body"]>;
  /** Who is asking; never null where the row asks for more than `public`. */
  who: Row["access"] extends "public" ? SignedIn | null : SignedIn;
  /** Who is asking, for the audit log. */
  by: Row["access"] extends "public" ? null : Actor;
  /** The caller's address, as far as it can be known. */
  address: string;
  /** Where the caller's browser sees the dashboard. */
  origin: string;
  /** What `beginChallenge` gave to the caller's browser last. */
  challengeCookie: string | null;
  /** Gives the caller's browser this text, for the request that answers the challenge. */
  beginChallenge(text: string): void;
  /** What the cookie of a device that an account knows holds. */
  device: string | null;
  /** Gives the caller this session, in place of the one they had. `device`: its proof that the account knows it. */
  beginSession(session: string, device?: string | null): Promise<void>;
  endSession(): Promise<void>;
};
/** Answers what the row's `answer` describes. Throws DashboardError or AppError for every error. */
export type Route<Row extends DashboardEndpoint> = (call: Call<Row>) => Promise<z.input<Row["answer"]>>;
export type Routes<Table extends Record<string, DashboardEndpoint> = DashboardEndpoints> = {
  [Name in keyof Table]: Route<Table[Name]>;
};

/** Of a request, for the log: who is signed in, and the clan of the path. */
export type Caller = { account: string; clanId: string | null };

export type RouteWorld = {
  sessions: Pick<Sessions, "find" | "end">;
  cookie: Cookie;
  challengeCookie: Cookie;
  deviceCookie: Cookie;
  /** The origin that people see, when it is configured. */
  ownOrigin: string | null;
  /** Throws AppError `unavailable`. */
  hasClan: (clanId: string) => Promise<boolean>;
  failureLog: FailureLog;
};

export function makeRouteHandler<Row extends DashboardEndpoint>(
  row: Row,
  route: Route<Row>,
  world: RouteWorld,
): RequestHandler {
  return async (req, res) => {
    let who = await admit(row, req, res, world);
    let sent: unknown;
    if (row.body !== NoBody) {
      const hasArrived = req.complete;
      sent = await readJsonBody(req, res);
      // What the caller may do can end while a body arrives.
      if (!hasArrived) who = await admit(row, req, res, world);
    }
    const call = {
      params: parsePart("path", row.params, req.params),
      query: parsePart("query", row.query, req.query),
      body: parsePart("body", row.body, sent),
      who,
      by: who && { actor: who.account.name, via: "dashboard" },
      address: req.ip ?? "unknown",
      origin: ownOriginOf(req, world.ownOrigin),
      challengeCookie: world.challengeCookie.read(req)[0] ?? null,
      beginChallenge: (text: string) => world.challengeCookie.write(res, text),
      device: world.deviceCookie.read(req)[0] ?? null,
      async beginSession(session: string, device: string | null = null) {
        world.cookie.write(res, session);
        if (device !== null) world.deviceCookie.write(res, device);
        await replaceSession(req, world);
      },
      async endSession() {
        await endSessions(req, world);
        world.cookie.clear(res);
      },
    };
    // The row's schemas have just made the parts what its types say.
    const answer = await route(call as unknown as Call<Row>);
    res.json(answer);
  };
}

/** Who is asking; throws unless they may. */
async function admit(row: DashboardEndpoint, req: Request, res: Response, world: RouteWorld): Promise<SignedIn | null> {
  const who = await whoIs(req, world);
  if (who) res.locals["caller"] = callerOf(who, req);
  requireAccess(row, who, req);
  await requireClan(req, world);
  return who;
}

async function whoIs(req: Request, { cookie, sessions }: RouteWorld): Promise<SignedIn | null> {
  // Pages also ask by themselves; they change nothing by themselves.
  const isUse = req.method !== "GET" || req.get(PERSON_HEADER) !== undefined;
  for (const text of cookie.read(req)) {
    const who = await sessions.find(text, isUse);
    if (who) return who;
  }
  return null;
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

/** Operators may name any clan. Everybody else, who must not learn which clans exist, was rejected before. */
async function requireClan({ method, params: { clanId } }: Request, { hasClan }: RouteWorld): Promise<void> {
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

/** The new session must not be lost because the old one cannot be ended, which then expires by itself. */
async function replaceSession(req: Request, { cookie, sessions, failureLog }: RouteWorld): Promise<void> {
  const [before] = cookie.read(req);
  if (before === undefined) return;
  try {
    await sessions.end(before);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    failureLog.note(error);
  }
}

/** All that the browser has here: none of them may show up in place of the one that ends. */
async function endSessions(req: Request, { cookie, sessions }: RouteWorld): Promise<void> {
  for (const text of cookie.read(req)) await sessions.end(text);
}
