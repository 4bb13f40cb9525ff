// From an authenticated HTTP request to a call of its route: checks the scope, parses path, query, headers and body.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import { AppError } from "#domain/app-error.ts";
import { isPlatformId } from "#domain/bounds.ts";
import { endpoints, type Endpoint, type EndpointName } from "#contract/endpoints.ts";
import { faultsOf, parseOptions } from "#contract/faults.ts";
import { parseIdempotencyKey } from "#contract/idempotency-key.ts";
import type { Principal } from "#usecases/key.ts";
import type { HoldBytes } from "./http/admission.ts";
import type { Answer } from "./http/answer.ts";
import type { PathParams } from "./http/match-endpoint.ts";
import type { Rates } from "./rates.ts";
import { readJson } from "./http/read-json.ts";

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** A request that was authenticated, admitted and parsed. */
export type Call<Name extends EndpointName = EndpointName> = {
  principal: Principal;
  params: { platformId: string; batchId: string };
  query: Output<(typeof endpoints)[Name]["query"]>;
  body: Output<(typeof endpoints)[Name]["body"]>;
  idempotencyKey: string | null;
  prefer: string | undefined;
  /** Spends the key's rate of awards; throws `rate_limited`. */
  spendAwards: (awards: number) => Promise<void>;
};

/** What a route file makes: an answer for a call. Throws AppError for every refusal. */
export type Route<Name extends EndpointName> = (call: Call<Name>) => Promise<Answer>;
export type Routes = { [Name in EndpointName]: Route<Name> };

/** The rest of the itinerary once the caller is known to be of this clan and the method to be right . */
export async function callEndpoint(
  request: { name: EndpointName; params: PathParams; query: URLSearchParams; principal: Principal; rates: Rates; holdBytes: HoldBytes },
  routes: Routes,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<Answer> {
  const endpoint: Endpoint = endpoints[request.name];
  requireScope(endpoint, request.principal);
  const call = {
    principal: request.principal,
    params: parseParams(request.params),
    query: endpoint.query ? queryOf(endpoint.query, request.query) : undefined,
    idempotencyKey: endpoint.method === "POST" ? idempotencyKeyIn(req) : null,
    prefer: req.headers["prefer"]?.toString(),
    spendAwards: (awards: number) => request.rates.spend("awards", awards),
    body: endpoint.body ? parseBody(endpoint.body, await readJson(req, res, request.holdBytes)) : undefined,
  };
  // The table ties each name to its schemas and its route; TypeScript cannot follow a name it does not know.
  const route = routes[request.name] as (call: unknown) => Promise<Answer>;
  return route(call);
}

function requireScope(endpoint: Endpoint, principal: Principal): void {
  if (endpoint.scopes.some((scope) => principal.scopes.includes(scope))) return;
  throw new AppError("scope_missing", `This needs a key with the scope ${endpoint.scopes.join(" or ")}.`);
}

function parseParams(params: PathParams): Call["params"] {
  const platformId = decode(params["platformId"] ?? "");
  if (params["platformId"] !== undefined && (platformId === null || !isPlatformId(platformId))) {
    throw new AppError("invalid_request", "The platformId in the path is not 1 to 64 characters of A-Z a-z 0-9 . _ : @ | -.");
  }
  const batchId = decode(params["batchId"] ?? "");
  if (batchId === null) throw new AppError("invalid_request", "The batchId in the path is not percent-encoded UTF-8.");
  return { platformId: platformId ?? "", batchId };
}

/** Null for what is no percent-encoded UTF-8. */
export function decode(segment: string): string | null {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** What a schema makes of no query at all, which is what nearly every request has. */
const ofNoQuery = new Map<z.ZodType, unknown>();

function queryOf(schema: z.ZodType, query: URLSearchParams): unknown {
  if (query.size > 0) return parseQuery(schema, query);
  if (!ofNoQuery.has(schema)) ofNoQuery.set(schema, parseQuery(schema, query));
  return ofNoQuery.get(schema);
}

function parseQuery(schema: z.ZodType, query: URLSearchParams): unknown {
  const values = Object.create(null) as Record<string, string>;
  for (const [name, value] of query) {
    if (name in values) throw new AppError("invalid_request", `The query parameter ${shown(name)} is given twice.`);
    values[name] = value;
  }
  const parsed = schema.safeParse({ ...values }, parseOptions);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === "unrecognized_keys") {
    throw new AppError("invalid_request", `There is no query parameter ${issue.keys.map(shown).join(", ")} here.`);
  }
  throw new AppError("invalid_request", `The query parameter ${shown(String(issue?.path[0]))} is not valid: ${issue?.message}.`);
}

/** What a caller sent, short enough to be told back. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, 50).toWellFormed());
}

function idempotencyKeyIn(req: IncomingMessage): string | null {
  const header = req.headers["idempotency-key"]?.toString();
  if (header === undefined) return null;
  const key = parseIdempotencyKey(header);
  if (key !== null) return key;
  throw new AppError(
    "invalid_request",
    'The Idempotency-Key is not 1 to 255 printable ASCII characters, bare or as a quoted string ("…").',
  );
}

function parseBody(schema: z.ZodType, body: unknown): unknown {
  const parsed = schema.safeParse(body, parseOptions);
  if (parsed.success) return parsed.data;
  const faults = faultsOf(parsed.error);
  const [first] = faults;
  throw new AppError("invalid_request", `The body is not valid: ${first?.pointer || "it"} ${first?.detail}.`, { faults });
}
