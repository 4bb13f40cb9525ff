// What every response must be: of the shape in the endpoint table, or a complete problem.
import { expect } from "vitest";
import { endpoints, type EndpointName } from "#contract/endpoints.ts";
import { Problem } from "#contract/problem.ts";
import type { ErrorCode } from "#kernel/error-code.ts";
import type { z } from "zod";
import type { Reply } from "./http.ts";

/** The response is `status` in exactly the endpoint's shape; returns its body. */
export function expectResponse(name: EndpointName, reply: Reply, status = 200): any {
  expect({ status: reply.status, problem: reply.body?.detail }).toStrictEqual({ status, problem: undefined });
  expect(reply.headers.get("content-type")).toBe("application/json");
  expect(reply.headers.get("request-id")).toMatch(/^\S{8,}$/);
  const responses: Readonly<Record<number, z.ZodType>> = endpoints[name].responses;
  // Strict schemas: a field too many fails as well.
  responses[status]?.parse(reply.body);
  return reply.body;
}

/** The response is a whole problem (RFC 9457) of this status and code; returns it. */
export function expectProblem(reply: Reply, status: number, code: ErrorCode): Problem {
  expect({ status: reply.status, body: reply.body }).toMatchObject({ status, body: { code } });
  expect(reply.headers.get("content-type")).toBe("application/problem+json");
  const problem = Problem.parse(reply.body);
  expect(problem.status).toBe(status);
  expect(problem.title).not.toBe("");
  expect(problem.detail).not.toBe("");
  expect(problem.type).toMatch(new RegExp(`#${code}$`));
  expect(reply.headers.get("request-id")).toBe(problem.requestId);
  expect(reply.headers.get("www-authenticate")).toBe(status === 401 && code !== "signature_invalid" ? "Bearer" : null);
  expect(reply.headers.has("allow")).toBe(status === 405);
  return problem;
}

export function isReplayed(reply: Reply): boolean {
  return reply.headers.get("idempotency-replayed") === "true";
}
