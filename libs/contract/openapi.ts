// The OpenAPI document of the API. It is derived from the endpoint table and its schemas, so that it cannot say anything else.
import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject, type ZodOpenApiResponseObject } from "zod-openapi";
import type { ErrorCode } from "#domain/error-code.ts";
import { BatchAward } from "#contract/batch.ts";
import { endpoints, type Endpoint, type EndpointName } from "#contract/endpoints.ts";
import { IDEMPOTENCY_KEY_PATTERN } from "#contract/idempotency-key.ts";
import { Problem, PROBLEM_MEDIA_TYPE, problems } from "#contract/problem.ts";
import { PlatformId } from "#contract/text.ts";

type Document = ReturnType<typeof createDocument>;

/** What any request may be refused with, and what a body adds to it. */
const REFUSALS_OF_ALL = [
  ["invalid_request", "key_missing", "key_invalid", "key_revoked", "key_expired", "key_clan_mismatch", "scope_missing"],
  ["not_found", "rate_limited", "internal", "unavailable", "busy"],
].flat() as ErrorCode[];
const REFUSALS_OF_BODIES: readonly ErrorCode[] = ["invalid_json", "body_too_large", "unsupported_media_type"];

const text = (description: string): z.ZodString => z.string().meta({ description });
/** A header that many answers share: written once, among the components. */
const shared = (id: string, description: string): z.ZodString => z.string().meta({ description, header: { id } });

const headersOfAll = z.object({
  "Request-Id": shared("Request-Id", "Names this answer in the service's log."),
  "RateLimit-Policy": shared("RateLimit-Policy", "The key's rates; absent when it has none.").optional(),
  RateLimit: shared("RateLimit", "What is left of them.").optional(),
});
const retryAfter = z.object({ "Retry-After": z.string().regex(/^\d+$/).meta({ description: "Seconds." }) });
const replayed = z.object({
  "Idempotency-Replayed": z.literal("true").optional().meta({ description: "This is the answer to an earlier request." }),
});
const deprecation = z.object({
  Deprecation: z
    .string()
    .regex(/^@\d+$/)
    .meta({ description: "Since when, in Unix time (RFC 9745)." }),
  Link: text("What is told of the deprecation, and the endpoint to use instead."),
});
const headersOf: Readonly<Record<number, z.ZodObject>> = {
  202: retryAfter.extend({ Location: text("The batch's own resource.") }),
  401: z.object({ "WWW-Authenticate": z.literal("Bearer") }),
  429: retryAfter,
  503: retryAfter,
};

const sentHeaders = z.object({
  "Idempotency-Key": z.string().optional().meta({
    pattern: IDEMPOTENCY_KEY_PATTERN,
    description: "Makes the request count once, however often it is sent: 1 to 255 printable ASCII characters.",
  }),
});
const sentWithBatch = sentHeaders.extend({
  Prefer: z.string().optional().meta({ description: "`wait=N` seconds for the result, at most 30, or `respond-async` (RFC 7240)." }),
});

const params: Readonly<Record<string, z.ZodType>> = {
  clanId: text("The key's own clan."),
  platformId: PlatformId,
  batchId: text("As the batch's 202 told it."),
};

/** The whole document, OpenAPI 3.1. */
export function makeOpenApi(): Document {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(name, endpoint) };
  }
  return createDocument({
    openapi: "3.1.1",
    info: { title: "Clan XP", version: "v0", description: "Counts the XP of clans' members. Bodies are JSON in UTF-8." },
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      schemas: { BatchAward },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key of the clan in the path." },
        apiKey: { type: "apiKey", in: "header", name: "api-key", description: "The same key." },
      },
    },
  });
}

function operation(name: EndpointName, endpoint: Endpoint): ZodOpenApiOperationObject {
  const batch = endpoint.maturity === "deprecated";
  const { query, body } = endpoint;
  return {
    operationId: name,
    summary: endpoint.summary,
    description: `Needs a key with the scope ${endpoint.scopes.join(" or ")}. Maturity: ${endpoint.maturity}.`,
    ...(batch ? { deprecated: true } : {}),
    requestParams: {
      path: z.object(
        Object.fromEntries([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, param = ""]) => [param, params[param] ?? z.string()])),
      ),
      ...(query instanceof z.ZodObject ? { query } : {}),
      ...(body ? { header: batch ? sentWithBatch : sentHeaders } : {}),
    },
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: body } } } } : {}),
    responses: { ...answersOf(endpoint), ...refusalsOf(endpoint) },
  };
}

function answersOf(endpoint: Endpoint): Record<string, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    Object.entries(endpoint.answers).map(([status, schema]) => [
      status,
      {
        description: status === "202" ? "Accepted and not done yet." : "Done.",
        headers: headers(endpoint, Number(status)),
        content: { "application/json": { schema } },
      },
    ]),
  );
}

function refusalsOf(endpoint: Endpoint): Record<string, ZodOpenApiResponseObject> {
  const codes = [...REFUSALS_OF_ALL, ...(endpoint.body ? REFUSALS_OF_BODIES : []), ...endpoint.refusals];
  return Object.fromEntries(
    [...Map.groupBy(codes, (code) => problems[code].status)].map(([status, ofStatus]) => [
      String(status),
      {
        description: ofStatus.map((code) => `\`${code}\`: ${problems[code].title}.`).join(" "),
        headers: headers(endpoint, status),
        content: { [PROBLEM_MEDIA_TYPE]: { schema: Problem } },
      },
    ]),
  );
}

function headers(endpoint: Endpoint, status: number): z.ZodObject {
  const parts = [
    headersOf[status],
    ...(endpoint.body && status < 300 ? [replayed] : []),
    ...(endpoint.maturity === "deprecated" ? [deprecation] : []),
  ];
  return parts.reduce<z.ZodObject>((all, part) => all.extend(part?.shape ?? {}), headersOfAll);
}
