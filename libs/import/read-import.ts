// Reads the lines of an imported file one after the other: memory does not grow with the file, unless it is one JSON
// document.
import type { Readable } from "node:stream";
import { parse } from "csv-parse";
import { keepFractions } from "#contract/exact-numbers.ts";
import type { BadLine, ImportLine } from "#members/import-members.ts";
import { columnName } from "#export/column-name.ts";
import { unescapeFormula } from "#export/escape-formula.ts";
import { AppError } from "#kernel/app-error.ts";
import { delimiterOf, formatOf, peekAt, type FileFormat } from "#import/detect-format.ts";
import { fieldNamed, IMPORT_FIELDS, importLine, type ColumnMap } from "#import/import-line.ts";

/** Far longer than the longest valid line; also bounds the text after a quote that is never closed. */
const LINE_CHARS_MAX = 16_384;
/** A JSON document is parsed as a whole, in about ten times its size: some hundred thousand members. */
const JSON_MIB_MAX = 64;

const NOT_CLOSED = `it is longer than ${LINE_CHARS_MAX} characters, or a quote is not closed`;
const COLUMN_TWICE = "The first line names a column twice.";
const NO_OBJECT = "it is not a JSON object";

type Line = ImportLine | BadLine;

/**
 * `format` null: it is detected. `map` null: the columns have the names of the fields. `adviceOn`: what to do about a
 * column whose name is unknown.
 */
export type ImportOptions = {
  path: string;
  format: FileFormat | null;
  map: ColumnMap | null;
  adviceOn?: (unknownColumn: string) => string;
};

/** Throws AppError `invalid_request` for a file that is none of these. */
export async function* readImport(
  file: Readable,
  { path, format, map, adviceOn = () => "" }: ImportOptions,
): AsyncGenerator<Line> {
  const { head, whole } = await peekAt(file);
  switch (format ?? formatOf(path, head)) {
    case "csv":
      yield* readCsv(whole, delimiterOf(head), (record) => headerOf(record, map, adviceOn));
      break;
    case "ndjson":
      yield* readNdjson(whole, map);
      break;
    case "json":
      yield* readJson(whole, map);
      break;
    case null:
      throw new AppError("invalid_request", `The file "${path}" is empty.`);
  }
}

async function* readCsv(
  file: Readable,
  { delimiter, linesBefore }: ReturnType<typeof delimiterOf>,
  headerIn: (record: readonly string[]) => Header,
): AsyncGenerator<Line> {
  let bad: BadLine[] = [];
  const parser = parse({
    bom: true,
    info: true,
    delimiter,
    from_line: linesBefore + 1,
    skip_empty_lines: true,
    // A superfluous quote or cell makes a bad line like any other. `on_skip` only receives lines that are too long.
    relax_quotes: true,
    relax_column_count: true,
    skip_records_with_error: true,
    max_record_size: LINE_CHARS_MAX,
    on_skip: (error) => void bad.push({ line: Number(error?.["lines"] ?? 0), detail: NOT_CLOSED }),
  });
  file.once("error", (error) => parser.destroy(error));
  let header: Header | null = null;
  for await (const { record, info } of file.pipe(parser) as AsyncIterable<{
    record: string[];
    info: { lines: number };
  }>) {
    yield* bad;
    bad = [];
    if (!header) header = headerIn(record);
    else if (withoutEmptyEnd(record, header.cells).length !== header.cells)
      yield { line: info.lines, detail: "it has more or fewer cells than the first line" };
    else yield importLine(info.lines, fieldsOf(header, record));
  }
  yield* bad;
}

/** `columns`: by field, the index of its cell. */
type Header = { cells: number; columns: ReadonlyMap<string, number> };

function headerOf(
  record: readonly string[],
  map: ColumnMap | null,
  adviceOn: (unknownColumn: string) => string,
): Header {
  const names = withoutEmptyEnd(
    record.map((name) => name.trim()),
    0,
  );
  if (new Set(names).size < names.length) throw new AppError("invalid_request", COLUMN_TWICE);
  const wanted = map ?? new Map(names.map((name) => [knownField(name, adviceOn), name]));
  if (!map && wanted.size < names.length) throw new AppError("invalid_request", COLUMN_TWICE);
  const columns = new Map<string, number>();
  for (const [field, name] of wanted) {
    const index = names.indexOf(name);
    if (index === -1)
      throw new AppError("invalid_request", `The file has no column "${name}", which --map names. ${listOf(names)}`);
    columns.set(field, index);
  }
  if (!columns.has("platformId"))
    throw new AppError("invalid_request", "The first line must name the columns, and platform_id is not among them.");
  return { cells: names.length, columns };
}

function listOf(names: readonly string[]): string {
  return `Its columns are ${names.map((name) => `"${name}"`).join(", ")}.`;
}

function knownField(name: string, adviceOn: (unknownColumn: string) => string): string {
  const field = fieldNamed(name);
  if (field) return field;
  const known = `Columns are ${IMPORT_FIELDS.map(columnName).join(", ")}.`;
  throw new AppError("invalid_request", `The column "${name}" is unknown. ${known}${adviceOn(name)}`);
}

/** Without the empty cells behind this number of cells: some programs end each line with a delimiter. */
function withoutEmptyEnd(record: readonly string[], cells: number): readonly string[] {
  let end = record.length;
  while (end > cells && record[end - 1] === "") end -= 1;
  return record.slice(0, end);
}

function fieldsOf({ columns }: Header, record: readonly string[]): Record<string, string> {
  return Object.fromEntries([...columns].map(([field, index]) => [field, unescapeFormula(record[index] ?? "")]));
}

async function* readNdjson(file: Readable, map: ColumnMap | null): AsyncGenerator<Line> {
  let line = 0;
  for await (const text of linesOf(file)) {
    line += 1;
    if (text === null) yield { line, detail: `it is longer than ${LINE_CHARS_MAX} characters` };
    else if (text.trim() !== "") yield lineOf(line, jsonOf(Buffer.from(text)), map);
  }
}

/** A list of objects, also as a field of an object. Lines are counted by its items. */
async function* readJson(file: Readable, map: ColumnMap | null): AsyncGenerator<Line> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > JSON_MIB_MAX * 1_048_576)
      throw new AppError(
        "invalid_request",
        `A JSON file has at most ${JSON_MIB_MAX} MiB. Write one object a line, as NDJSON.`,
      );
    chunks.push(chunk);
  }
  const value = jsonOf(Buffer.concat(chunks));
  if (value === undefined)
    throw new AppError("invalid_request", "The file is not JSON. It may be cut off; see also --format.");
  const items = itemsOf(value, map?.get("platformId") ?? "platformId");
  for (const [index, item] of items.entries()) yield lineOf(index + 1, item, map);
}

function itemsOf(value: unknown, idName: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const isMember = (item: unknown): boolean => isObject(item) && idName in item;
  if (isMember(value)) return [value];
  const lists = isObject(value) ? Object.values(value).filter((field) => Array.isArray(field)) : [];
  const [list, other] = lists.filter(([first]: unknown[]) => isMember(first));
  if (list && !other) return list;
  throw new AppError("invalid_request", `The file does not contain one list of objects with the field "${idName}".`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function lineOf(line: number, value: unknown, map: ColumnMap | null): Line {
  if (!isObject(value)) return { line, detail: NO_OBJECT };
  if (!map) return importLine(line, value);
  return importLine(line, Object.fromEntries([...map].map(([field, name]) => [field, value[name]])));
}

/** Undefined if it is not JSON. Numbers follow the rule of the API: a fraction never becomes an integer. */
function jsonOf(bytes: Buffer): unknown {
  keepFractions(bytes);
  try {
    return JSON.parse(bytes.toString().replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
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
