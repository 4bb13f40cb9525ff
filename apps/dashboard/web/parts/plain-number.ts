// A whole number as people type it, without the separators of its thousands. Any other text stays as it is: dropping
// the comma of "1,5" would make it 15.

/** Thousands of one separator each; "0,500" has none. */
const GROUPED = /^-?[1-9]\d{0,2}([\s,_])\d{3}(?:\1\d{3})*$/;

export function plainNumber(typed: string): string {
  const text = typed.trim().replace("\u2212", "-");
  return GROUPED.test(text) ? text.replaceAll(/[\s,_]/g, "") : text;
}
