// The metrics that the processes export, and what an expression asks for beside them.
import { collectDefaultMetrics, Registry } from "prom-client";
import { readPage } from "../support/docs-page.ts";

/**
 * The rows of docs/reference/metrics-and-logs.md, which test/ops holds against real processes: each name with its
 * labels, histograms by their base name.
 */
export const described: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...readPage("docs/reference/metrics-and-logs.md").matchAll(/^\| `(clanxp_\w+)` \| ([^|]*)\| (histogram)?/gm)].map(
    ([, name = "", labels = "", histogram]) => [
      name,
      [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label).concat(histogram ? ["le"] : []),
    ],
  ),
);

/** And what Prometheus and its client add. */
const exported: Readonly<Record<string, readonly string[]>> = { ...described, ...defaults(), up: [] };
const ADDED_LABELS = ["namespace", "job", "instance", "process", "alertname", "alertstate", "severity"];

function defaults(): Record<string, readonly string[]> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "clanxp_" });
  const names = registry.getMetricsAsArray().map(({ name }) => [name, []]);
  registry.clear();
  return Object.fromEntries(names);
}

/** The metrics that an expression asks for, histograms by their base name. */
export function metricsIn(expr: string): string[] {
  return [...expr.matchAll(/\b(clanxp_\w+|up)\b(?=[\s{)[]|$)/g)].map(([, name = ""]) => baseName(name));
}

function baseName(name: string): string {
  const base = name.replace(/_(bucket|sum|count)$/, "");
  return base in exported ? base : name;
}

/** Metrics in `expr` that are not exported, and labels that none of its metrics has. */
export function unknownNames(expr: string): string[] {
  const metrics = metricsIn(expr);
  const labels = new Set([...ADDED_LABELS, ...metrics.flatMap((name) => exported[name] ?? [])]);
  const selected = [...expr.matchAll(/[{,]\s*(\w+)\s*[=!]~?/g)].map(([, label = ""]) => label);
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
  const unknownLabels = [...grouped, ...selected]
    .filter((label) => !labels.has(label))
    .map((label) => `label ${label}`);
  return [...metrics.filter((name) => !(name in exported)), ...unknownLabels];
}
