// Exposes buckets of plain numbers as a histogram in prom-client's registry.
import type { Histogram, Registry } from "prom-client";
import type { Buckets } from "#telemetry/metrics/buckets.ts";

export type HistogramSample = { labels?: Readonly<Record<string, string>>; buckets: Buckets };

/** `samples` are read on each scrape. */
export function addHistogram(registry: Registry, name: string, help: string, samples: () => HistogramSample[]): void {
  const get = async () => ({
    name,
    help,
    type: "histogram",
    aggregator: "sum",
    values: samples().flatMap((sample) => valuesOf(name, sample)),
  });
  // A registry only uses the name and `get` of a metric; the rest of the class counts, which buckets.ts does.
  registry.registerMetric({ name, help, get } as unknown as Histogram);
}

function valuesOf(name: string, { labels = {}, buckets }: HistogramSample) {
  let below = 0;
  const cumulated = buckets.counts.map((count, index) => {
    below += count;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: buckets.bounds[index] ?? "+Inf" }, value: below };
  });
  return [
    ...cumulated,
    { metricName: `${name}_sum`, labels, value: buckets.sum },
    { metricName: `${name}_count`, labels, value: below },
  ];
}
