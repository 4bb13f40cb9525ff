// Rows of an export as CSV. Formulas in text are escaped.
import { stringify } from "csv-stringify/sync";
import { columnName } from "#export/column-name.ts";
import { escapeFormula } from "#export/escape-formula.ts";
import { exportColumns, NUMBER_COLUMNS, type Row } from "#export/export-rows.ts";

/** What a spreadsheet may take for the end of a cell that is not quoted, beside the comma and line breaks. */
const SEPARATOR = /[;|\t]/;

/** The line of names, too, before the first rows. */
export function csvText(kind: keyof typeof exportColumns, rows: readonly Row[], isFirst: boolean): string {
  const columns = exportColumns[kind];
  return stringify(
    rows.map((row) => columns.map((column) => cellOf(row, column))),
    { quoted_match: SEPARATOR, ...(isFirst ? { header: true, columns: columns.map(columnName) } : {}) },
  );
}

/** All rows, as they are read. */
export async function* csvOf(
  kind: keyof typeof exportColumns,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const rows of pages) {
    yield csvText(kind, rows, isFirst);
    isFirst = false;
  }
}

function cellOf(row: Row, column: string): string {
  const value = row[column] ?? null;
  if (value === null) return "";
  return NUMBER_COLUMNS.has(column) ? String(value) : escapeFormula(String(value));
}
