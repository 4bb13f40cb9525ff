// A histogram as plain numbers: prom-client's histogram hashes its labels for each value.

export type Buckets = {
  bounds: readonly number[];
  /** The number of values in each bucket, not cumulative; the last bucket is above every bound. */
  counts: number[];
  sum: number;
  observe(value: number): void;
};

/** `bounds` are ascending, and each is included in its bucket. */
export function makeBuckets(bounds: readonly number[]): Buckets {
  const buckets: Buckets = {
    bounds,
    counts: Array.from({ length: bounds.length + 1 }, () => 0),
    sum: 0,
    observe(value) {
      let index = 0;
      while (index < bounds.length && value > (bounds[index] ?? 0)) index += 1;
      buckets.counts[index] = (buckets.counts[index] ?? 0) + 1;
      buckets.sum += value;
    },
  };
  return buckets;
}
