// The middle of what was measured: of an even number, the greater of both. Zero if nothing was.
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
