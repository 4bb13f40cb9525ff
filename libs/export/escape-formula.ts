// Formats a text as a CSV cell that no spreadsheet runs as a formula: an apostrophe before it (OWASP, CSV injection).

const FORMULA = /^['=+\-@\t\r]/;

/** A text that begins with an apostrophe gets another one, so that removing it is exact. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
