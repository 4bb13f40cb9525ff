// Whole numbers as a page shows them, and as a person types them.

/** With separators. XP is a text, because it may exceed the exact range of a JavaScript number. */
export function numberText(value: number | bigint | string): string {
  // A minus sign, because many screen readers skip a hyphen.
  return grouped.format(typeof value === "string" ? BigInt(value) : value).replace("-", "\u2212");
}
const grouped = new Intl.NumberFormat("en");

/** Groups of thousands with the same separator; "0,500" is not such a number. */
const GROUPED = /^-?[1-9]\d{0,2}([\s,_])\d{3}(?:\1\d{3})*$/;

/**
 * Without the thousands separators of a typed whole number. Any other text is unchanged: without its comma, "1,5" would
 * become 15.
 */
export function plainNumber(typed: string): string {
  const text = typed.trim().replace("\u2212", "-");
  return GROUPED.test(text) ? text.replaceAll(/[\s,_]/g, "") : text;
}

/** A typed whole number, with or without separators. NaN for any other text: a schema then reports it. */
export function wholeNumber(typed: string): number {
  const text = plainNumber(typed);
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** None if nothing was typed, NaN if it is not a whole number. */
export function limitOf(typed: string): number | null {
  return typed.trim() === "" ? null : wholeNumber(typed);
}
