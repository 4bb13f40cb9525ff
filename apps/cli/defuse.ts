// A text as a CSV cell that no spreadsheet takes for a formula: an apostrophe before it (OWASP, CSV injection).

const FORMULA = /^['=+\-@\t\r]/;

/** Texts that begin with an apostrophe get one as well, so that taking it away is exact. */
export function defused(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
