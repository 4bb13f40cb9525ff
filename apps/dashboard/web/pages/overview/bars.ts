// The bars of a chart: above the zero line for positive values, and below it for negative ones.

/** The minimum height of a bar whose value is not 0. */
const HEIGHT_MIN = 2;

/** `y`: the distance of the upper edge from the top. */
type Bar = { value: bigint; y: number; height: number };

/** `least` is at most 0, and `most` is at least 0. */
export function barsOf(values: readonly bigint[], height: number) {
  const least = values.reduce((low, value) => (value < low ? value : low), 0n);
  const most = values.reduce((high, value) => (value > high ? value : high), 0n);
  const zeroY = zeroOf(least, most, height);
  const bars = values.map((value): Bar => {
    if (value === 0n) return { value, y: zeroY, height: 0 };
    if (value < 0n) return { value, y: zeroY, height: Math.max(HEIGHT_MIN, share(value, least) * (height - zeroY)) };
    const up = Math.max(HEIGHT_MIN, share(value, most) * zeroY);
    return { value, y: zeroY - up, height: up };
  });
  return { least, most, zeroY, bars };
}

function zeroOf(least: bigint, most: bigint, height: number): number {
  if (least === 0n) return height;
  if (most === 0n) return 0;
  return Math.min(height - HEIGHT_MIN, Math.max(HEIGHT_MIN, share(most, most - least) * height));
}

/** In thousandths, computed with bigint: XP may exceed the exact range of a number. */
function share(part: bigint, whole: bigint): number {
  return Number((part * 1_000n) / whole) / 1_000;
}
