// The OpenAPI document of the API, derived from the endpoint table and its schemas, so that it cannot differ from them.
import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi";
import type { ErrorCode } from "#kernel/error-code.ts";
import { BatchAward } from "#contract/batch.ts";
import { endpointNames, endpoints, NoBody, tags, type Endpoint, type EndpointName } from "#contract/endpoints.ts";
import { responseExamples } from "#contract/examples.ts";
import { Problem, PROBLEM_MEDIA_TYPE, problems, problemType } from "#contract/problem.ts";

type Document = ReturnType<typeof createDocument>;

/** The error codes of every endpoint, and those that a body adds. */
const ERRORS_OF_ALL = [
  "invalid_request",
  "key_missing",
  "key_invalid",
  "key_revoked",
  "key_expired",
  "key_clan_mismatch",
  "scope_missing",
  "not_found",
  "rate_limited",
  "internal",
  "unavailable",
  "busy",
] as const satisfies readonly ErrorCode[];
const ERRORS_OF_BODIES = [
  "invalid_json",
  "body_too_large",
  "unsupported_media_type",
] as const satisfies readonly ErrorCode[];

const text = (description: string): z.ZodString => z.string().meta({ description });
/** A header that many responses share: defined once, among the components. */
const shared = (id: string, description: string): z.ZodString => z.string().meta({ description, header: { id } });

const headersOfAll = z.object({
  "Request-Id": shared("Request-Id", "Identifies this response in the service's log."),
  "RateLimit-Policy": shared("RateLimit-Policy", "The rate limits of the key; absent if it has none.").optional(),
  RateLimit: shared("RateLimit", "The remaining requests and awards.").optional(),
});
const seconds = z.string().regex(/^\d+$/);
const retryAfter = z.object({ "Retry-After": seconds.meta({ description: "Seconds." }) });
const replayed = z.object({
  "Idempotency-Replayed": z
    .literal("true")
    .optional()
    .meta({ description: "The response is that of an earlier request." }),
});
const deprecation = z.object({
  Deprecation: z
    .string()
    .regex(/^@\d+$/)
    .meta({ description: "When the endpoint was deprecated, in Unix time (RFC 9745)." }),
  Link: text("The deprecation notice, and the endpoint to use instead."),
});
const headersOf: Readonly<Record<number, z.ZodObject>> = {
  202: z.object({
    Location: text("The URL of its state.").optional(),
    "Retry-After": seconds.optional().meta({ description: "Seconds; absent if it is done." }),
  }),
  401: z.object({ "WWW-Authenticate": z.literal("Bearer") }),
  429: retryAfter,
  503: retryAfter,
};

/** The whole document, OpenAPI 3.1. */
export function makeOpenApi(): Document {
  const paths: ZodOpenApiPathsObject = {};
  for (const name of endpointNames) {
    const endpoint: Endpoint = endpoints[name];
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(name, endpoint) };
  }
  return createDocument({
    openapi: "3.1.1",
    info: {
      title: "Clan XP",
      version: "v0",
      description: "Stores experience points (XP) for clan members. Bodies are JSON in UTF-8.",
    },
    servers: [{ url: "/", description: "The service that serves this document." }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      schemas: { BatchAward },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key of the clan in the path." },
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "api-key",
          description: "The same key, as an alternative to Authorization.",
        },
      },
    },
  });
}

function operation(name: EndpointName, endpoint: Endpoint): ZodOpenApiOperationObject {
  const { params, query, body } = endpoint;
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    description: `Requires a key with the scope ${endpoint.scopes.join(" or ")}. Maturity: ${endpoint.maturity}.`,
    ...(endpoint.deprecation ? { deprecated: true } : {}),
    requestParams: { path: params, query, header: headersSent(endpoint) },
    ...(body === NoBody ? {} : { requestBody: { required: true, content: { "application/json": contentOf(body) } } }),
    responses: { ...responsesOf(name, endpoint), ...errorsOf(endpoint) },
  };
}

/** With its example: a schema that changes what it parses loses its own. */
function contentOf(
  schema: z.ZodType,
  example = schema.meta()?.examples?.[0],
): { schema: z.ZodType; example?: unknown } {
  return { schema, ...(example === undefined ? {} : { example }) };
}

/** A row may also name a header that must not be sent. */
function headersSent({ headers }: Endpoint): z.ZodObject {
  return z.object(
    Object.fromEntries(Object.entries(headers.shape).filter(([, schema]) => !(schema instanceof z.ZodUndefined))),
  );
}

function responsesOf(name: EndpointName, endpoint: Endpoint): Record<string, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, schema]) => [
      status,
      {
        description: status === "202" ? "Accepted and not done yet." : "Done.",
        headers: responseHeaders(endpoint, Number(status)),
        content: { "application/json": contentOf(schema, responseExamples[name]?.[Number(status)]) },
      },
    ]),
  );
}

function errorsOf(endpoint: Endpoint): Record<string, ZodOpenApiResponseObject> {
  const codes = [...ERRORS_OF_ALL, ...(endpoint.body === NoBody ? [] : ERRORS_OF_BODIES), ...endpoint.errors];
  return Object.fromEntries(
    [...Map.groupBy(codes, (code) => problems[code].status)].map(([status, ofStatus]) => [
      String(status),
      {
        description: ofStatus.map((code) => `\`${code}\`: ${problems[code].title}.`).join(" "),
        headers: responseHeaders(endpoint, status),
        content: { [PROBLEM_MEDIA_TYPE]: { schema: Problem, examples: exampleProblems(ofStatus) } },
      },
    ]),
  );
}

function exampleProblems(codes: readonly ErrorCode[]): Record<string, { value: Problem }> {
  return Object.fromEntries(
    codes.map((code) => {
      const { status, title } = problems[code];
      return [
        code,
        { value: { type: problemType(code), title, status, code, detail: `${title}.`, requestId: "req_bzEcKQTH9" } },
      ];
    }),
  );
}

function responseHeaders(endpoint: Endpoint, status: number): z.ZodObject {
  const parts = [
    headersOf[status],
    ...("Idempotency-Key" in headersSent(endpoint).shape && status < 300 ? [replayed] : []),
    ...(endpoint.deprecation ? [deprecation] : []),
  ];
  return parts.reduce<z.ZodObject>((all, part) => all.extend(part?.shape ?? {}), headersOfAll);
}
