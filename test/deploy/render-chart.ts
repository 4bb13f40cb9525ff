// The chart as helm renders it, and the schemas that its objects must obey.
import { cpSync, mkdtempSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { root } from "../../scripts/paths.js";
import type { RunTool } from "./tool.ts";

const DEFINITIONS = "_definitions.json";
export const chart = join(root, "deploy/helm/clanxp");
export type Values = Readonly<Record<string, unknown>>;

const Rendered = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
  spec: z.any().optional(),
  data: z.record(z.string(), z.string()).optional(),
});
export type Rendered = z.infer<typeof Rendered>;

/** What `helm template` prints. */
export function render(helm: RunTool, values: Values, kubernetes: string, release?: string): Promise<string> {
  return helm(...templateArguments(chart, values, kubernetes, release));
}

function templateArguments(folder: string, values: Values, kubernetes: string, release = "t"): string[] {
  const settings = ["--kube-version", kubernetes, "--namespace", "games", "--values", valuesFile(values)];
  return ["template", release, folder, ...settings];
}

/** What `helm install` prints at the end, which `helm template` leaves out: here as the text of an object. */
export async function renderNotes(helm: RunTool, values: Values): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), "clanxp-chart-"));
  cpSync(chart, copy, { recursive: true, dereference: true });
  renameSync(join(copy, "templates/NOTES.txt"), join(copy, "files/NOTES.txt"));
  writeFileSync(join(copy, "templates/notes.yaml"), 'text: {{ tpl (.Files.Get "files/NOTES.txt") . | toJson }}\n');
  const text = await helm(...templateArguments(copy, values, "1.37.0"), "--show-only", "templates/notes.yaml");
  return z.object({ text: z.string() }).parse(parse(text)).text;
}

export function valuesFile(values: Values): string {
  const file = join(mkdtempSync(join(tmpdir(), "clanxp-chart-")), "values.json");
  writeFileSync(file, JSON.stringify(values));
  return file;
}

export function objectsIn(text: string): Rendered[] {
  return parseAllDocuments(text).flatMap((document) =>
    document.contents === null ? [] : [Rendered.parse(document.toJS())],
  );
}

/**
 * The schemas in a folder as kubeconform wants them, each in one file: Kubernetes's own kinds, and the operators' out
 * of their definitions.
 */
export function schemaFolder(fetched: string, kubernetes: string): string {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-schemas-"));
  const own = join(fetched, `kubernetes-${kubernetes}`);
  const read = (name: string): object =>
    JSON.parse(readFileSync(join(own, name), "utf8").replaceAll('"/api/_definitions.json#', '"#'));
  const definitions = z.object({ $defs: z.record(z.string(), z.unknown()) }).parse(read(DEFINITIONS)).$defs;
  for (const name of readdirSync(own).filter((file) => file !== DEFINITIONS)) {
    const schema = read(name);
    writeFileSync(
      join(folder, name),
      JSON.stringify({ $defs: usedBy(schema, definitions), ...schema, $id: undefined }),
    );
  }
  for (const name of readdirSync(fetched).filter((file) => file.endsWith(".yaml"))) {
    const { spec } = parse(readFileSync(join(fetched, name), "utf8"));
    for (const { name: version, schema } of spec.versions) {
      const group = spec.group.split(".")[0];
      writeFileSync(
        join(folder, `${spec.names.singular}-${group}-${version}.json`),
        JSON.stringify(strict(schema.openAPIV3Schema)),
      );
    }
  }
  return folder;
}

/** Those that the schema leads to: all of them in each file would take kubeconform seconds to read. */
function usedBy(
  schema: unknown,
  definitions: Readonly<Record<string, unknown>>,
  used: Record<string, unknown> = {},
): Record<string, unknown> {
  for (const { 1: name = "" } of JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
    if (name in used) continue;
    used[name] = definitions[name];
    usedBy(definitions[name], definitions, used);
  }
  return used;
}

/** Nothing beside what the definition names. */
function strict(schema: any): any {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  const open = !schema.properties || schema["x-kubernetes-preserve-unknown-fields"] || schema.type !== "object";
  return open ? inner : { additionalProperties: false, ...inner };
}
