// The OpenAPI document: whole, true to the endpoint table, and readable without a key. That answers are as it says is
// shown by the fuzz tests (test/security/expect-documented.ts) and by Schemathesis
// (test/security/schemathesis.test.ts).
import { expect, test } from "vitest";
import type { z } from "zod";
import { endpointNames, endpoints, type Endpoint, type EndpointName } from "#contract/endpoints.ts";
import { responseExamples } from "#contract/examples.ts";
import { expectProblem } from "../support/responses.ts";
import { callerOf } from "../support/http.ts";
import { useApi } from "../support/use-api.ts";

const { port } = await useApi();
const anyone = callerOf(port, null);
const document: any = (await anyone.get("/docs/openapi.json")).body;

test("anyone can read the OpenAPI document, and nobody can change it", async () => {
  const reply = await anyone.get("/docs/openapi.json");
  expect(reply).toMatchObject({ status: 200, body: { openapi: "3.1.1" } });
  expect(reply.headers.get("content-type")).toBe("application/json");
  expect((await anyone.get("/openapi.json")).body).toStrictEqual(document);
  expectProblem(await anyone.post("/docs/openapi.json", {}), 405, "method_not_allowed");
});

test("the OpenAPI document contains exactly the endpoints of the endpoint table", () => {
  const documented = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`),
  );
  const real = Object.entries(endpoints).map(([name, { method, path }]) => `${name}: ${method} ${path}`);
  expect(documented.toSorted()).toStrictEqual(real.toSorted());
});

test.for(endpointNames)(
  "the path of %s names each of its parameters in braces, and a successor is an existing endpoint",
  (name) => {
    const { path, params, deprecation }: Endpoint = endpoints[name];
    expect(Object.keys(params.shape)).toStrictEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param));
    if (deprecation) expect(endpointNames.map((other) => endpoints[other].path)).toContain(deprecation.successor);
  },
);

test("the OpenAPI document describes request and response headers, API keys and deprecations", () => {
  const { post: batch } = document.paths["/v0/clans/{clanId}/xp"];
  const { post: award } = document.paths["/v0/clans/{clanId}/members/{platformId}/xp"];
  const { get: members } = document.paths["/v0/clans/{clanId}/members"];
  const namesOf = ({ parameters }: { parameters: { name: string }[] }): string[] => parameters.map(({ name }) => name);
  expect(namesOf(award)).toStrictEqual(["clanId", "platformId", "include", "Idempotency-Key"]);
  const { post: awards } = document.paths["/v0/clans/{clanId}/awards"];
  expect(namesOf(awards)).toStrictEqual(["clanId", "include"]);
  expect(Object.keys(awards.responses[200].headers)).not.toContain("Idempotency-Replayed");
  expect(namesOf(batch)).toStrictEqual(["clanId", "Idempotency-Key", "Prefer"]);
  expect(namesOf(members)).toStrictEqual([
    "clanId",
    "sort",
    "limit",
    "around",
    "platformIds",
    "cursor",
    "include",
    "idleSince",
  ]);
  expect(members.parameters[2].schema).toMatchObject({ type: "integer", minimum: 1, maximum: 200, default: 50 });
  expect([batch.deprecated, award.deprecated]).toStrictEqual([true, undefined]);
  expect(Object.keys(batch.responses)).toStrictEqual("200 202 400 401 403 404 413 415 422 429 500 503".split(" "));
  const headers = "Request-Id RateLimit RateLimit-Policy Location Retry-After Deprecation Link".split(" ");
  expect(Object.keys(batch.responses[202].headers)).toStrictEqual(expect.arrayContaining(headers));
  expect(document.components.securitySchemes).toMatchObject({
    bearer: { scheme: "bearer" },
    apiKey: { in: "header", name: "api-key" },
  });
});

test("every reference in the OpenAPI document can be resolved", () => {
  const references = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer = ""]) => pointer),
  );
  expect(references.size).toBeGreaterThan(10);
  for (const pointer of references) {
    const target = pointer
      .split("/")
      .slice(1)
      .reduce((part, name) => part?.[name], document);
    expect({ pointer, leadsTo: typeof target }).toStrictEqual({ pointer, leadsTo: "object" });
  }
});

test("every operation has a group, every parameter a description, and every example matches its schema", () => {
  const groups = document.tags.map(({ name }: { name: string }) => name);
  expect(document.servers).toMatchObject([{ url: "/" }]);
  const operations: any[] = Object.values<object>(document.paths).flatMap((path) => Object.values(path));
  for (const { operationId, tags, parameters } of operations) {
    expect(groups).toContain(tags[0]);
    for (const { name, description, schema } of parameters) {
      const described =
        description ?? schema.description ?? document.components.schemas[schema.$ref?.split("/").pop()]?.description;
      expect([operationId, name, typeof described]).toStrictEqual([operationId, name, "string"]);
    }
  }
  const schemas = endpointNames.flatMap((name): z.ZodType[] => [
    endpoints[name].body,
    ...Object.values<z.ZodType>(endpoints[name].responses),
  ]);
  const examples = schemas.flatMap((schema) =>
    (schema.meta()?.examples ?? []).map((example) => [schema, example] as const),
  );
  for (const [schema, example] of examples) expect(schema.parse(example)).toStrictEqual(example);
  for (const [name, ofStatus] of Object.entries(responseExamples)) {
    const { responses }: { responses: Readonly<Record<number, z.ZodType>> } = endpoints[name as EndpointName];
    for (const [status, example] of Object.entries(ofStatus))
      expect(responses[Number(status)]?.parse(example)).toStrictEqual(example);
  }
  // Without one, programs make some up, such as -9007199254740991.
  const contents = operations.flatMap(({ operationId, requestBody, responses }: any) =>
    [requestBody, ...Object.values<any>(responses)].flatMap((body) =>
      Object.values<any>(body?.content ?? {}).map((content) => [
        operationId,
        "example" in content || "examples" in content,
      ]),
    ),
  );
  expect(contents.length).toBeGreaterThan(100);
  expect(contents.filter(([, hasExample]) => !hasExample)).toStrictEqual([]);
});
