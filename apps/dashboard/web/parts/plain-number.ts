// Removes the thousands separators from a typed whole number. Any other text is unchanged: without its comma, "1,5"
// would become 15.

/** Groups of thousands with the same separator; "0,500" is not such a number. */
const GROUPED = /^-?[1-9]\d{0,2}([\s,_])\d{3}(?:\1\d{3})*$/;

export function plainNumber(typed: string): string {
  const text = typed.trim().replace("\u2212", "-");
  return GROUPED.test(text) ? text.replaceAll(/[\s,_]/g, "") : text;
}
