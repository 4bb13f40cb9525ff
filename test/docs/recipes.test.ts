// docs/contributing/recipes.md: the files that a recipe lists belong together, and none is forgotten.
import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { destinationKinds } from "#domain/destination.ts";
import { columnName } from "#export/column-name.ts";
import { exportColumns } from "#export/export-rows.ts";
import { IMPORT_FIELDS } from "#import/import-line.ts";
import { root } from "../../scripts/paths.js";
import { readPage } from "../support/docs-page.ts";

const RECIPES = "docs/contributing/recipes.md";

/** The files that a recipe links to. */
function filesOf(title: string): string[] {
  const section = readPage(RECIPES).split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
  const links = [...section.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)];
  return links.map(([, link = ""]) => posix.join(posix.dirname(RECIPES), link));
}

describe("add a kind of destination", () => {
  const namesAll = (file: string): boolean => {
    const text = readFileSync(join(root, file), "utf8");
    return destinationKinds.every((kind) => new RegExp(`["\`\\s-]${kind}["\`\\s:,]`).test(text));
  };

  test("lists every file that names all kinds", () => {
    const found = globSync("{libs,apps}/**/*.{ts,tsx}", { cwd: root, exclude: ["**/dist/**"] })
      .concat(globSync("docs/{concepts,reference,explanation}/*.md", { cwd: root }))
      .filter(namesAll);
    expect(found.length).toBeGreaterThan(6);
    expect(filesOf("Add a kind of destination")).toStrictEqual(expect.arrayContaining(found));
  });

  test.each([
    "libs/domain/destination.ts",
    "libs/delivery/find-setting-faults.ts",
    "apps/cli/parse/destination-options.ts",
    "apps/notifier/engine.ts",
    "apps/dashboard/web/pages/destinations/destination-status.tsx",
    "docs/concepts/destinations.md",
    "docs/reference/cli.md",
    "docs/explanation/personal-data.md",
  ])("%s, which it lists, names every kind", (file) => {
    expect(filesOf("Add a kind of destination")).toContain(file);
    expect(namesAll(file)).toBe(true);
  });
});

describe("add a column to an export", () => {
  test("what is exported of members can be imported", () => {
    expect(exportColumns.members.filter((field) => !IMPORT_FIELDS.some((known) => known === field))).toStrictEqual([]);
    expect(filesOf("Add a column to an export")).toContain("libs/import/import-line.ts");
  });

  test("every column of members is documented", () => {
    const page = readPage("docs/how-to/import-and-export.md");
    const isNamed = (field: string): boolean =>
      [field, columnName(field)].some((name) => new RegExp(`\`${name}\``).test(page));
    expect(exportColumns.members.filter((field) => !isNamed(field))).toStrictEqual([]);
  });

  test("every column has a name in lower case with underscores, once in its export", () => {
    for (const fields of Object.values(exportColumns)) {
      const names = fields.map(columnName);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    }
  });
});
