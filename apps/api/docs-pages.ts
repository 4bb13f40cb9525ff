// The pages that answers link to, served where the answers come from. Anyone may read them.
import { readFileSync } from "node:fs";
import { ERRORS_PAGE_PATH } from "#contract/problem.ts";
import type { Answer } from "./endpoint.ts";

export const BATCH_PAGE_PATH = "/docs/batch-awards.md";

const pages = new Map(
  [ERRORS_PAGE_PATH, BATCH_PAGE_PATH].map((path) => [path, readFileSync(new URL(`../..${path}`, import.meta.url), "utf8")]),
);

export function pageAnswer(path: string): Answer | null {
  const body = pages.get(path);
  return body === undefined ? null : { status: 200, headers: { "content-type": "text/markdown; charset=utf-8" }, body };
}
