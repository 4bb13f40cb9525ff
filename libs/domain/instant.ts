// RFC 3339 timestamps whose fractions are finer than the millisecond, which is what Date keeps.

/**
 * The first whole millisecond that is not before it. Stored times are whole milliseconds, so the same ones are before
 * it, and the same ones are not.
 */
export function instantOf(text: string): Date {
  const { ms, rest } = partsOf(text);
  return new Date(rest === "" ? ms : ms + 1);
}

export function isBefore(a: string, b: string): boolean {
  const [one, other] = [partsOf(a), partsOf(b)];
  return one.ms < other.ms || (one.ms === other.ms && one.rest < other.rest);
}

/** `rest`: the digits below the millisecond, without zeros at the end, so that texts compare like the fractions. */
function partsOf(text: string): { ms: number; rest: string } {
  const [, kept = "", rest = ""] = /(\.\d{3})(\d+)/.exec(text) ?? [];
  return { ms: Date.parse(text.replace(kept + rest, kept)), rest: rest.replace(/0+$/, "") };
}
