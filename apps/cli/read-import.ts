// Reads the lines of an imported file one after the other: memory does not grow with the file.
import type { Readable } from "node:stream";
import type { BadLine, ImportLine } from "#usecases/members/import-members.ts";
import { escapeFormula } from "#export/escape-formula.ts";
import { didYouMean } from "./did-you-mean.ts";
import { IMPORT_FIELDS, importLine } from "./import-line.ts";
import { load } from "./load.ts";
import { CliError } from "./cli-error.ts";

/** Far longer than the longest valid line; also bounds the text after a quote that is never closed. */
const LINE_CHARS_MAX = 16_384;

const NOT_CLOSED = `it is longer than ${LINE_CHARS_MAX} characters, or a quote is not closed`;

export type FileFormat = "csv" | "ndjson";

export function readImport(file: Readable, format: FileFormat): AsyncGenerator<ImportLine | BadLine> {
  return format === "csv" ? readCsv(file) : readNdjson(file);
}

async function* readCsv(file: Readable): AsyncGenerator<ImportLine | BadLine> {
  const { parse } = await load.csvParser();
  let bad: BadLine[] = [];
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    // A superfluous quote or cell makes a bad line like any other. `on_skip` only receives lines that are too long.
    relax_quotes: true,
    relax_column_count: true,
    skip_records_with_error: true,
    max_record_size: LINE_CHARS_MAX,
    on_skip: (error) => void bad.push({ line: Number(error?.["lines"] ?? 0), detail: NOT_CLOSED }),
  });
  file.once("error", (error) => parser.destroy(error));
  let header: readonly string[] | null = null;
  for await (const { record, info } of file.pipe(parser) as AsyncIterable<{
    record: string[];
    info: { lines: number };
  }>) {
    yield* bad;
    bad = [];
    if (!header) header = headerOf(record);
    else if (record.length !== header.length)
      yield { line: info.lines, detail: "it has more or fewer cells than the first line" };
    else yield importLine(info.lines, fieldsOf(header, record));
  }
  yield* bad;
}

function headerOf(record: readonly string[]): readonly string[] {
  const names = record.map((name) => name.trim());
  for (const name of names) {
    if (IMPORT_FIELDS.some((known) => known === name)) continue;
    throw new CliError(
      "usage",
      `The column "${name}" is unknown. Columns are ${IMPORT_FIELDS.join(", ")}.${didYouMean(name, IMPORT_FIELDS)}`,
    );
  }
  if (!names.includes("platformId"))
    throw new CliError("usage", "The first line must name the columns, and platformId is not among them.");
  if (new Set(names).size < names.length) throw new CliError("usage", "The first line names a column twice.");
  return names;
}

function fieldsOf(header: readonly string[], record: readonly string[]): Record<string, string> {
  return Object.fromEntries(header.map((name, index) => [name, withoutDefuse(record[index] ?? "")]));
}

/** The apostrophe that the export added before a cell that a spreadsheet would run. */
function withoutDefuse(cell: string): string {
  const text = cell.slice(1);
  return text !== "" && escapeFormula(text) === cell ? text : cell;
}

async function* readNdjson(file: Readable): AsyncGenerator<ImportLine | BadLine> {
  let line = 0;
  for await (const text of linesOf(file)) {
    line += 1;
    if (text === null) yield { line, detail: `it is longer than ${LINE_CHARS_MAX} characters` };
    else if (text.trim() !== "") yield jsonLine(line, text.replace(/^\uFEFF/, ""));
  }
}

function jsonLine(line: number, text: string): ImportLine | BadLine {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return importLine(line, { ...value });
  } catch {
    // Reported below.
  }
  return { line, detail: "it is not a JSON object" };
}

/** Null for a line that is too long. */
async function* linesOf(file: Readable): AsyncGenerator<string | null> {
  let rest = "";
  let isTooLong = false;
  file.setEncoding("utf8");
  for await (const chunk of file as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      yield isTooLong || text.length > LINE_CHARS_MAX ? null : text;
      isTooLong = false;
    }
    if (rest.length <= LINE_CHARS_MAX) continue;
    isTooLong = true;
    rest = "";
  }
  if (isTooLong || rest !== "") yield isTooLong ? null : rest;
}
