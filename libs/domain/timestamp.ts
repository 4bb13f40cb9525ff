// RFC 3339 timestamps with fractions below one millisecond, which Date cannot represent.

/**
 * The timestamp, rounded up to a whole millisecond. Stored times are whole milliseconds, so comparing them with the
 * rounded value gives the same results.
 */
export function timestampOf(text: string): Date {
  const { ms, rest } = partsOf(text);
  return new Date(rest === "" ? ms : ms + 1);
}

export function isBefore(a: string, b: string): boolean {
  const [one, other] = [partsOf(a), partsOf(b)];
  return one.ms < other.ms || (one.ms === other.ms && one.rest < other.rest);
}

/** `rest`: the digits below the millisecond, without zeros at the end, so that texts compare like the fractions. */
function partsOf(text: string): { ms: number; rest: string } {
  const [, milliseconds = "", rest = ""] = /(\.\d{3})(\d+)/.exec(text) ?? [];
  return { ms: Date.parse(text.replace(milliseconds + rest, milliseconds)), rest: rest.replace(/0+$/, "") };
}
