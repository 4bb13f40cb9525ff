// What an answer may be: of the endpoint's shape, or a problem under a status and code that docs/reference/errors.md
// has; its status and headers as the OpenAPI document has them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { endpoints, type EndpointName } from "#contract/endpoints.ts";
import { makeOpenApi } from "#contract/openapi.ts";
import { Problem } from "#contract/problem.ts";
import type { z } from "zod";
import { root } from "../../scripts/paths.js";
import type { Reply } from "../support/http.ts";
import { endpointAt } from "./endpoint-at.ts";

/** "<status> <code>" of each section of the page. */
const documented = new Set(
  [
    ...readFileSync(join(root, "docs/reference/errors.md"), "utf8").matchAll(
      /^## (\d{3})\n([\s\S]*?)(?=^## |(?![\s\S]))/gm,
    ),
  ].flatMap(([, status, section = ""]) =>
    [...section.matchAll(/^### (\w+)$/gm)].map(([, code]) => `${status} ${code}`),
  ),
);

const operations = new Map(
  Object.values(makeOpenApi().paths ?? {}).flatMap(({ get, post }) =>
    [get, post].flatMap((one) => (one ? [[one.operationId, one]] : [])),
  ),
);

/** What a path made of dots may lead to. */
const PAGES = new Set(["/", "/docs/"]);

type DocumentedResponse = { headers?: Readonly<Record<string, { required?: boolean }>>; content?: object };

/** Codes that no request may cause while every server is available. */
const NEVER = new Set(["internal", "unavailable", "busy", "outcome_unknown", "rate_limited"]);

export function expectDocumented(request: { method: string; target: string }, reply: Reply): void {
  expect(reply.headers.get("request-id")).toMatch(/^req_\S+$/);
  expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
  expect(reply.headers.get("x-injected")).toBeNull();
  if (request.method === "HEAD") return expect(reply.status).toBeLessThan(500);
  const path = URL.parse(`http://host${request.target}`)?.pathname ?? "";
  if (reply.status === 200 && PAGES.has(path)) return;
  const name = endpointAt(request.method, path);
  if (name) expectInOpenApi(name, reply);
  if (reply.status >= 300) {
    const problem = Problem.parse(reply.body);
    expect(problem.status).toBe(reply.status);
    expect(documented).toContain(`${problem.status} ${problem.code}`);
    return expect(NEVER).not.toContain(problem.code);
  }
  const answers: Readonly<Record<number, z.ZodType>> = name ? endpoints[name].responses : {};
  expect(Object.keys(answers)).toContain(String(reply.status));
  answers[reply.status]?.parse(reply.body);
}

function expectInOpenApi(name: EndpointName, reply: Reply): void {
  const responses: Readonly<Record<string, DocumentedResponse>> = operations.get(name)?.responses ?? {};
  const { headers = {}, content = {} } = responses[reply.status] ?? {};
  expect(Object.keys(content)).toStrictEqual([reply.headers.get("content-type")]);
  for (const [header, { required }] of Object.entries(headers)) {
    if (required) expect([...reply.headers.keys()]).toContain(header.toLowerCase());
  }
}
