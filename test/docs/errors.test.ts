import { describe, expect, test } from "vitest";
import { Problem } from "#contract/problem.ts";
import { AppError } from "#kernel/app-error.ts";
import { errorCodes } from "#kernel/error-code.ts";
import { problemResponse } from "../../apps/api/problem.ts";
import { blocksOf, pages, readPage } from "../support/docs-page.ts";

describe("docs/reference/errors.md", () => {
  const page = readPage("docs/reference/errors.md");
  const found = [...page.matchAll(/^## (\d{3})\n([\s\S]*?)(?=^## |(?![\s\S]))/gm)];
  const sections = new Map(found.map(({ 1: status = "", 2: text = "" }) => [status, text]));

  test.each(errorCodes)("has a section for %s under its status, at the anchor that its type links to", (code) => {
    const { status, body } = problemResponse(new AppError(code, "…"), { requestId: "req_1", docsUrl: "" });
    const anchor = Problem.parse(body).type.split("#")[1];
    expect(sections.get(String(status))).toContain(`<a id="${anchor}"></a>\n\n### ${code}\n`);
  });

  test("shows examples that the API returns", () => {
    const examples = blocksOf(page).filter(({ language }) => language === "json");
    expect(examples.length).toBeGreaterThan(0);
    for (const { text } of examples) {
      const example = Problem.parse(JSON.parse(text));
      const error = new AppError(example.code, example.detail);
      const { body } = problemResponse(error, { requestId: example.requestId, docsUrl: "" });
      const { status, title, type } = Problem.parse(body);
      expect(example).toMatchObject({ status, title, type });
    }
  });
});

test("every JSON example on every page can be parsed", () => {
  const examples = pages.flatMap((page) => blocksOf(readPage(page)).filter(({ language }) => language === "json"));
  expect(examples.length).toBeGreaterThan(10);
  for (const { text } of examples) expect(() => JSON.parse(text) as unknown).not.toThrow();
});
