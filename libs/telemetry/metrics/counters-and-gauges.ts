// Metrics whose values are read on each scrape, instead of being set when they change.
import { Counter, Gauge, type Registry } from "prom-client";

export type Value = number | boolean | null;
type Sample = { labels?: Record<string, string | number>; value: number };

export function byName(label: string, counts: Iterable<readonly [string, number]>): Sample[] {
  return [...counts].map(([name, value]) => ({ labels: { [label]: name }, value }));
}

export function addCounter(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  samples: () => Sample[],
): void {
  const counter = new Counter({
    name: `clanxp_${name}`,
    help,
    labelNames,
    registers: [],
    collect() {
      this.reset();
      for (const { labels = {}, value } of samples()) this.inc(labels, value);
    },
  });
  registry.registerMetric(counter);
}

/** While `value` is unknown (null), the gauge has no sample, which differs from 0. */
export function addGauge(registry: Registry, name: string, help: string, value: () => Value | Promise<Value>): void {
  const gauge = new Gauge({
    name: `clanxp_${name}`,
    help,
    registers: [],
    async collect() {
      const read = await value();
      if (read === null) this.remove();
      else this.set(Number(read));
    },
  });
  registry.registerMetric(gauge);
}

/** One series for each current sample. */
export function addGauges(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  samples: () => Promise<Sample[]>,
): void {
  const gauge = new Gauge({
    name: `clanxp_${name}`,
    help,
    labelNames,
    registers: [],
    async collect() {
      const read = await samples();
      this.reset();
      for (const { labels = {}, value } of read) this.set(labels, value);
    },
  });
  registry.registerMetric(gauge);
}
