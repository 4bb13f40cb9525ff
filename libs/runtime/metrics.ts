// The process's metrics registry, with what every process has: CPU, memory, event loop, open files.
import { collectDefaultMetrics, Registry } from "prom-client";

export function makeMetrics(name: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process: name });
  collectDefaultMetrics({ register: registry, prefix: "clanxp_" });
  return registry;
}
