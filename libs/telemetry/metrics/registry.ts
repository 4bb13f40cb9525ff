// What the metrics of every process have: the standard ones (CPU, memory, event loop), its build and its clock.
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { addGauge } from "#telemetry/metrics/counters-and-gauges.ts";
import { packageVersion } from "#process/package-version.ts";

export type RegistryDeps = {
  /** The role of the process, a label of every metric. */
  name: string;
  /** The version and commit of the build, as set in the environment. */
  commit: string;
  /** How far the clock of this process is ahead of MongoDB's; null if it is not known yet. */
  clockAheadMs: () => number | null;
};

/** Each measurement wakes the process: with the default of 10 ms, that is most of what an idle one costs. */
const LAG_RESOLUTION_MS = 100;

export function makeRegistry({ name, commit, clockAheadMs }: RegistryDeps): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process: name });
  collectDefaultMetrics({ register: registry, prefix: "clanxp_", eventLoopMonitoringPrecision: LAG_RESOLUTION_MS });
  addGauge(registry, "clock_skew_seconds", "How far the clock of the process is ahead of MongoDB's.", () => {
    const aheadMs = clockAheadMs();
    return aheadMs === null ? null : aheadMs / 1_000;
  });
  const build = { version: packageVersion, commit };
  new Gauge({
    name: "clanxp_build_info",
    help: "Always 1; version and commit of the process.",
    labelNames: Object.keys(build),
    registers: [registry],
  }).set(build, 1);
  return registry;
}
