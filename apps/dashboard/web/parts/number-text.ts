// A whole number as people read it, with separators. XP may be beyond what a JavaScript number holds: it comes as text.
const grouped = new Intl.NumberFormat("en");

export function numberText(value: number | bigint | string): string {
  // A minus sign, which screen readers read: many skip a hyphen.
  return grouped.format(typeof value === "string" ? BigInt(value) : value).replace("-", "\u2212");
}
