// The pages that answers link to and the OpenAPI document, served where the answers come from. Anyone may read them.
import { readFileSync } from "node:fs";
import { makeOpenApi } from "#contract/openapi.ts";
import { ERRORS_PAGE_PATH } from "#contract/problem.ts";
import type { Answer } from "./http/answer.ts";

const BATCH_PAGE_PATH = "/docs/how-to/migrate-from-batch-awards.md";

const OPENAPI_PATH = "/docs/openapi.json";

const pages: ReadonlyMap<string, Answer> = new Map([
  ...[ERRORS_PAGE_PATH, BATCH_PAGE_PATH].map((path) => [path, markdown(path)] as const),
  [OPENAPI_PATH, { status: 200, body: JSON.stringify(makeOpenApi()) }] as const,
]);

function markdown(path: string): Answer {
  const body = readFileSync(new URL(`../..${path}`, import.meta.url), "utf8");
  return { status: 200, contentType: "text/markdown; charset=utf-8", body };
}

/** Null where no page is. */
export function pageAnswer(path: string): Answer | null {
  return pages.get(path) ?? null;
}
