// Formats a text as a CSV cell of which no spreadsheet runs a part as a formula: an apostrophe before each (OWASP, CSV
// injection). A spreadsheet may split a line at semicolons, tabs and line breaks, too, may ignore white space before a
// formula, and takes the full-width forms of Japanese keyboards for the characters themselves.
//
// Invariant: `unescapeFormula` returns the same text, because apostrophes in these places are escaped, too.

const CELL_START = String.raw`(?<=^|[;\t\r\n])`;
const FORMULA = String.raw`\s*['=+\-@\uff1d\uff0b\uff0d\uff20]`;
/** Some programs remove a tab or a line break at the beginning of a cell. */
const REMOVED = String.raw`[\t\r]`;
const FORMULAS = new RegExp(`${CELL_START}(?=${FORMULA})|^(?=${REMOVED})`, "g");
const ESCAPED = new RegExp(`${CELL_START}'(?=${FORMULA})|^'(?=${REMOVED})`, "g");

export function escapeFormula(text: string): string {
  return text.replaceAll(FORMULAS, "'");
}

export function unescapeFormula(cell: string): string {
  return cell.replaceAll(ESCAPED, "");
}
