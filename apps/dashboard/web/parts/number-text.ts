// Formats a whole number with separators. XP is a text, because it may exceed the exact range of a JavaScript number.
const grouped = new Intl.NumberFormat("en");

export function numberText(value: number | bigint | string): string {
  // A minus sign, because many screen readers skip a hyphen.
  return grouped.format(typeof value === "string" ? BigInt(value) : value).replace("-", "\u2212");
}
