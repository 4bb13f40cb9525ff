// docs/reference/api against the contract: every parameter and every field of an endpoint has a row in the endpoint's
// section.
import { expect, test } from "vitest";
import { makeOpenApi } from "#contract/openapi.ts";
import { endpoints } from "#contract/endpoints.ts";
import { pages, readPage } from "../support/docs-page.ts";

const document: any = makeOpenApi();
const sections = pages.filter((page) => page.startsWith("docs/reference/api/")).flatMap(sectionsOf);
/** Rows that a section takes over from another one, which it links to. */
const sharedRows: Readonly<Record<string, string>> = {
  "list-members": "read-member",
  "read-batch": "submit-batch",
  "apply-awards": "apply-award",
  "read-ledger": "apply-award",
  "list-boards": "read-period",
  "list-periods": "read-period",
  "list-standings": "read-period",
};

test.each(Object.entries(endpoints))(
  "the API page has a row for every parameter and field of %s",
  (name, { method, path }) => {
    const operation = document.paths[path][method.toLowerCase()];
    const parameters = operation.parameters
      .filter((parameter: any) => resolve(parameter).in !== "path")
      .map((p: any) => resolve(p).name);
    const bodies = [operation.requestBody, operation.responses["200"], operation.responses["202"]].filter(Boolean);
    const fields = bodies.flatMap((body: any) => fieldsOf(resolve(body).content["application/json"].schema));
    const shared = sharedRows[name] === undefined ? "" : sectionOf(sharedRows[name]);
    const text = sectionOf(name) + shared + (name === "list-events" ? readPage("docs/reference/events.md") : "");
    const found = [...text.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm)];
    const rows = new Set(found.flatMap(([, names = ""]) => names.match(/\w[\w-]*(?=`)/g) ?? []));

    expect(fields.length).toBeGreaterThan(0);
    expect([...parameters, ...fields].filter((field) => !rows.has(field))).toStrictEqual([]);
  },
);

function sectionsOf(page: string): string[] {
  return readPage(page).split(/^## /m);
}

function sectionOf(name: string): string {
  const row: { method: string; path: string } = endpoints[name as keyof typeof endpoints];
  const section = sections.find((text) => text.includes(`\n\n\`${row.method} ${row.path}\`\n`));
  if (section === undefined) throw new Error(`${row.method} ${row.path} has no section`);
  return section;
}

function resolve(node: any): any {
  const ref: string | undefined = node.$ref;
  if (ref === undefined) return node;
  const names = ref.slice("#/".length).split("/");
  return resolve(names.reduce((at, name) => at[name], document));
}

/** The names of a schema's fields, nested ones too. */
function fieldsOf(node: any): string[] {
  const schema = resolve(node);
  const parts = [schema.oneOf, schema.anyOf, schema.allOf, schema.items].flatMap((part) => part ?? []);
  const properties = Object.entries(schema.properties ?? {});
  return [...properties.flatMap(([name, inner]) => [name, ...fieldsOf(inner)]), ...parts.flatMap(fieldsOf)];
}
