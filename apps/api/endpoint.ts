// From an authenticated HTTP request to a call of its route: checks the scope, and parses path, query, headers and
// body.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import { AppError } from "#kernel/app-error.ts";
import { NoBody, type Endpoint, type endpoints, type EndpointName } from "#contract/endpoints.ts";
import { parse } from "#contract/parse.ts";
import { BODY_BYTES_MAX } from "#domain/bounds.ts";
import type { Principal } from "#domain/key.ts";
import { parseJson } from "#http/parse-json.ts";
import { readBody, type HoldBytes } from "#http/read-body.ts";
import { requireShallow } from "#http/require-shallow.ts";
import type { Ticket } from "./http/admission.ts";
import type { HttpResponse } from "./http/response.ts";
import { BODY_BYTES_SMALL, ROWS_SMALL } from "./http/bounds.ts";
import type { TakeTurn } from "#async/take-turn.ts";
import type { Rates } from "./rate-limits.ts";

/** A request that was authenticated, admitted and parsed by its row of the endpoint table. */
type CallOf<Row extends Endpoint> = {
  principal: Principal;
  params: z.output<Row["params"]>;
  query: z.output<Row["query"]>;
  headers: z.output<Row["headers"]>;
  body: z.output<Row["body"]>;
  /** Counts awards that this request commits against the key's share of the waiting awards; throws `busy`. */
  holdAwards: Ticket["holdAwards"];
  /** Counts awards against the key's rate; throws `rate_limited`. */
  spendAwards: (awards: number) => Promise<void>;
  /**
   * Makes a response of so many rows when it is the key's turn, if they are many: its lists must not take the time of
   * others. A wait for something to happen is no part of `work`.
   */
  inTurn: (rows: number, work: () => HttpResponse | Promise<HttpResponse>) => Promise<HttpResponse>;
  /** The current caller, for an endpoint that waits: the key may have been revoked meanwhile. */
  principalNow: Incoming["principalNow"];
  /** Aborts once the caller has disconnected. */
  gone: () => AbortSignal;
};
type RouteOf<Row extends Endpoint> = (call: CallOf<Row>) => Promise<HttpResponse>;

export type Call<Name extends EndpointName> = CallOf<(typeof endpoints)[Name]>;
/** A route file returns this: it responds to a call. Throws AppError for every error. */
export type Route<Name extends EndpointName> = RouteOf<(typeof endpoints)[Name]>;

/** The parameters of a path, still encoded. */
export type PathParams = Readonly<Record<string, string>>;

/** Large bodies of a key do not wait for its lists. */
export type Turns = { bodies: TakeTurn; lists: TakeTurn };

/** A request whose caller may act for the clan in its path. */
export type Incoming = {
  params: PathParams;
  query: URLSearchParams;
  principal: Principal;
  /** The current caller: the key may have been revoked since. */
  principalNow: () => Promise<Principal>;
  rates: Rates;
  holdBytes: HoldBytes;
  holdAwards: Ticket["holdAwards"];
  turns: Turns;
};
export type Handler<Row extends Endpoint = Endpoint> = {
  endpoint: Row;
  handle(incoming: Incoming, req: IncomingMessage, res: ServerResponse): Promise<HttpResponse>;
};
export type Handlers = { [Name in EndpointName]: Handler<(typeof endpoints)[Name]> };

const TOO_LARGE = `The body is larger than ${BODY_BYTES_MAX} bytes (256 KiB). Nothing was applied. Send fewer awards in each request.`;

export function makeHandler<Row extends Endpoint>(endpoint: Row, route: RouteOf<Row>): Handler<Row> {
  const headerNames = Object.keys(endpoint.headers.shape).map((name) => [name, name.toLowerCase()] as const);
  const paramNames = Object.keys(endpoint.params.shape);
  // Almost every request has no query, and many have none of these headers.
  const noQuery = parse<Row["query"]>(endpoint.query, {});
  const noHeaders = parse<Row["headers"]>(endpoint.headers, {});

  function queryOf(sent: URLSearchParams): z.output<Row["query"]> {
    return noQuery.ok && sent.size === 0
      ? noQuery.value
      : parsePart<Row["query"]>("query parameter", endpoint.query, valuesIn(sent));
  }
  function headersOf(req: IncomingMessage): z.output<Row["headers"]> {
    if (noHeaders.ok && headerNames.every(([, lowerCase]) => req.headers[lowerCase] === undefined))
      return noHeaders.value;
    const sent = Object.fromEntries(headerNames.map(([name, lowerCase]) => [name, req.headers[lowerCase]]));
    return parsePart<Row["headers"]>("header", endpoint.headers, sent);
  }

  function withoutBody({ principal }: Incoming): { principal: Principal; body: z.output<Row["body"]> } {
    return { principal, body: parseBody<Row["body"]>(endpoint, undefined) };
  }
  async function withBody(
    incoming: Incoming,
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<ReturnType<typeof withoutBody>> {
    const limits = { bytesMax: BODY_BYTES_MAX, tooLarge: TOO_LARGE, hold: incoming.holdBytes };
    const bytes = await readBody(req, res, limits);
    const principal = await incoming.principalNow();
    requireScope(endpoint, principal);
    const parseIt = (): z.output<Row["body"]> => parseBody<Row["body"]>(endpoint, parseJson(bytes));
    if (bytes.length <= BODY_BYTES_SMALL) return { principal, body: parseIt() };
    const body = await incoming.turns.bodies(principal.keyId, parseIt);
    // The body may have waited for its turn, and the key may have been revoked meanwhile.
    return { principal: await incoming.principalNow(), body };
  }

  return {
    endpoint,
    async handle(incoming, req, res) {
      requireScope(endpoint, incoming.principal);
      const params = parsePart<Row["params"]>("path parameter", endpoint.params, decoded(incoming.params, paramNames));
      const query = queryOf(incoming.query);
      const headers = headersOf(req);
      const { principal, body } = endpoint.body === NoBody ? withoutBody(incoming) : await withBody(incoming, req, res);
      return route({
        principal,
        params,
        query,
        headers,
        body,
        holdAwards: incoming.holdAwards,
        spendAwards: (awards) => incoming.rates.spend("awards", awards),
        inTurn: (rows, work) => inTurn(endpoint, incoming, { rows, work }),
        principalNow: incoming.principalNow,
        gone: () => whenClosed(res),
      });
    },
  };
}

async function inTurn(
  endpoint: Endpoint,
  { principal, principalNow, turns }: Incoming,
  { rows, work }: { rows: number; work: () => HttpResponse | Promise<HttpResponse> },
): Promise<HttpResponse> {
  if (rows <= ROWS_SMALL) return work();
  return turns.lists(principal.keyId, async () => {
    // The key may have been revoked before its turn.
    requireScope(endpoint, await principalNow());
    const response = await work();
    return { ...response, body: JSON.stringify(response.body) };
  });
}

function whenClosed(res: ServerResponse): AbortSignal {
  const closed = new AbortController();
  if (res.destroyed) closed.abort();
  else res.once("close", () => closed.abort());
  return closed.signal;
}

function requireScope(endpoint: Endpoint, principal: Principal): void {
  if (endpoint.scopes.some((scope) => principal.scopes.includes(scope))) return;
  throw new AppError(
    "scope_missing",
    `This endpoint requires an API key with the scope ${endpoint.scopes.join(" or ")}.`,
  );
}

/** `names`: known before, because those of the router's object are slow to list. */
function decoded(params: PathParams, names: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of names) {
    const value = decode(params[name] ?? "");
    if (value === null)
      throw new AppError("invalid_request", `The path parameter "${name}" is not percent-encoded UTF-8.`);
    values[name] = value;
  }
  return values;
}

/** A decoded segment of a path; null if it is not percent-encoded UTF-8. */
export function decode(segment: string): string | null {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** A parameter that was sent more than once becomes an array, which no schema accepts. */
function valuesIn(query: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const [value = "", ...more] = query.getAll(name);
      return [name, more.length === 0 ? value : [value, ...more]];
    }),
  );
}

/** For input outside the body: the first fault is the response. */
function parsePart<Schema extends z.ZodObject>(
  part: string,
  schema: Schema,
  sent: Record<string, unknown>,
): z.output<Schema> {
  const parsed = parse(schema, sent);
  if (parsed.ok) return parsed.value;
  const [{ pointer, detail } = { pointer: "", detail: "" }] = parsed.faults;
  const name = pointer.slice(1);
  const fault = Array.isArray(sent[name]) ? "is given more than once" : detail;
  throw new AppError("invalid_request", `The ${part} ${shown(name)} ${fault}.`);
}

function parseBody<Schema extends z.ZodType>(endpoint: Endpoint & { body: Schema }, sent: unknown): z.output<Schema> {
  requireFewAwards(endpoint, sent);
  requireShallow(sent);
  const parsed = parse(endpoint.body, sent);
  if (parsed.ok) return parsed.value;
  const [first] = parsed.faults;
  const detail = `The request body is not valid: ${first?.pointer || "it"} ${first?.detail}. Nothing was applied.`;
  throw new AppError("invalid_request", detail, { faults: parsed.faults });
}

/** The size is checked before the content of the body. */
function requireFewAwards({ awardsMax = Infinity }: Endpoint, sent: unknown): void {
  const awards = typeof sent === "object" && sent !== null && "awards" in sent ? sent.awards : null;
  if (!Array.isArray(awards) || awards.length <= awardsMax) return;
  throw new AppError(
    "too_many_awards",
    `The list awards has ${awards.length} entries; at most ${awardsMax} are allowed. Nothing was applied.`,
  );
}

/** The caller's text, short enough to be returned. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, 50).toWellFormed());
}
